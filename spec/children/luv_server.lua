-- examples/7_server.lua with a timer of 10 ms in its loop (luv_server_spec.lua). Arguments: URI,
-- file for its port, "plain" to call the functions of modfs without jobs, or "bare" for the timer
-- alone. At SIGTERM it prints how many milliseconds the timer was late at most.
local uri, port_file, how = ...
local modfs = require "modfs"
local async = require "modfs.async"
local uv = require "luv"

local unpack = table.unpack or unpack -- luacheck: ignore 113

local function pack(...)
  return { n = select("#", ...), ... }
end

-- A Job that is done.
local function done(...)
  local results = pack(...)
  return { await = function() return unpack(results, 1, results.n) end }
end

if how == "plain" then
  local plain = { open = function(path, mode) return done(modfs.open(path, mode)) end,
    use = async.use, threads = async.threads, go = async.go }
  package.loaded["modfs.async"] = setmetatable(plain, { __call = function(_, object)
    return setmetatable({}, { __index = function(_, name)
      return function(_, ...) return done(object[name](object, ...)) end
    end })
  end })
end

local late, last = 0, uv.hrtime()
uv.new_timer():start(10, 10, function()
  local now = uv.hrtime()
  late, last = math.max(late, (now - last) / 1e6 - 10), now
end)

local signal = uv.new_signal()
signal:start("sigterm", function()
  print(("%.0f"):format(late))
  io.stdout:flush()
  os.exit(0, false)
end)

local function tell_port(port)
  local file = assert(io.open(port_file .. ".new", "w"))
  file:write(port)
  file:close()
  os.rename(port_file .. ".new", port_file)
end

-- The example prints its URL; the signal's text goes on.
local plain_print = print
function print(text) -- luacheck: ignore 121
  local number = text:match "^http.*:(%d+)/$"
  local tell = number and tell_port or plain_print
  tell(number or text)
end

if how == "bare" then
  tell_port "none"
  uv.run()
else
  arg = { [0] = "examples/7_server.lua", uri, "0" } -- luacheck: ignore 121
  dofile(arg[0])
end
