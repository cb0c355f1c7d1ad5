-- Surveys a plugin's existing data for cases that do not write: finds out whether it can write,
-- lists directories with get_children, and reads each file once from start to end. The children of
-- the cases read the results: PREFIX.manifest, and the contents in PREFIX.1, PREFIX.2 and so on.
local survey = {}

local limits = { entries = 48, of_directory = 16, depth = 4, content = 2 ^ 20, all = 2 ^ 24,
  piece = 65536, seconds = 5, files = 8, directories = 4, names = 10000 }

-- Codes with which a plugin refuses to write.
local refusing = { UNIMPLEMENTED = true, PERMISSION_DENIED = true }

-- Codes of entries that exist but cannot be accessed.
local closed = { PERMISSION_DENIED = true, UNAUTHENTICATED = true, UNAVAILABLE = true }

-- Whether a plugin can write ------------------------------------------------------------------

-- Every level of a URI from the first below its host down to itself.
function survey.levels(uri)
  local prefix, rest = uri:match("^(%a[%w.+]*://)(.*)$")
  prefix, rest = prefix or "", rest or uri
  local list, at = {}, 1
  repeat
    local stop = rest:find("/", at + 1, true)
    list[#list + 1] = prefix .. rest:sub(1, stop and stop - 1)
    at = stop
  until not stop
  return list
end

-- The first missing level whose creation is refused; nil if one is created, or fails otherwise.
local function refused_level(fs, root)
  for _, uri in ipairs(survey.levels(root)) do
    local made, _, code = fs:create_dir(uri)
    if made or not refusing[code] and code ~= "ALREADY_EXISTS" then
      return nil
    elseif code ~= "ALREADY_EXISTS" then
      return uri
    end
  end
end

-- True unless directories and files are refused where the root would be: other cases begin so.
local function can_write(fs, root)
  local place = refused_level(fs, root)
  if not place then
    return true
  end
  local uri = place .. ".probe"
  local writable, _, code = fs:new_writable_file(uri)
  if writable then
    writable:close()
    fs:delete_file(uri)
  end
  return writable ~= nil or not refusing[code]
end

local unlisted = "get_children is UNIMPLEMENTED, so existing files have to be named: "
  .. "--sample PATH"

-- Listing and reading -------------------------------------------------------------------------

local function below(uri, name)
  return uri .. (uri:find "/$" and "" or "/") .. name
end

survey.below = below

-- Content as one sequential read gives it; whole is false where it goes on behind the limit.
local function learn(self, found, file)
  local pieces, size = {}, 0
  repeat
    local piece, message, code = file:pread(size, limits.piece)
    if code then
      found.failure = message
      return
    end
    pieces[#pieces + 1] = piece
    size = size + #(piece or "")
  until not piece or #piece < limits.piece or size >= limits.content
  found.content = table.concat(pieces)
  found.whole = #(pieces[#pieces] or "") < limits.piece
  self.bytes = self.bytes + size
end

local function add_directory(self, uri, depth, names)
  table.sort(names)
  local directory = { uri = uri, names = names, depth = depth }
  self.directories[#self.directories + 1] = directory
  for i = 1, math.min(#names, limits.of_directory) do
    if depth < limits.depth and not names[i]:find("/", 1, true) and names[i]:find "[^.]" then
      self.queue[#self.queue + 1] = { uri = below(uri, names[i]), depth = depth + 1,
        parent = directory, name = names[i] }
    end
  end
end

-- Whatever can be listed is a directory, whatever opens is a file; the cases rely on that.
local function examine(self, entry)
  local names, listed_message, listed_code = self.fs:get_children(entry.uri)
  if names then
    add_directory(self, entry.uri, entry.depth, names)
    return
  end
  local found = { uri = entry.uri, given = entry.given, depth = entry.depth,
    parent = entry.parent and entry.parent.uri, name = entry.name }
  local file, message, code = self.fs:new_random_access_file(entry.uri)
  if file then
    learn(self, found, file)
    file:close()
  elseif closed[code] then
    return
  else
    found.failure = message
    self.why = listed_code == "UNIMPLEMENTED" and unlisted or listed_message
  end
  self.files[#self.files + 1] = found
end

local function is_over(self)
  return self.entries >= limits.entries or self.bytes >= limits.all
    or #self.files > 0 and os.time() - self.begun > limits.seconds
end

-- A root or sample that does not exist is an error of the user, or why there is nothing to test.
local function look_around(self)
  local first = #self.queue
  for i = 1, 1e9 do
    local entry = self.queue[i]
    if not entry or i > first and is_over(self) then
      return
    end
    self.entries = self.entries + 1
    examine(self, entry)
  end
end

-- What cases test -----------------------------------------------------------------------------

-- Given samples first, then the empty, the shortest, the longest, the deepest and others.
local function choose(files)
  local chosen, taken = {}, {}
  local function take(file)
    if file and not taken[file] and (#chosen < limits.files or file.given) then
      chosen[#chosen + 1], taken[file] = file, true
    end
  end
  local function best(better)
    local found
    for _, file in ipairs(files) do
      if #file.content > 0 and (not found or better(file, found)) then
        found = file
      end
    end
    take(found)
  end
  for _, file in ipairs(files) do
    take(file.given and file)
  end
  for _, file in ipairs(files) do
    if file.content == "" then
      take(file)
      break
    end
  end
  best(function(a, b) return #a.content < #b.content end)
  best(function(a, b) return #a.content > #b.content end)
  best(function(a, b) return a.depth > b.depth end)
  for _, file in ipairs(files) do
    take(file)
  end
  return chosen
end

local function choose_directories(directories)
  table.sort(directories, function(a, b)
    return a.depth < b.depth or a.depth == b.depth and #a.names > #b.names
  end)
  local chosen, empty = {}, nil
  for _, directory in ipairs(directories) do
    if #directory.names > 0 and #directory.names <= limits.names
      and #chosen < limits.directories then
      chosen[#chosen + 1] = directory
    elseif #directory.names == 0 then
      empty = empty or directory
    end
  end
  chosen[#chosen + 1] = empty
  return chosen
end

-- The manifest -----------------------------------------------------------------------------------

local function written(value)
  if type(value) ~= "table" then
    return type(value) == "string" and ("%q"):format(value) or tostring(value)
  end
  local parts = {}
  for key, each in pairs(value) do
    parts[#parts + 1] = ("[%s]=%s"):format(written(key), written(each))
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  assert(file:close())
end

local function save(prefix, manifest)
  for i, file in ipairs(manifest.files) do
    write(("%s.%d"):format(prefix, i), file.content)
    file.content = nil
  end
  write(prefix .. ".manifest", "return " .. written(manifest))
end

-- The manifest as it was saved: { files =, directories = }.
function survey.read(prefix)
  return assert(loadfile(prefix .. ".manifest"))()
end

-- The content of its file number i.
function survey.content(prefix, i)
  local file = assert(io.open(("%s.%d"):format(prefix, i), "rb"))
  local content = file:read "*a"
  file:close()
  return content
end

local function part(files)
  local learned, failures = {}, {}
  for _, file in ipairs(files) do
    table.insert(file.content and learned or failures, file)
  end
  return learned, failures
end

-- Samples are given one a line.
local function begin(fs, job, writes)
  local self = { fs = fs, queue = {}, files = {}, directories = {}, entries = 0, bytes = 0,
    begun = os.time() }
  for uri in (job.samples or ""):gmatch "[^\n]+" do
    self.queue[#self.queue + 1] = { uri = uri, depth = 0, given = true }
  end
  if not writes and job.listed then
    self.queue[#self.queue + 1] = { uri = job.listed, depth = 0 }
  end
  return self
end

local function counted(count, one, many)
  return ("%d %s"):format(count, count == 1 and one or many)
end

-- Every listed entry must open or list.
local function assess(self, failures, tell)
  if self.found then
    tell("found", ("%s and %s"):format(counted(self.learned, "file", "files"),
      counted(#self.directories, "directory", "directories")))
  end
  tell("about", #self.directories > 0 and "get_children" or "new_random_access_file")
  for _, file in ipairs(failures) do
    if file.given or file.parent then
      tell("failed", ("%s: %s"):format(file.given and "the sample" or "what is listed",
        file.failure))
      return
    end
  end
  local why = self.why or "every directory is empty"
  tell(self.found and "passed" or "refused", self.found and "" or why)
end

-- survey.run(fs, job, tell): job.root is where nothing is, job.listed the directory to begin at,
-- job.samples what the user names, job.tree the prefix of the files to write.
function survey.run(fs, job, tell)
  local writes = can_write(fs, job.root)
  tell("writes", writes and "yes" or "no")
  local self = begin(fs, job, writes)
  look_around(self)
  local learned, failures = part(self.files)
  self.learned = #learned
  self.found = #learned > 0 or #self.directories > 0 and #self.queue > 1
  save(job.tree, { files = choose(learned), writes = writes,
    directories = choose_directories(self.directories) })
  assess(self, failures, tell)
end

return survey
