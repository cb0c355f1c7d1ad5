-- The tests and actions of find: what each takes from the words behind it, and what it says of an
-- entry. A test is made by make(words): words:take(what) returns the next one, words:refuse ends
-- the command, words.state is that of the whole search. The result is test(entry, run), which
-- returns whether it holds. Tests that only look also return which pattern a name has to match,
-- or true.
local compile_format = require "modfs.cli.find_format"
local execute = require "modfs.cli.execute"
local modes = require "modfs.cli.modes"
local modfs = require "modfs"
local moment = require "modfs.cli.moment"
local owners = require "modfs.cli.owners"
local wildcard = require "modfs.cli.wildcard"

local tests = {}

-- +N is more than N, -N less, N just that. Returns compare(value [, rounded]), in which the rounded
-- value is for the last, and the unit that follows the digits.
local function number(words, units)
  local text = words:take "a number"
  local sign, digits, unit = text:match("^([+-]?)(%d+)(" .. (units or "") .. ")$")
  if not digits then
    words:refuse(("'%s' is not a number like 3, +3 or -3"):format(text))
  end
  local limit = tonumber(digits)
  return function(value, rounded)
    if sign == "+" then
      return value > limit
    end
    return sign == "-" and value < limit or sign == "" and (rounded or value) == limit
  end, unit
end

local function depth(words)
  local text = words:take "a depth"
  return text:find "^%d+$" and tonumber(text)
    or words:refuse(("'%s' is not a depth: expected digits"):format(text))
end

local function always()
  return true
end

tests["-true"] = function() return always end

tests["-false"] = function()
  return function() return false end
end

-- What the whole search is told ----------------------------------------------------------------

tests["-maxdepth"] = function(words)
  words.state.max = depth(words)
  return always
end

tests["-mindepth"] = function(words)
  words.state.min = depth(words)
  return always
end

tests["-depth"] = function(words)
  words.state.bottomup = true
  return always
end

-- Seconds since the entry was changed. The start is known in whole seconds: what was changed in the
-- same one is not in the future.
local function age(run, info)
  local seconds = run.now - info.mtime
  return seconds < 0 and seconds > -1 and 0 or seconds
end

-- Names ----------------------------------------------------------------------------------------

-- Also returns the pattern if option include of walk chooses the same names by it.
local function pattern(field, fold)
  return function(words)
    local text = words:take "a pattern"
    local matches = wildcard.compile(text, fold)
    local plain = field == "name" and not fold and text:find "^[%w._*-]+$" and not text:find "%*%*"
    return function(entry)
      return matches(entry[field])
    end, plain and text or nil
  end
end

tests["-name"], tests["-iname"] = pattern "name", pattern("name", true)
tests["-path"], tests["-ipath"] = pattern "path", pattern("path", true)
tests["-wholename"] = tests["-path"]

-- Attributes -----------------------------------------------------------------------------------

local kinds = { f = "file", d = "directory", l = "link" }

tests["-type"] = function(words)
  local wanted, text = {}, words:take "f, d or l"
  for letter in (text .. ","):gmatch "([^,]*)," do
    if not kinds[letter] then
      words:refuse(("'%s' is not a known type: expected f, d or l"):format(text))
    end
    wanted[kinds[letter]] = true
  end
  return function(entry)
    return wanted[entry:kind()] == true
  end, true
end

local units = { c = 1, w = 2, b = 512, k = 1024, M = 1024 ^ 2, G = 1024 ^ 3 }

tests["-size"] = function(words)
  local compare, unit = number(words, "[cwbkMG]?")
  local bytes = units[unit] or units.b
  return function(entry)
    local info = entry:info()
    return info ~= nil and compare(math.ceil(info.length / bytes))
  end
end

tests["-empty"] = function()
  return function(entry, run)
    if entry:kind() == "directory" then
      return next(run.task:check(modfs.listdir(entry.path)) or { true }) == nil
    end
    return entry:kind() == "file" and entry:info().length == 0
  end
end

tests["-mtime"] = function(words)
  local compare = number(words)
  return function(entry, run)
    local info = entry:info()
    return info ~= nil and compare(math.floor(age(run, info) / 86400))
  end
end

tests["-mmin"] = function(words)
  local compare = number(words)
  return function(entry, run)
    local info = entry:info()
    local minutes = info and age(run, info) / 60
    return info ~= nil and compare(minutes, math.floor(minutes) + 1)
  end
