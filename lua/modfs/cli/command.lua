-- A command from its words: what it takes, what --help says, and what it does.
local argparse = require "argparse"
local task = require "modfs.cli.task"

local statuses = "0 success, 1 something failed, 2 usage"

-- -h is no help: it means human-readable sizes where a command has them, and nothing elsewhere.
local function explain(message)
  return message:find "^unknown option '%-h'" and "unknown option '-h'; help is --help" or message
end

-- The names of the options that take a value; argparse has no other way to ask for them.
local function find_valued(parser)
  local names = {}
  for _, option in ipairs(parser._options) do
    local takes_one = option._minargs == 1 and option._maxargs == 1
    for _, name in ipairs(takes_one and option._aliases or {}) do
      names[name] = true
    end
  end
  return names
end

-- Whether the value of an option in this word is the next word.
local function lacks_value(word, valued)
  if word:find "^%-%-" then
    return valued[word]
  end
  for at = 2, word:find "^%-" and #word or 0 do
    if valued["-" .. word:sub(at, at)] then
      return at == #word
    end
  end
  return false
end

-- A value may begin with a dash, so argparse gets it in the word of its option.
local function join_values(parser, arguments)
  local words, valued, at = {}, find_valued(parser), 1
  while at <= #arguments and arguments[at] ~= "--" do
    local word, following = arguments[at], arguments[at + 1]
    if following and following ~= "" and lacks_value(word, valued) then
      word, at = word .. (word:find "^%-%-" and "=" or "") .. following, at + 1
    end
    words[#words + 1], at = word, at + 1
  end
  for i = at, #arguments do
    words[#words + 1] = arguments[i]
  end
  return words
end

-- argparse prints its help itself, and ends the process, unless it is told otherwise.
local function understand(name, definition, arguments)
  local asked = false
  local parser = argparse("modfs " .. name, definition.description or definition.summary)
  parser:add_help { name = "--help", action = function() asked = true end }
  definition.configure(parser)
  parser:epilog(("Exit status: %s."):format(definition.statuses or statuses))
  if definition.parse then
    local options = definition.parse(arguments)
    return true, options, options.help and parser:get_help()
  end
  local understood, options = parser:pparse(join_values(parser, arguments))
  return understood, options, asked and parser:get_help()
end

-- definition: summary; configure(parser); run(options, task); where they differ, also description
-- and statuses for --help; spell(arguments), which writes what argparse does not take in words that
-- it does; parse(arguments) -> options, in the place of argparse, which then writes --help alone.
-- Returns the module of a command.
-- context.ends: the process ends with the command, and so does what it holds in memory.
local function define(name, definition)
  local function main(arguments, context)
    return task.run(name, context, function(self)
      local words = definition.spell and definition.spell(arguments) or arguments
      local understood, options, help = understand(name, definition, words)
      if help then
        return self:write(help, "\n")
      elseif not understood then
        self:refuse(explain(options))
      end
      definition.run(options, self)
    end)
  end
  return { main = main, configure = definition.configure, summary = definition.summary }
end

return { define = define }
