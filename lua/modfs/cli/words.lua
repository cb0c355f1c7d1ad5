-- The words of a command by argparse, which also helps, and explains what is wrong with them.
local find_argparse = require("modfs.cli.argparse").find

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
local function new_parser(name, definition, action)
  local parser = find_argparse()("modfs " .. name, definition.description or definition.summary)
  parser:add_help { name = "--help", action = action }
  definition.configure(parser)
  return parser:epilog(("Exit status: %s."):format(definition.statuses or statuses))
end

-- read(name, definition, arguments) -> options; or nil and the help that was asked for; or nil, nil
-- and what is wrong.
local function read(name, definition, arguments)
  local asked = false
  local parser = new_parser(name, definition, function() asked = true end)
  local understood, options = parser:pparse(join_values(parser, arguments))
  if asked then
    return nil, parser:get_help()
  elseif not understood then
    return nil, nil, explain(options)
  end
  return options
end

-- The help of a command that reads its words itself.
local function help(name, definition)
  return new_parser(name, definition, function() end):get_help()
end

return { read = read, help = help }
