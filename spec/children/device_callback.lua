-- What becomes of callbacks that a plugin of devices treats badly: plugin, scene.
local file, scene = ...
local modfs = require "modfs"
assert(modfs.load(file))
local device = modfs.devices("SHIPPED")[1]
local stream, ran = device:stream(), 0

local function count()
  ran = ran + 1
end

local function close()
  stream:close()
  collectgarbage()
  collectgarbage()
  modfs.poll()
end

local scenes = {}

function scenes.once()
  for i = 1, 100 do
    assert(stream:callback(count):copy(device:allocate(4), "four"))
    assert(stream:synchronize())
    assert(ran == i, ran)
    assert(modfs.poll() == 0)
  end
  close()
  assert(device:close())
end

-- It was refused: it fails its stream and runs so often at most.
local function refused(most)
  local _, message, code = stream:callback(count)
  assert(code == "INTERNAL" and message:find "host_callback", message)
  assert(select(3, stream:status()) == "INTERNAL")
  assert(select(3, stream:callback(count)) == "INTERNAL")
  assert(select(3, stream:copy(device:allocate(4), "four")) == "INTERNAL")
  modfs.poll()
  assert(ran <= most, ran)
  close()
  assert(ran <= most, ran)
  stream = device:stream()
  assert(stream:status())
  close()
  assert(device:close())
end

function scenes.refused()
  refused(0)
end

function scenes.refused_but_ran()
  refused(1)
end

function scenes.lost()
  for _ = 1, 10 do
    assert(stream:callback(count))
    assert(stream:copy(device:allocate(4), "four"))
    stream:synchronize()
    stream:close()
    stream = device:stream()
    assert(modfs.poll() == 0 and modfs.poll(0.001) == 0)
  end
  close()
  assert(ran == 0)
  assert(device:close())
end

function scenes.left()
  assert(stream:callback(count):copy(device:allocate(4), "four"))
end

scenes[scene]()
