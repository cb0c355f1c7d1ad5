-- What a case holds: the filesystem under trial, a fresh root in it, and assertions that count.
local journal_of = require "modfs.check.journal"
local survey = require "modfs.check.survey"
local values = require "modfs.check.values"

local trial = {}
trial.__index = trial

local function fail(what)
  error({ failed = what }, 0)
end

-- trial.new(fs, root, tell): tell(key, text) is told of each call before it is made.
function trial.new(fs, root, tell)
  local journal = journal_of(tell)
  local self = setmetatable({ journal = journal, root = root, assertions = 0, deviations = "" },
    trial)
  self.raw = fs
  self.scheme = fs.scheme
  self.fs = journal:wrap(fs, "fs")
  return self
end

local function count(self)
  self.assertions = self.assertions + 1
end

-- Asserts ------------------------------------------------------------------------------

-- The results of a call that must not have failed.
function trial:ok(...)
  count(self)
  if not (...) then
    fail("expected success, got " .. tostring((select(2, ...))))
  end
  return ...
end

function trial:yes(value, what)
  count(self)
  if value ~= true then
    fail(("expected true, got %s%s"):format(values.show(value), what and ": " .. what or ""))
  end
end

function trial:no(value, what)
  count(self)
  if value ~= false then
    fail(("expected false, got %s%s"):format(values.show(value), what and ": " .. what or ""))
  end
end

function trial:equal(expected, value, what)
  count(self)
  if not values.same(expected, value) then
    fail(("%sexpected %s, got %s"):format(what and what .. ": " or "", values.show(expected),
      values.show(value)))
  end
end

-- A failure with that code, or with one of an array of codes.
function trial:fails(codes, value, message, code)
  count(self)
  local list = type(codes) == "table" and codes or { codes }
  for _, wanted in ipairs(list) do
    if value == nil and code == wanted then
      return message
    end
  end
  local got = value == nil and tostring(message) or "success, " .. values.show(value)
  fail(("expected %s, got %s"):format(table.concat(list, " or "), got))
end

-- The root -----------------------------------------------------------------------------

-- Makes the root through the plugin; one that has no directories gets a bare prefix.
function trial:open()
  local made, message, code
  for _, uri in ipairs(survey.levels(self.root)) do
    self.journal:note("fs", "create_dir", uri)
    made, message, code = self.raw:create_dir(uri)
  end
  if made then
    self.journal:serve("create_dir")
  elseif code == "UNIMPLEMENTED" then
    self.journal:note("fs", "recursively_create_dir", self.root)
    made, message, code = self.raw:recursively_create_dir(self.root)
  end
  if not made and code ~= "UNIMPLEMENTED" then
    self.journal.answer = tostring(message)
    fail("the root cannot be created: " .. tostring(message))
  end
  self.made = made ~= nil
end

function trial:close()
  self.raw:delete_recursively(self.root)
end

function trial:at(relative)
  return self.root .. "/" .. relative
end

-- Makes a file with that content and returns its URI.
function trial:file(relative, content)
  local uri = self:at(relative)
  local writable = self:must(self.fs:new_writable_file(uri))
  if content and content ~= "" then
    self:must(writable:write(content))
  end
  self:must(writable:close())
  return uri
end

function trial:directory(relative)
  local uri = self:at(relative)
  self:must(self.fs:create_dir(uri))
  return uri
end

-- As ok, but a step on the way, not counted.
function trial:must(...) -- luacheck: ignore 212
  if not (...) then
    fail("setup failed: " .. tostring((select(2, ...))))
  end
  return ...
end

function trial:content(uri)
  local file = self:must(self.fs:new_random_access_file(uri))
  local content, message, code = file:read("a")
  if code then
    fail("setup failed: " .. tostring(message))
  end
  file:close()
  return content
end

-- A program that tests "is it there?" by path_exists.
function trial:exists(uri)
  local found, message, code = self.fs:path_exists(uri)
  if not found and code ~= "NOT_FOUND" then
    fail(("expected an answer for %s, got %s"):format(values.show(uri), tostring(message)))
  end
  return found == true
end

function trial:children(uri)
  local names = self:must(self.fs:get_children(uri or self.root))
  table.sort(names)
  return names
end

-- Ends the case: there is nothing to test, because of why.
function trial:refuse(why) -- luacheck: ignore 212
  error({ refused = why }, 0)
end

-- Whether the plugin declares that it is so here, where the contract has it otherwise: the names of
-- runner.deviations.
function trial:departs(name)
  return self.deviations:find(name, 1, true) ~= nil
end

-- Whether a name can be one here.
function trial:takes(name)
  if self:departs "names_lack_colons" and name:find(":", 1, true) then
    return false
  end
  return not self:departs "names_are_text" or name:find "^[\1-\9\11\12\14-\127]*$" ~= nil
end

local declared = { shown_at_close = "shows a file when it is closed, not before",
  parents_implied = "wants no directory above a file",
  commits_in_steps = "makes the files of a commit one after the other",
  written_at_once = "writes files that belong together in one transaction" }

-- Refuses the case when the plugin declares so.
function trial:wants_no(name)
  if self:departs(name) then
    self:refuse("the plugin " .. declared[name])
  end
end

-- Refuses the case when the host cannot do its part without an operation that is missing.
function trial:needs(operation)
  if self.raw:operations()[operation] == "missing" then
    self:refuse(operation .. " is missing")
  end
end

-- Refuses the case when the plugin makes no directories: its root is not there.
function trial:needs_root()
  if not self.made then
    self:refuse("create_dir is missing: there is no root to look at")
  end
end

-- Whether translate_name hands URIs on as they are; the plugin then cleans paths itself.
function trial:echoes()
  return self.scheme ~= "" and self.raw:translate_name(self.root) == self.root
end

return trial
