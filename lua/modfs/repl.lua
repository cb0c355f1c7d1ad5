-- require "modfs.repl": a prompt with modfs at hand, and the programs that it runs.
--
-- A program and the prompt behind it share an environment: a table of their own before Lua's
-- globals, so that what they set disturbs no module. Whatever runs, runs within interrupt.run,
-- where Ctrl-C ends it; reading a line does not, since there Ctrl-C means something else.
local complete = require "modfs.repl.complete"
local interrupt = require "modfs.interrupt"
local modfs = require "modfs"
local new_help = require "modfs.repl.help"
local open_editor = require "modfs.repl.editor"
local paint = require "modfs.repl.paint"
local show = require "modfs.repl.show"
local terminal = require "modfs.repl.terminal"
local trace = require "modfs.repl.trace"

local setfenv = rawget(_G, "setfenv")
local load_text = setfenv and loadstring or load -- luacheck: ignore 113
local jit = rawget(_G, "jit")

local function compile(text, name, environment)
  local chunk, why = load_text(text, name, "t", environment)
  if chunk and setfenv then
    setfenv(chunk, environment)
  end
  return chunk, why
end

local function same(...)
  return ...
end

-- An expression is one whose values are wanted. They become arguments of a call, as behind a bare
-- `return` the user's line would be a tail call, which no traceback has.
local function expression(text, environment)
  local chunk = compile("return " .. text, "=prompt", environment)
    and compile("return (...)(" .. text .. "\n)", "=prompt", environment)
  return chunk and function()
    return chunk(same)
  end
end

-- Returns the function that does what a text says, or nil, why, and whether more lines may make it
-- whole.
local function understand(text, environment)
  text = text:gsub("^%s*=", "return ")
  local values = expression(text, environment)
  if values then
    return values
  end
  local statement, why = compile(text, "=prompt", environment)
  return statement, why, why and why:find("<eof>", 1, true) ~= nil
end

-- Results and problems -----------------------------------------------------------------------

local session_class = {}
session_class.__index = session_class

-- A failure of modfs is its message; everything else is shown, one value a line, and kept as _.
function session_class:print_results(count, first, message, ...)
  if count >= 3 and first == nil and type(message) == "string" and modfs.codes[(...)] then
    return print(self.paint("problem", message))
  elseif count > 0 then
    rawset(self.environment, "_", first)
  end
  local values = { first, message, ... }
  for i = 1, count do
    print(show(values[i], self.paint))
  end
end

function session_class:evaluate(chunk)
  local function finish(...)
    return self:print_results(select("#", ...), ...)
  end
  return finish(chunk())
end

local function is_interruption(value)
  return type(value) == "string" and value:find "interrupted!$" ~= nil
end

-- The text of an error value: its own, or the value as it is shown.
local function text_of(value)
  local metatable = getmetatable(value)
  local speaks = type(metatable) == "table" and metatable.__tostring
  return (type(value) == "string" or speaks) and tostring(value) or show(value)
end

function session_class:print_problem(problem)
  if is_interruption(problem.value) then
    return print(self.paint("problem", "interrupted"))
  end
  local lines = { "error: " .. text_of(problem.value) }
  if #problem.lines > 1 then
    lines[2] = table.concat(problem.lines, "\n")
  end
  print(self.paint("problem", table.concat(lines, "\n")))
end

-- Runs a function; returns whether all went well, and the problem if not.
local function run_function(fn, ...)
  local unbroken, fine, problem = interrupt.run(trace.call, fn, ...)
  if not unbroken then
    return false, trace.problem(fine)
  end
  return fine, problem
end

local quitting = {}

-- Returns whether the session goes on.
function session_class:run(chunk)
  local fine, problem = run_function(self.evaluate, self, chunk)
  if fine then
    return true
  elseif problem.value == quitting then
    return false
  end
  self:print_problem(problem)
  return true
end

-- The loop -------------------------------------------------------------------------------------

-- A coroutine of its own state is out of a signal's reach, unless it inherits a hook.
local function make_coroutines_end()
  for _, name in ipairs { "create", "wrap" } do
    local make = coroutine[name]
    coroutine[name] = function(...) -- luacheck: ignore 122
      return interrupt.inherit(make, ...)
    end
  end
end

local function nothing() end

-- A chunk, or nil at the end of the input; a line that was dropped takes those before it along.
local function read_statement(editor, environment)
  local text = editor.read "> "
  while text do
    local chunk, why, incomplete = understand(text, environment)
    if not incomplete then
      return chunk or function() error(why, 0) end
    end
    local more = editor.read ">> "
    text = more and text .. "\n" .. more
  end
  return text == false and nothing or nil
end

-- The environment of a session.
local function new_environment()
  return setmetatable({ modfs = modfs, quit = function() error(quitting, 0) end },
    { __index = _G })
end

-- Until the end of the input or quit(). A hook is asked by no compiled code, so LuaJIT's compiler
-- rests; jit.on() wakes it.
local function prompt(environment)
  local on_terminal = terminal.is_there()
  local session = setmetatable({ environment = environment, paint = paint.choose(on_terminal) },
    session_class)
  local editor, missing = open_editor(function(...)
    return complete(environment, ...)
  end, on_terminal)
  environment.help = new_help(session.paint, on_terminal)
  local warn = rawget(_G, "warn")
  if warn then
    warn "@on" -- of errors in functions of on_done, and in finalizers
  end
  if jit then
    jit.off()
  else
    make_coroutines_end()
  end
  print(("%s, %s; help() helps%s"):format(modfs._VERSION, jit and jit.version or _VERSION,
    missing and "\n" .. missing or ""))
  local going = true
  while going do
    local chunk = read_statement(editor, environment)
    if not chunk then
      print()
      break
    end
    going = session:run(chunk)
  end
end

-- Programs --------------------------------------------------------------------------------------

-- A problem of a program as a failure: one line, and the traceback.
local function failure_of(problem)
  if is_interruption(problem.value) then
    error("interrupted!", 0)
  end
  return { failure = text_of(problem.value), lines = problem.lines }
end

-- Runs a function as a program; raises its failure. quit() ends it.
local function run_program(fn, ...)
  local fine, problem = run_function(fn, ...)
  if not fine and problem.value ~= quitting then
    error(failure_of(problem), 0)
  end
end

local runs = {}

-- -e CHUNK
function runs.chunk(environment, text)
  local chunk, why = compile(text, "=(command line)", environment)
  if not chunk then
    error({ failure = why }, 0)
  end
  run_program(chunk)
end

-- -l MODULE or -l NAME=MODULE
function runs.module(environment, text)
  local name, module = text:match "^([%a_][%w_]*)=(.*)$"
  run_program(function()
    environment[name or text] = require(module or text)
  end)
end

-- A script on any filesystem, or standard input for nil, with its arguments.
function runs.script(environment, path, arguments)
  local chunk, why = modfs.loadfile(path, "bt", environment)
  if not chunk then
    error({ failure = why }, 0)
  end
  run_program(chunk, (table.unpack or unpack)(arguments)) -- luacheck: ignore 113
end

-- steps: what runs before the prompt, an array of { run = "chunk", "module" or "script", text =,
-- arguments = of a script }. Then comes the prompt, unless asks is false. arg: the variable of that
-- name.
local function run(steps, asks, arg)
  local environment = new_environment()
  environment.help = new_help(paint.plain, false)
  environment.arg = arg
  for _, step in ipairs(steps or {}) do
    runs[step.run](environment, step.text, step.arguments)
  end
  if asks ~= false then
    prompt(environment)
  end
end

return { run = run, understand = understand }
