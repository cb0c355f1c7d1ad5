-- How late a timer of 10 ms is in a loop while a server, or a filter, takes its time
-- (loops_spec.lua): prints milliseconds, and what was returned. Arguments: loop; URI to read, or
-- "filter"; "blocks" for the plain calls.
local modfs = require "modfs"
local async = require "modfs.async"
local clock = require("modfs.jobs").clock

local name, uri, blocks = ...
local done = false
local result, told

local function read()
  async.read(uri):on_done(function() told = true end) -- which nobody awaits
  return blocks and modfs.read(uri) or not blocks and async.read(uri):await()
end

-- 5 ms for each of 100 entries.
local function slow()
  local over = clock() + 0.005
  repeat until clock() >= over
  return true
end

local function measure()
  for i = 1, 100 do
    assert(modfs.makedirs("mem://slow/" .. i))
  end
  async.du("mem://slow", { filter = slow }):on_done(function() told = true end)
  local options = { filter = slow }
  local counts = blocks and modfs.du("mem://slow", options)
    or not blocks and async.du("mem://slow", options):await()
  return counts.dirs
end

-- In a coroutine of the loop.
local function fetch()
  result = uri == "filter" and measure() or uri ~= "filter" and read()
  done = true
end

local loops = {}
local most, last = 0, clock()

-- Called each 10 ms.
local function tick()
  local now = clock()
  most = math.max(most, now - last - 0.01)
  last = now
  return done
end

function loops.luv()
  local uv = require "luv"
  local timer = uv.new_timer()
  timer:start(10, 10, function()
    if tick() then timer:close() end
  end)
  coroutine.wrap(fetch)()
  uv.run()
end

function loops.cqueues()
  local cqueues = require "cqueues"
  local controller = cqueues.new()
  controller:wrap(fetch)
  controller:wrap(function()
    while not tick() do
      cqueues.sleep(0.01)
    end
  end)
  assert(controller:loop())
end

function loops.copas()
  local copas = require "copas"
  local socket = require "socket"
  local unused = assert(socket.bind("127.0.0.1", 0)) -- copas waits for sockets only
  copas.addserver(unused, function() end, 0)
  copas.addthread(fetch)
  while not tick() do
    copas.step(0.01)
  end
end

assert(async.use(name))
loops[name]()
print(("%.0f %s %s"):format(most * 1000, tostring(result), tostring(told)))
