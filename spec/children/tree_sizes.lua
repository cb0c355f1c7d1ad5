-- Wide and deep trees, with little memory and few descriptors (tree_size_spec.lua): where, how many
-- entries or levels, the scene.
local root, count, scene = ...
local modfs = require "modfs"
count = tonumber(count)

local function resident(what)
  local file = io.open("/proc/self/status")
  local kib = file:read("*a"):match("Vm" .. what .. ":%s*(%d+)")
  file:close()
  return tonumber(kib)
end

-- Memory that a loop over a directory takes: the peak above what was there before it.
local function measure()
  modfs.dir(root)()
  collectgarbage() collectgarbage()
  local before, most, seen = resident "RSS", 0, 0
  for _ in modfs.dir(root) do
    seen = seen + 1
    if seen % 1000 == 0 then
      most = math.max(most, resident "RSS" - before)
    end
  end
  assert(seen == count, seen)
  print(("dir of %d in %s: %d KiB more"):format(seen, root, most))
  assert(most < 4096, most .. " KiB")
end

local scenes = { wide_on_disk = measure }

function scenes.wide_in_memory()
  root = "mem://wide"
  assert(modfs.mkdir(root))
  for i = 1, count do
    assert(modfs.write(root .. "/" .. i, ""))
  end
  measure()
end

function scenes.operations()
  modfs.du(root)
  local before = resident "HWM"
  assert(modfs.du(root .. "/src").files == count)
  assert(modfs.copytree(root .. "/src", root .. "/dst").files == count)
  assert(modfs.sync(root .. "/src", root .. "/dst", { delete = true }).kept == count)
  assert(modfs.rmtree(root .. "/dst", { threads = 2 }))
  print(("du, copytree, sync, rmtree of %d: %d KiB more"):format(count,
    resident "HWM" - before))
  assert(resident "HWM" - before < 4096)
end

function scenes.deep_on_disk()
  local src, dst = root .. "/src", root .. "/dst"
  local function make(depth)
    count = depth
    local bottom = src .. ("/d"):rep(depth)
    assert(modfs.makedirs(bottom) and modfs.write(bottom .. "/leaf", "leaf"))
    return bottom
  end
  make(count)
  assert(modfs.rmtree(src) and not modfs.exists(src))
  print(("depth %d in %s: made and deleted"):format(count, root))
  -- What goes by paths has a price that grows with the square of the depth.
  make(math.min(count, 5000))
  local seen = 0
  for _ in modfs.walk(src, { bottomup = true }) do seen = seen + 1 end
  assert(seen == count + 1)
  local counts = assert(modfs.du(src))
  assert(counts.files == 1 and counts.dirs == count + 1 and counts.bytes == 4)
  assert(modfs.rmtree(src))
  local bottom = make(math.min(count, 1500))
  local found = assert(modfs.glob(src .. "/**/leaf"))
  assert(#found == 1 and found[1] == bottom .. "/leaf")
  local report = assert(modfs.copytree(src, dst))
  assert(report.files == 1 and report.dirs == count + 1 and #report.errors == 0)
  assert(modfs.read(dst .. ("/d"):rep(count) .. "/leaf") == "leaf")
  assert(modfs.sync(src, dst, { delete = true }).kept == 1)
  assert(modfs.rmtree(dst, { threads = 2 }))
end

function scenes.deep_in_memory()
  root = "mem://deep"
  scenes.deep_on_disk()
end

function scenes.levels()
  local function cost(depth)
    local src, dst = ("%s/src%d"):format(root, depth), ("%s/dst%d"):format(root, depth)
    local bottom = src .. ("/d"):rep(depth)
    assert(modfs.makedirs(bottom) and modfs.write(bottom .. "/leaf", "leaf"))
    local before = os.clock()
    assert(modfs.du(src, { threads = 1 }).dirs == depth + 1)
    assert(#assert(modfs.copytree(src, dst, { threads = 1 })).errors == 0)
    assert(modfs.sync(src, dst, { threads = 1 }).kept == 1)
    assert(modfs.rmtree(dst, { threads = 1 }))
    return (os.clock() - before) / depth
  end
  local shallow = math.min(cost(1000), cost(1001), cost(1002))
  local deep = math.min(cost(count), cost(count + 1))
  print(("%.1f us for each of 1,000 levels, %.1f for each of %d"):format(shallow * 1e6,
    deep * 1e6, count))
  assert(deep < 3 * shallow)
end

scenes[scene]()
