-- modfs repl
local command = require "modfs.cli.command"

local function refuse(message)
  error({ usage = message }, 0)
end

-- The text of -e or -l: the rest of the word, or the next one.
local function text_of(arguments, at)
  local word = arguments[at]
  if #word > 2 then
    return word:sub(3), at
  elseif not arguments[at + 1] then
    refuse(("option '%s' needs an argument"):format(word))
  end
  return arguments[at + 1], at + 1
end

local steps = { ["-e"] = "chunk", ["-l"] = "module" }

-- Reads the options, which come before the script, as lua does. Returns where it is.
local function read_options(options, arguments)
  local at = 1
  while (arguments[at] or ""):find "^%-." do
    local word = arguments[at]
    local step = steps[word:sub(1, 2)]
    if step then
      local text
      text, at = text_of(arguments, at)
      options.steps[#options.steps + 1] = { run = step, text = text }
    elseif word == "--help" then
      options.help = true
    elseif word == "-i" then
      options.asks = true
    elseif word == "--" then
      return at + 1
    else
      refuse(("unknown option '%s'%s"):format(word, word == "-h" and "; help is --help" or ""))
    end
    at = at + 1
  end
  return at
end

-- The variable arg: the script is 0, what follows it 1 and so on, what is before it negative.
local function new_arg(arguments, at)
  local arg = {}
  for i = 1, #arguments do
    arg[i - at] = arguments[i]
  end
  arg[-at], arg[-at - 1] = "repl", "modfs"
  return arg
end

local function parse(arguments)
  local options = { steps = {} }
  local at = read_options(options, arguments)
  local script = arguments[at]
  options.arg = new_arg(arguments, script and at or 0)
  if script then
    options.steps[#options.steps + 1] = { run = "script", text = script ~= "-" and script or nil,
      arguments = options.arg }
  end
  local runs_text = script ~= nil
  for _, step in ipairs(options.steps) do
    runs_text = runs_text or step.run == "chunk"
  end
  options.asks = options.asks or not runs_text
  return options
end

return command.define("repl", {
  summary = "Starts an interactive Lua prompt with modfs loaded, or runs a script.",
  description = [[
Starts an interactive Lua prompt with modfs loaded; with -e or a script, runs these instead. They
find modfs without require. The script may lie on any filesystem.]],
  configure = function(parser)
    parser:option("-e", "Runs a chunk of Lua."):argname "CHUNK":count "*"
    parser:option("-l", "Requires a module into the variable of its name, or of NAME=MODULE.")
      :argname "MODULE":count "*"
    parser:flag("-i", "Starts the prompt after what was run.")
    parser:argument("script", "The script, or - for standard input."):args "?"
    parser:argument("args", "Its arguments, in the variable arg and as '...'."):args "*"
  end,
  parse = parse,
  run = function(options, task)
    local fine, why = pcall(require("modfs.repl").run, options.steps, options.asks, options.arg)
    if fine then
      return
    elseif type(why) ~= "table" or not why.lines then
      error(why, 0)
    end
    task:fail(why.failure)
    if #why.lines > 1 then
      io.stderr:write(table.concat(why.lines, "\n"), "\n")
    end
  end,
})
