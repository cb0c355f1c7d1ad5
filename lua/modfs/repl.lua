-- require "modfs.repl": a prompt with modfs at hand.
local complete = require "modfs.repl.complete"
local manual = require "modfs.repl.manual"
local modfs = require "modfs"
local open_editor = require "modfs.repl.editor"
local show = require "modfs.repl.show"

local setfenv = rawget(_G, "setfenv")
local load_text = setfenv and loadstring or load -- luacheck: ignore 113

local function compile(text, environment)
  local chunk, why = load_text(text, "=prompt", "t", environment)
  if chunk and setfenv then
    setfenv(chunk, environment)
  end
  return chunk, why
end

-- An expression is one whose value is wanted. Returns the chunk, or nil, why, and whether more
-- lines may make it whole.
local function understand(text, environment)
  text = text:gsub("^%s*=", "return ")
  local chunk = compile("return " .. text, environment)
  if chunk then
    return chunk
  end
  local statement, why = compile(text, environment)
  return statement, why, why and why:find("<eof>", 1, true) ~= nil
end

-- help ------------------------------------------------------------------------------

local function name_of(value)
  for name, candidate in pairs(modfs) do
    if candidate == value then
      return "modfs." .. name
    end
  end
  for name, candidate in pairs(modfs.path) do
    if candidate == value then
      return "modfs.path." .. name
    end
  end
end

local function help_on_text(text)
  local kind, method = text:match "^([%l ]+):([%l_]+)$"
  return kind and manual.method(kind, method) or manual.section(text)
    or manual.section("modfs." .. text)
end

local overview = [[
help(modfs.open), help "open", help "file:read", help(object): print its section of the reference.
A line is Lua; the values of an expression are shown. Ctrl-D or quit() ends.]]

local function help(...)
  local value = ...
  local text
  if select("#", ...) == 0 then
    text = overview
  elseif type(value) == "string" then
    text = help_on_text(value)
  elseif modfs.type(value) then
    text = manual.object(modfs.type(value))
  else
    text = name_of(value) and manual.section(name_of(value))
  end
  print(text or "The reference has no section on that; help() lists the possible arguments.")
end

-- The loop ---------------------------------------------------------------------------

local quitting = {}

local function new_environment()
  return setmetatable({ modfs = modfs, help = help, quit = function() error(quitting, 0) end },
    { __index = _G })
end

-- A failure of modfs is its message; everything else is shown, one value a line.
local function print_results(count, first, message, ...)
  if count >= 3 and first == nil and type(message) == "string" and modfs.codes[(...)] then
    return print(message)
  end
  local values = { first, message, ... }
  for i = 1, count do
    print(show(values[i]))
  end
end

local function conclude(fine, ...)
  if fine then
    print_results(select("#", ...), ...)
  elseif ... == quitting then
    return false
  else
    local message = tostring((...))
    print(message:find "interrupted!$" and "interrupted" or "error: " .. message)
  end
  return true
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

-- Until the end of the input or quit().
local function run()
  local environment = new_environment()
  local editor, missing = open_editor(function(...)
    return complete(environment, ...)
  end)
  local jit = rawget(_G, "jit")
  print(("%s, %s; help() helps%s"):format(modfs._VERSION, jit and jit.version or _VERSION,
    missing and "\n" .. missing or ""))
  local going = true
  while going do
    local chunk = read_statement(editor, environment)
    if not chunk then
      print()
      break
    end
    going = conclude(pcall(chunk))
  end
  editor.close()
end

return { run = run, understand = understand }
