-- Directories of any width and trees of any depth: memory and descriptors stay small.
-- MODFS_TREE_FILES (as `make trees` sets it) takes the full sizes, a million and 20,000.
local child = require "spec.support.child"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local full = os.getenv "MODFS_TREE_FILES" ~= nil
local root

before_each(function()
  root = tmpdir.large()
end)
after_each(function()
  tmpdir.remove(root)
end)

local function run(code, options)
  local preamble = [[
    local modfs = require "modfs"
    local root, count = %q, %d
    local function resident(what)
      local file = io.open("/proc/self/status")
      local kib = file:read("*a"):match("Vm" .. what .. ":%%s*(%%d+)")
      file:close()
      return tonumber(kib)
    end
  ]]
  local status, out, err = child(preamble:format(root, options.count) .. code, options)
  assert.equal(0, status, out .. err)
  if full then
    io.stderr:write("  ", out)
  end
end

-- Memory that a loop over a directory takes: the peak above what was there before it.
local measure = [[
  for _ in modfs.dir(root) do break end
  collectgarbage() collectgarbage()
  local before, most, seen = resident "RSS", 0, 0
  for name in modfs.dir(root) do
    seen = seen + 1
    if seen % 1000 == 0 then
      most = math.max(most, resident "RSS" - before)
    end
  end
  assert(seen == count, seen)
  print(("dir of %d in %s: %d KiB more"):format(seen, root, most))
  assert(most < 4096, most .. " KiB")
]]

describe("a wide directory", function()
  if sanitized then
    pending "a sanitizer keeps what is freed, and its size is not the program's"
    return
  end

  it("is iterated in less than 4 MB, on disk", function()
    local count = full and 1000000 or 50000
    shell.output(("cd %s && seq 1 %d | xargs touch"):format(shell.quote(root), count))
    run(measure, { count = count, seconds = 300 })
  end)

  it("is iterated in less than 4 MB, in memory", function()
    run([[
      root = "mem://wide"
      assert(modfs.mkdir(root))
      for i = 1, count do assert(modfs.write(root .. "/" .. i, "")) end
    ]] .. measure, { count = full and 1000000 or 100000, seconds = 300 })
  end)

  it("is measured, copied and deleted without a list of it", function()
    local count = full and 200000 or 20000
    shell.output(("mkdir %s/src && cd %s/src && seq 1 %d | xargs touch"):format(root, root, count))
    run([[
      modfs.du(root)
      local before = resident "HWM"
      assert(modfs.du(root .. "/src").files == count)
      assert(modfs.copytree(root .. "/src", root .. "/dst").files == count)
      assert(modfs.sync(root .. "/src", root .. "/dst", { delete = true }).kept == count)
      assert(modfs.rmtree(root .. "/dst", { threads = 2 }))
      print(("du, copytree, sync, rmtree of %d: %d KiB more"):format(count,
        resident "HWM" - before))
      assert(resident "HWM" - before < 4096)
    ]], { count = count, seconds = 300 })
  end)
end)

describe("a deep tree", function()
  for _, scheme in ipairs { "disk", "memory" } do
    it("is worked on with few descriptors, " .. scheme, function()
      run((scheme == "memory" and 'root = "mem://deep" ' or "") .. [[
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
      ]], { count = full and 20000 or 1500, before = "ulimit -n 24", seconds = 1200 })
    end)
  end

  it("costs as much for each level, however deep it is, on disk", function()
    run([[
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
    ]], { count = full and 20000 or 8000, seconds = 300 })
  end)
end)
