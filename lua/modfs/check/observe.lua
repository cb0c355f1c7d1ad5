-- What every observer says of a path, asked together and held against a model of the tree, after
-- each change; for a trial without a host. A slot that is missing is not asked.
local model = require "modfs.check.model"
local random = require "modfs.check.random"

local observe = {}
observe.__index = observe

local mapping = "new_read_only_memory_region_from_file"
local numbers = { OK = 0, NOT_FOUND = 5, FAILED_PRECONDITION = 9 }

function observe.new(t)
  return setmetatable({ t = t, tree = model.new(), missing = {}, times = {}, held = {},
    step = "at the start" }, observe)
end

local bytes

-- n bytes of which no part is like the next; another salt, other bytes.
function observe.content(n, salt)
  if not bytes then
    local draw, list = random.generator(7), {}
    for i = 1, 4093 do
      list[i] = string.char(draw(256) - 1)
    end
    bytes = table.concat(list)
  end
  local first = (salt or 0) % 4000
  return bytes:rep(math.ceil((first + n) / #bytes)):sub(first + 1, first + n)
end

-- The answer of a slot and its handle; nil where it is missing.
local function ask(self, verb, ...)
  if self.missing[verb] then
    return nil
  end
  local fine, answer, handle = pcall(self.t.p[verb], self.t.p, ...)
  if fine then
    return answer, handle
  elseif type(answer) ~= "table" or not answer.refused then
    error(answer, 0)
  end
  self.missing[verb] = true
end

local function parent_of(path)
  return path:match "^(.*)/[^/]*$" or ""
end

function observe:uri(path)
  return path == "" and self.t.root or self.t:at(path)
end

-- Attributes ------------------------------------------------------------------------------------

local function see_time(self, path, time)
  local t, last = self.t, self.times[path]
  t:yes(not last or time >= last, ("mtime_nsec was %s, is %s"):format(tostring(last),
    tostring(time)))
  self.times[path] = time
end

local function see_stat(self, path, code, node)
  local t, answer = self.t, ask(self, "stat", self:uri(path))
  if not answer then
    return
  end
  t:code(code, answer)
  if code == "OK" then
    t:equal(node == true and 1 or 0, answer.is_directory, "is_directory by stat")
    t:equal(node == true and answer.length or #node, answer.length, "length by stat")
    see_time(self, path, answer.mtime_nsec)
  end
end

local function see_attributes(self, path, code, node)
  local t, answer = self.t, ask(self, "lstat", self:uri(path))
  if not answer then
    return
  end
  t:code(code, answer)
  if code == "OK" then
    t:equal(node == true and 2 or 1, answer.kind, "kind by lstat")
    t:equal(node == true and answer.length or #node, answer.length, "length by lstat")
  end
end

local function see_size(self, path, code, node)
  local t, answer = self.t, ask(self, "get_file_size", self:uri(path))
  if answer then
    t:code(node == true and "FAILED_PRECONDITION" or code, answer)
    t:equal(type(node) == "string" and #node or -1, answer.value, "get_file_size")
  end
end

local function see_existence(self, path, code, node)
  local t, uri = self.t, self:uri(path)
  local answer = ask(self, "path_exists", uri)
  if answer then
    t:code(code, answer)
  end
  answer = ask(self, "paths_exist", { t:path(uri) })
  if answer then
    t:equal({ code == "OK", { numbers[code] } }, { answer.value, answer.codes }, "paths_exist")
  end
  answer = ask(self, "is_directory", uri)
  if answer then
    t:code(type(node) == "string" and { "FAILED_PRECONDITION", "OK" } or code, answer)
    t:equal(node == true, answer.value, "is_directory")
  end
end

-- Content ---------------------------------------------------------------------------------------

local function see_reader(self, path, code, node)
  local t = self.t
  local answer, file = ask(self, "new_random_access_file", self:uri(path))
  if not answer then
    return
  end
  t:code(node == true and "FAILED_PRECONDITION" or code, answer)
  if not file then
    return
  end
  local n = #node
  t:yes(t:code("OK", file:read(0, n)).bytes == node or n == 0, "the content differs")
  answer = t:code("OUT_OF_RANGE", file:read(0, n + 1))
  t:equal(n, answer.value, "bytes read at the end")
  t:yes(answer.bytes == node, "the content differs, read beyond the end")
  t:equal(0, t:code("OUT_OF_RANGE", file:read(n, 1)).value, "bytes read behind the end")
  if n > 0 then
    t:equal(node:sub(-1), t:code("OK", file:read(n - 1, 1)).bytes, "the last byte")
    t:equal(node:sub(-1), t:code("OUT_OF_RANGE", file:read(n - 1, 2)).bytes, "the last byte")
  end
  file:cleanup_file()
end

local function see_region(self, path, code, node)
  local t = self.t
  local answer, region = ask(self, mapping, self:uri(path))
  if not answer then
    return
  end
  t:code(node == true and "FAILED_PRECONDITION" or node == "" and "INVALID_ARGUMENT" or code,
    answer)
  if region then
    local found = region:bytes()
    t:equal(#node, found.length, "length of the region")
    t:yes(found.bytes == node, "the content of the region differs")
    region:cleanup_region()
  end
end

-- Lists -----------------------------------------------------------------------------------------

local function sorted(names)
  table.sort(names)
  return names
end

-- Asserts what a directory lists, by each way to list it.
function observe:list(path)
  local t, uri, expected = self.t, self:uri(path), self.tree:children(path)
  local answer = ask(self, "get_children", uri)
  if answer then
    t:code("OK", answer)
    t:equal(expected, sorted(answer.names), "get_children")
  end
  for slot, by in pairs { open_directory = "next_entry", next_entries = "next_entries" } do
    answer = ask(self, slot, uri)
    if answer then
      t:code("OK", answer)
      t:equal(expected, sorted(answer.names), by)
      for name, kind in pairs(answer.kinds) do
        local node = self.tree.nodes[path == "" and name or path .. "/" .. name]
        t:yes(kind == 0 or kind == (node == true and 2 or 1), "the kind of " .. name)
      end
    end
  end
  self:match(path, "*", expected)
end

local function literally(path)
  return (path:gsub("[*?%[\\]", "\\%0"))
end

-- Asserts that a pattern in a directory finds these names there.
function observe:match(path, pattern, names)
  local t, uri = self.t, self:uri(path)
  local place = path == "" and t.root or t:at(literally(path))
  local answer = ask(self, "get_matching_paths", place .. "/" .. pattern)
  if not answer then
    return
  end
  t:code("OK", answer)
  local expected, found = {}, {}
  for i, name in ipairs(names) do
    expected[i] = t:path(uri .. "/" .. name)
  end
  for i, name in ipairs(answer.names) do
    found[i] = t:path(name)
  end
  t:equal(sorted(expected), sorted(found), "get_matching_paths " .. pattern)
end

local function see_lists(self, path, code, node)
  local t = self.t
  if node == true then
    self:list(path)
  else
    local answer = ask(self, "get_children", self:uri(path))
    if answer then
      t:code(node and "FAILED_PRECONDITION" or code, answer)
    end
  end
  local parent = parent_of(path)
  if path ~= "" and self.tree.nodes[parent] == true then
    local name = path:match "[^/]*$"
    self:list(parent)
    self:match(parent, literally(name), { node and name })
  end
end

-- Handles opened before -------------------------------------------------------------------------

-- Opens a reader and a region of a file now; they are asked again with each path.
function observe:hold(path)
  local _, file = ask(self, "new_random_access_file", self:uri(path))
  local content = self.tree.nodes[path]
  local one = { path = path, file = file, versions = { content } }
  if content ~= "" then
    _, one.region = ask(self, mapping, self:uri(path))
  end
  self.held[#self.held + 1] = one
end

local function starts(text, part)
  return text:sub(1, #part) == part
end

-- Of a file that has only grown a reader gives at least what there was; of one that was replaced or
-- deleted some version, or it fails.
local function see_held(self, one)
  local t, old = self.t, one.versions[1]
  if one.region then
    local found = one.region:bytes()
    t:equal(#old, found.length, "length of a region opened before")
    t:yes(found.bytes == old, "the content of a region opened before has changed")
  end
  local answer = one.file and one.file:read(0, 2 ^ 22)
  if not answer or one.replaced and answer.value < 0 then
    return
  end
  t:code({ "OK", "OUT_OF_RANGE" }, answer)
  local known = false
  for _, version in ipairs(one.versions) do
    known = known or starts(version, answer.bytes)
  end
  t:yes(known, "a reader opened before gives what the file never had")
  t:yes(one.replaced or #answer.bytes >= #old, "a reader opened before gives less than it could")
end

-- Notes another version of a file; by a replacement, unless the old content begins it.
local function note_version(self, path, replaced)
  local content = self.tree.nodes[path]
  for _, one in ipairs(self.held) do
    if one.path == path then
      table.insert(one.versions, type(content) == "string" and content or nil)
      one.replaced = one.replaced or replaced or self.t:departs "shown_at_close"
    end
  end
end

-- Releases what hold has opened, of one path or of all.
function observe:release(path)
  for i = #self.held, 1, -1 do
    local one = self.held[i]
    if not path or one.path == path then
      if one.file then
        one.file:cleanup_file()
      end
      if one.region then
        one.region:cleanup_region()
      end
      table.remove(self.held, i)
    end
  end
end

-- All of it -------------------------------------------------------------------------------------

local function see(self, path)
  local code, node = self.tree:find(path)
  for _, part in ipairs { see_existence, see_stat, see_size, see_attributes, see_reader, see_region,
    see_lists } do
    part(self, path, code, node)
  end
  for _, one in ipairs(self.held) do
    see_held(self, one)
  end
end

-- Asks every observer of each path, and names the step and the path in the failure.
function observe:at(...)
  for _, path in ipairs { ... } do
    local fine, problem = pcall(see, self, path)
    if not fine and type(problem) == "table" and problem.failed then
      problem.failed = ("%s, \"%s\": %s"):format(self.step, path, problem.failed)
    end
    if not fine then
      error(problem, 0)
    end
  end
end

-- Changes ---------------------------------------------------------------------------------------

function observe:after(format, ...)
  self.step = "after " .. format:format(...)
end

local takes_two = { rename_file = true, copy_file = true }

-- Calls the slot of that name, without a look. The code is one of those given, "OK" if none are.
function observe:call(verb, path, second, codes)
  self:after("%s %s %s", verb, path, second or "")
  return self.t:code(codes or "OK", self.t.p[verb](self.t.p, self:uri(path),
    takes_two[verb] and self:uri(second) or nil))
end

-- The model's part of a change.
function observe:note(verb, path, second)
  local code, _, other = self.tree[verb](self.tree, path, second)
  if code == "OK" then
    self.times[path] = nil
    note_version(self, path, true)
    if takes_two[verb] then
      self.times[second] = nil
      note_version(self, second, true)
    end
  end
  return code, other
end

-- Changes the tree by the slot of that name, as the model says that it goes, and asks about it:
-- first about what was last asked about before, where an old answer may be kept.
function observe:change(verb, path, second)
  local code, other = self:note(verb, path, second)
  self:call(verb, path, second, { code, other })
  if second then
    self:at(second)
  end
  self:at(path)
end

-- Writing ---------------------------------------------------------------------------------------

-- Calls a slot of a writer that may be missing.
local function finish(self, file, verb)
  local fine, answer = pcall(file[verb], file)
  if fine then
    self.t:code("OK", answer)
  elseif type(answer) ~= "table" or not answer.refused then
    error(answer, 0)
  end
end

local function see_position(self, file, content)
  local fine, answer = pcall(file.tell, file)
  if fine then
    self.t:equal(#content, self.t:code("OK", answer).value, self.step .. ": tell")
  elseif type(answer) ~= "table" or not answer.refused then
    error(answer, 0)
  end
end

-- What was appended and not flushed may be seen in part: no less than what was flushed.
local function see_between(self, path, flushed, content)
  local t = self.t
  for verb, field in pairs { stat = "length", get_file_size = "value" } do
    local answer = ask(self, verb, self:uri(path))
    local n = answer and t:code("OK", answer)[field] or #content
    t:yes(n >= #flushed and n <= #content, ("%s: %s is %d"):format(self.step, verb, n))
  end
  local _, file = ask(self, "new_random_access_file", self:uri(path))
  if file then
    local seen = file:read(0, #content + 1).bytes
    t:yes(starts(content, seen) and #seen >= #flushed, self.step .. ": the content differs")
    file:cleanup_file()
  end
end

local function note_content(self, path, content, replaced)
  self.tree:write(path, content)
  note_version(self, path, replaced)
end

-- Writes a file in pieces, each flushed or synced, and asks every observer after each step.
-- how: new_writable_file or new_appendable_file.
function observe:write(path, how, pieces)
  local t, shown = self.t, not self.t:departs "shown_at_close"
  local content = how == "new_appendable_file" and self.tree.nodes[path] or ""
  self:after("%s %s", how, path)
  local file = t:fine(t.p[how](t.p, self:uri(path)))
  see_position(self, file, content)
  if shown then
    note_content(self, path, content, how == "new_writable_file")
    self:at(path)
  end
  for i, piece in ipairs(pieces) do
    local flushed = content
    self:after("append of %d bytes at %d to %s", #piece, #content, path)
    t:code("OK", file:append(piece))
    content = content .. piece
    see_position(self, file, content)
    if shown then
      see_between(self, path, flushed, content)
      local verb = i % 2 == 1 and "flush" or "sync"
      self:after("append of %d bytes at %d to %s and %s", #piece, #flushed, path, verb)
      finish(self, file, verb)
      see_position(self, file, content)
      note_content(self, path, content)
      self:at(path)
    end
  end
  self:after("close of %s at %d", path, #content)
  finish(self, file, "close")
  note_content(self, path, content, how == "new_writable_file")
  self:at(path)
  file:cleanup_writable()
  self:after("cleanup of the writer of %s at %d", path, #content)
  self:at(path)
end

-- A file that is written at once, without a look.
function observe:file(path, content)
  self.t:file(path, content)
  note_content(self, path, content, true)
end

function observe:directory(path)
  self.t:directory(path)
  self.tree:create_dir(path)
end

-- Sizes at which buffers, blocks and pages end. Over a network there are fewer.
function observe:sizes(most)
  local list, far = {}, self.t:departs "shown_at_close"
  local known = far and { 0, 1, 4096, 65537, 2097153 } or {
    0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024,
    1025, 4095, 4096, 4097, 8191, 8192, 8193, 32767, 32768, 32769, 65535, 65536, 65537, 131071,
    131072, 131073, 1048575, 1048576, 1048577, 2097151, 2097152, 2097153, 3145729 }
  for _, n in ipairs(known) do
    list[#list + 1] = n <= most and n or nil
  end
  return list
end

return observe