end

local function newer(time)
  return function(entry)
    local info = entry:info()
    return info ~= nil and info.mtime_nsec > time
  end
end

tests["-newer"] = function(words)
  local info, message = modfs.lstat(words:take "a file")
  if not info then
    error({ failure = message }, 0)
  end
  return newer(info.mtime_nsec)
end

tests["-newermt"] = function(words)
  local seconds, why = moment.read(words:take "a time")
  return newer(1000000000 * (seconds or words:refuse(why)))
end

-- Whether the bits of a mode that are wanted are there: none may be missing, or (any) one may do.
local function has_bits(mode, wanted, any)
  for bit = 0, 11 do
    if modes.has(wanted, 2 ^ bit) and modes.has(mode, 2 ^ bit) == any then
      return any
    end
  end
  return not any or wanted == 0
end

tests["-perm"] = function(words)
  local text = words:take "an octal number"
  local how, digits = text:match "^([/-]?)([0-7]+)$"
  local wanted = digits and tonumber(digits, 8)
    or words:refuse(("'%s' is not a mode: expected a number like 644, -644 or /222"):format(text))
  return function(entry)
    local mode = (entry:info() or {}).mode
    return mode ~= nil and (how == "" and mode == wanted
      or how ~= "" and has_bits(mode, wanted, how == "/"))
  end
end

local function owned(field, number_of)
  return function(words)
    local word = words:take "a name or a number"
    local wanted = number_of(word) or words:refuse(("'%s' is not a known name"):format(word))
    return function(entry)
      return (entry:info() or {})[field] == wanted
    end
  end
end

tests["-user"] = owned("owner", owners.user_number)
tests["-group"] = owned("group", owners.group_number)

-- Actions --------------------------------------------------------------------------------------

local function printing(ending)
  return function(words)
    words.state.acts = true
    return function(entry, run)
      run.print(entry.path, ending)
      return true
    end
  end
end

tests["-print"], tests["-print0"] = printing(nil), printing "\0"

tests["-printf"] = function(words)
  local text_of, directive = compile_format(words:take "a format")
  if not text_of then
    words:refuse(("'%s' is not a known directive"):format(directive))
  end
  words.state.acts = true
  return function(entry, run)
    run.task:write(text_of(entry))
    return true
  end
end

tests["-prune"] = function()
  return function(entry)
    entry.pruned = true
    return true
  end
end

tests["-quit"] = function(words)
  words.state.acts = true
  return function(_, run)
    run.done = true
    return true
  end
end

tests["-delete"] = function(words)
  words.state.acts, words.state.bottomup, words.state.deletes = true, true, true
  return function(entry, run)
    local delete = entry:kind() == "directory" and modfs.rmdir or modfs.remove
    return entry.name == "." or run.task:check(delete(entry.path)) ~= nil
  end
end

-- The words up to ; or {} +, and whether it was the latter.
local function command_of(words)
  local list = {}
  while true do
    local word = words:take "a command and ';' or '{} +'"
    if word == ";" and #list > 0 then
      return list, false
    elseif word == "+" and list[#list] == "{}" then
      list[#list] = nil
      return list, true
    end
    list[#list + 1] = word
  end
end

local function fill(words, path)
  local filled = {}
  for i, word in ipairs(words) do
    filled[i] = word:gsub("{}", (path:gsub("%%", "%%%%")))
  end
  return filled
end

-- What the shell takes at once, less what the command itself may need.
local ROOM = 90000

-- Collects paths, and runs the command with as many as there is room for. Returns add(path, run)
-- and flush(run).
local function gather(command)
  local filled, length = fill(command, "{}"), 0
  local function flush(run)
    if length > 0 and execute(filled) ~= 0 then
      run.task.status = 1
    end
    filled, length = fill(command, "{}"), 0
  end
  return function(path, run)
    local quoted = #path + 3 + 3 * select(2, path:gsub("'", ""))
    if length + quoted > ROOM then
      flush(run)
    end
    filled[#filled + 1], length = path, length + quoted
  end, flush
end

tests["-exec"] = function(words)
  local command, together = command_of(words)
  words.state.acts = true
  if not together then
    return function(entry)
      return execute(fill(command, entry.path)) == 0
    end
  end
  local add, flush = gather(command)
  table.insert(words.state.finals, flush)
  return function(entry, run)
    add(entry.path, run)
    return true
  end
end

return tests
