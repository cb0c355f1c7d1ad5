-- What went wrong in a user's code, and where: tracebacks without the frames of modfs itself.
local folder = debug.getinfo(1, "S").source:match "^(.*/)modfs/repl/[^/]*$" or "@"
local protect = xpcall

local DEEPEST, MOST = 200, 20 -- frames that are looked at, and lines that are kept

-- Errors as they leave `call`: the value, and the lines that led to it.
local problem_class = {}

local function is_own(info)
  local own = folder .. "modfs/"
  return info.what == "C" or info.what == "tail" or info.source:sub(1, #own) == own
end

local function place(info)
  if info.what == "C" or info.what == "tail" then
    return info.what == "C" and "[C]" or "(tail calls)"
  end
  return ("%s:%d"):format(info.short_src, info.currentline)
end

local function role(info)
  if info.what == "main" then
    return ": in main chunk"
  elseif info.name then
    return (": in function '%s'"):format(info.name)
  end
  return info.what == "Lua" and (": in function <%s:%d>"):format(info.short_src, info.linedefined)
    or ""
end

-- The frames of what runs within `call`, the innermost first, and whether that is all of them.
local function frames_here()
  local frames, level = {}, 2
  local info = debug.getinfo(level, "nSlf")
  while info and info.func ~= protect and #frames < DEEPEST do
    frames[#frames + 1] = info
    level = level + 1
    info = debug.getinfo(level, "nSlf")
  end
  return frames, not info or info.func == protect
end

-- Both ends of them are modfs's: what the user called, and what called the user's code.
local function users_own(frames)
  local first, last = 1, #frames
  while first <= last and is_own(frames[first]) do
    first = first + 1
  end
  while first <= last and is_own(frames[last]) do
    last = last - 1
  end
  return first, last
end

local function describe(value)
  local frames, all = frames_here()
  local first, last = users_own(frames)
  local lines = {}
  for i = first, math.min(last, first + MOST - 1) do
    lines[#lines + 1] = "  " .. place(frames[i]) .. role(frames[i])
  end
  if not all or last - first >= MOST then
    lines[#lines + 1] = "  …"
  end
  return setmetatable({ value = value, lines = lines }, problem_class)
end

local trace = {}

-- Calls a function with arguments, as pcall does; the second result after an error is a problem:
-- value, and lines, those of the traceback.
function trace.call(fn, ...)
  local count, given = select("#", ...), { ... }
  return protect(function()
    return fn((table.unpack or unpack)(given, 1, count)) -- luacheck: ignore 113
  end, describe)
end

-- The problem that an error value is, whether it came through `call` or not.
function trace.problem(value)
  return getmetatable(value) == problem_class and value or { value = value, lines = {} }
end

return trace
