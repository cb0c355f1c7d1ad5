-- Extends a trial for the cases about existing files: the survey's files and directories, and
-- assertions that compare with them. Nothing is created or deleted; t.root does not exist.
local survey = require "modfs.check.survey"

local existing = {}

local function nothing() end

-- Files ------------------------------------------------------------------------------------------

-- Calls visit(file, content) for each file that passes filter; refuses the case if there is none.
function existing:each_file(visit, filter, what)
  local count = 0
  for i, file in ipairs(self.found.files) do
    file.text = file.text or survey.content(self.tree, i)
    if not filter or filter(file) then
      count = count + 1
      visit(file, file.text)
    end
  end
  if count == 0 then
    self:refuse("no file is there" .. (what and " " .. what or ""))
  end
end

-- The same for files that were read to their end.
function existing:each_whole_file(visit)
  self:each_file(visit, function(file) return file.whole end,
    "that ends within the first MiB")
end

-- The same for files that are not empty.
function existing:each_full_file(visit)
  self:each_file(visit, function(file) return #file.text > 0 end, "with a byte in it")
end

-- The first file that is not empty.
function existing:any_file()
  local found
  self:each_full_file(function(file) found = found or file end)
  return found, found.text
end

-- The expected bytes at an offset; nil beyond what was read.
function existing:expected(file, offset, n) -- luacheck: ignore 212/self
  if not file.whole and offset + n > #file.text then
    return nil
  end
  local last = math.min(offset + n, #file.text) -- LuaJIT's sub counts to 2^31
  return offset < last and file.text:sub(offset + 1, last) or ""
end

-- Directories -------------------------------------------------------------------------------------

function existing:each_directory(visit)
  if #self.found.directories == 0 then
    self:refuse "no directory is known: get_children lists none"
  end
  for _, directory in ipairs(self.found.directories) do
    visit(directory, directory.names)
  end
end

-- The first names of a directory, with their URIs.
function existing:each_name(visit, most)
  self:each_directory(function(directory, names)
    for i = 1, math.min(#names, most or 16) do
      visit(survey.below(directory.uri, names[i]), names[i], directory)
    end
  end)
end

-- Missing names ------------------------------------------------------------------------

local function folder_of(uri)
  return uri:match "^(.*/)[^/]*$" or "."
end

-- Directories for missing names: those of the first files, and the first ones listed.
local function places(self)
  local list = {}
  for i = 1, math.min(2, #self.found.files) do
    list[#list + 1] = folder_of(self.found.files[i].uri)
  end
  for i = 1, math.min(2, #self.found.directories) do
    list[#list + 1] = self.found.directories[i].uri
  end
  return list
end

-- A name that does not exist in a directory that does.
function existing:fresh()
  return survey.below(places(self)[1], "modfs.check.made")
end

local situations = {}
existing.situations = situations

function situations.missing(self, visit)
  for _, place in ipairs(places(self)) do
    visit(survey.below(place, "modfs.check.none"))
  end
end

local function contains(list, name)
  for _, each in ipairs(list) do
    if each == name then
      return true
    end
  end
  return false
end

-- Also parents whose names are as long as those that are there.
function situations.missing_parent(self, visit)
  for _, place in ipairs(places(self)) do
    visit(survey.below(place, "modfs.check.none/below"))
  end
  self:each_name(function(_, name, directory)
    for _, byte in ipairs { "0", "x" } do
      if not contains(directory.names, byte:rep(#name)) then
        visit(survey.below(directory.uri, byte:rep(#name) .. "/below"))
      end
    end
  end, 2)
end

function situations.below_a_file(self, visit)
  self:each_file(function(file)
    visit(file.uri .. "/modfs.check.none")
  end)
end

-- Names that are almost one that is there: one byte more, one less, its first half. Of the bytes
-- more two stand beside the slash.
function situations.almost(self, visit)
  local function is_free(directory, name)
    return not contains(directory.names, name) and name:find "[^.]" ~= nil
  end
  self:each_name(function(_, name, directory)
    local half = name:sub(1, math.floor(#name / 2))
    for _, other in ipairs { name .. "x", name .. ".", name .. "0", name:sub(1, -2), half,
      "x" .. name } do
      if is_free(directory, other) and not other:find "[\128-\255]$" then
        visit(survey.below(directory.uri, other))
      end
    end
  end, 4)
end

-- A path below a file is invalid; to a plugin without directories it is merely missing.
function existing:codes_of(situation)
  if situation ~= "below_a_file" then
    return { "NOT_FOUND" }
  elseif #self.found.directories == 0 or self:departs "parents_implied" then
    return { "FAILED_PRECONDITION", "NOT_FOUND" }
  end
  return { "FAILED_PRECONDITION" }
end

-- Answers -----------------------------------------------------------------------------------------

-- The answer of an operation for a URI; UNIMPLEMENTED refuses the case.
function existing:answer(operation, uri)
  local answer = self:ask(operation, uri)
  if answer.code == "UNIMPLEMENTED" then
    self.journal.tell("unimplemented", operation)
    self:refuse(operation .. " is UNIMPLEMENTED")
  end
  self.journal:serve(operation)
  return answer
end

-- The answer has one of these codes.
function existing:answers(codes, operation, uri)
  local answer = self:answer(operation, uri)
  for _, code in ipairs(codes) do
    if answer.code == code then
      self.assertions = self.assertions + 1
      return answer
    end
  end
  error({ failed = ("expected %s for %s, got %s %s"):format(table.concat(codes, " or "), uri,
    answer.code, tostring(answer.message or "")) }, 0)
end

-- The length that stat or get_file_size tells; nil where the plugin says that it is not known.
function existing:length(operation, uri)
  local answer = self:ask(operation, uri)
  if answer.code == "UNIMPLEMENTED" then
    return nil
  elseif answer.code ~= "OK" then
    error({ failed = ("expected the length of %s, got %s"):format(uri, answer.message) }, 0)
  end
  self.journal:serve(operation)
  return answer.length or answer.value
end

-- Every file that is known whole has the length that was read, by that operation.
function existing:tells_lengths(operation)
  local told = false
  self:each_file(function(file, content)
    local length = self:length(operation, file.uri)
    told = told or length ~= nil
    if length and file.whole then
      self:equal(#content, length, "the length of " .. file.uri)
    elseif length then
      self:yes(length >= #content, "the length of " .. file.uri .. " is less than what was read")
    end
  end)
  if not told then
    self:refuse(operation .. " is UNIMPLEMENTED for every file")
  end
end

-- Kinds of trials ---------------------------------------------------------------------------------

-- Through the host.
local function ask_host(self, operation, uri)
  self.journal:note("fs", operation, uri)
  local value, message, code = self.raw[operation](self.raw, uri)
  self.journal:answered(value, message, code)
  if value == nil then
    return { code = code, message = message }
  end
  local fields = type(value) == "table" and value or {}
  if type(value) == "userdata" then
    value:close()
  end
  return { code = "OK", value = value, length = fields.length, is_directory = fields.is_directory,
    mtime_nsec = fields.mtime_nsec }
end

-- Without a host: the slot as it is. An empty one refuses the case.
local function ask_plugin(self, operation, uri)
  self.journal:note("plugin", operation, uri)
  local answer = self.plugin[operation](self.plugin, self:path(uri))
  if not answer then
    self:refuse(operation .. " is an empty slot")
  elseif answer.fault then
    error({ failed = answer.fault }, 0)
  end
  local handle = answer.handle
  answer.handle = nil
  self.journal:answered(answer)
  if handle and operation:find "region" then
    handle:cleanup_region()
  elseif handle then
    handle[operation:find "random" and "cleanup_file" or "cleanup_writable"](handle)
  end
  return answer
end

-- Adds the results of a survey to a trial; prefix is where they were saved.
function existing.equip(trial, prefix)
  trial.tree, trial.found = prefix, survey.read(prefix)
  for name, method in pairs(existing) do
    trial[name] = method
  end
  trial.ask = trial.plugin and ask_plugin or ask_host
  trial.root = survey.below(places(trial)[1] or trial.root, "modfs.check.none")
  trial.open, trial.made = nothing, false
  trial.close = trial.plugin and trial.close or nothing
  return trial
end

return existing
