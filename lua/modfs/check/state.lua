-- The state of the process that a plugin must leave unchanged.
local state = {}

local marks = { Umask = "umask", SigCgt = "signal handlers", SigIgn = "ignored signals",
  SigBlk = "blocked signals" }

-- Without signals 32 and 33, which the C library uses itself from the first thread on.
local function masked(value)
  local high, ninth, eighth, low = value:match("^(%x+)(%x)(%x)(%x%x%x%x%x%x%x)$")
  if not high then
    return value
  end
  ninth, eighth = tonumber(ninth, 16), tonumber(eighth, 16)
  return ("%s%x%x%s"):format(high, ninth - ninth % 2, eighth % 8, low)
end

local function read_status(found)
  local file = io.open("/proc/self/status")
  if not file then
    return
  end
  for line in file:lines() do
    local key, value = line:match("^(%w+):%s*(.-)%s*$")
    if marks[key] then
      found[marks[key]] = key:find "^Sig" and masked(value) or value
    elseif key == "Threads" then
      found.threads = tonumber(value)
    end
  end
  file:close()
end

-- A value that is different in each of the four rounding modes.
local function rounding()
  local tiny = tonumber("1e-30")
  return ("%s %s"):format(tostring(1 + tiny == 1), tostring(-1 - tiny == -1))
    .. tostring(1 - tiny == 1)
end

-- modfs.runner where it was built: it calls no plugin.
local known, runner = pcall(require, "modfs.runner")

-- A plugin may keep connections, and what it waits with for them, so sockets and pipes do not
-- count; the cases named leave_no_descriptor find those that each call leaves.
local function open_files(modfs)
  local names = not known and modfs and modfs.listdir("/proc/self/fd")
  return known and runner.open_files() or names and #names or 0
end

local function read_environment(found)
  for _, line in ipairs(known and runner.environment() or {}) do
    local name, value = line:match("^([^=]*)=(.*)$")
    found["environment variable " .. (name or line)] = value
  end
end

-- state.take(modfs, marker): marker is a file that only the first working directory has.
function state.take(modfs, marker)
  local found = { locale = os.setlocale(nil), rounding = rounding() }
  read_status(found)
  local here = io.open(marker)
  if here then
    here:close()
  end
  found["working directory"] = here and "kept" or "changed"
  read_environment(found)
  found.descriptors = open_files(modfs)
  for number = 0, 2 do
    local info = io.open("/proc/self/fdinfo/" .. number)
    found["descriptor " .. number] = info and "open" or "closed"
    if info then
      info:close()
    end
  end
  return found
end

-- The differences as text; descriptors and threads may grow by `allowed`.
function state.difference(before, after, allowed)
  local list = {}
  for key, value in pairs(before) do
    local grows = key == "threads" or key == "descriptors"
    if grows and after[key] > value + (allowed or 0) then
      list[#list + 1] = ("%s: %d, then %d"):format(key, value, after[key])
    elseif not grows and after[key] ~= value then
      list[#list + 1] = ("%s: %s, then %s"):format(key, tostring(value), tostring(after[key]))
    end
  end
  for key in pairs(after) do
    if before[key] == nil then
      list[#list + 1] = key .. " is new"
    end
  end
  table.sort(list)
  return #list > 0 and table.concat(list, "; ") or nil
end

-- For many cases in one process: a function that tells how the number of descriptors has grown
-- since it was last called, or made. To take all of the state costs more than most cases.
function state.watch_descriptors()
  local now = runner.descriptors()
  return function()
    local before = now
    now = runner.descriptors()
    if now > before + 4 then
      collectgarbage()
      collectgarbage()
      now = runner.descriptors()
    end
    return state.difference({ descriptors = before }, { descriptors = now }, 4)
  end
end

return state
