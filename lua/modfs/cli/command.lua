-- What the commands on files have in common: their options, how they fail, and their output.
local argparse = require "argparse"
local json = require "modfs.cli.json"
local modfs = require "modfs"

local task = {}
task.__index = task

-- One line on standard error; the command goes on, and ends with 1.
function task:fail(message)
  io.stderr:write("modfs: ", self.name, ": ", (tostring(message):gsub("%s*\n%s*", " ")), "\n")
  self.status = math.max(self.status, 1)
end

-- Passes results of modfs on, after a failure is reported.
function task:check(result, message, ...)
  if result == nil then
    self:fail(message)
  end
  return result, message, ...
end

-- A mistake in the words of the command: ends it with 2.
function task.refuse(_, message)
  error({ usage = message }, 0)
end

function task.write(_, ...)
  local done, message = io.write(...)
  if not done then
    error({ failure = "standard output: " .. message }, 0)
  end
end

function task:print_json(value)
  self:write(json.encode(value), "\n")
end

local function matches(self, path)
  local found, message = modfs.glob(path)
  if found and #found == 0 then
    message = ("NOT_FOUND: %s %s: nothing matches"):format(self.name, path)
  end
  if not found or #found == 0 then
    self:fail(message)
  end
  return found or {}
end

-- Patterns become what they match, unless something of that very name is there.
function task:expand(paths)
  local all = {}
  for _, path in ipairs(paths) do
    if not path:find "[*?%[]" or modfs.exists(path) then
      all[#all + 1] = path
    else
      for _, match in ipairs(matches(self, path)) do
        all[#all + 1] = match
      end
    end
  end
  return all
end

local function new_parser(name, definition)
  local parser = argparse("modfs " .. name, definition.summary)
  definition.configure(parser)
  parser:epilog "Exit status: 0 success, 1 something failed, 2 usage."
  return parser
end

-- What ended run early: nothing, a mistake in its words, or a failure.
local function conclude(self, fine, why)
  if not fine and type(why) == "table" and why.usage then
    self:fail(why.usage)
    self.status = 2
  elseif not fine then
    self:fail(type(why) == "table" and why.failure or why)
  end
  local done, message = io.output():flush()
  if not done and fine then
    self:fail("standard output: " .. tostring(message))
  end
  return self.status
end

-- definition: summary; configure(parser); run(options, task). Returns the module of a command.
-- context.ends: the process ends with the command, and so does what it holds in memory.
local function define(name, definition)
  local function main(arguments, context)
    local self = setmetatable({ name = name, status = 0, context = context or {} }, task)
    local understood, options = new_parser(name, definition):pparse(arguments)
    if not understood then
      self:fail(options)
      return 2
    end
    return conclude(self, pcall(definition.run, options, self))
  end
  return { main = main, configure = definition.configure, summary = definition.summary }
end

return { define = define }
