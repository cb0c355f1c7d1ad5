local child = require "spec.support.child"
local modfs = require "modfs"
local fails = require "spec.support.fails"
local tmpdir = require "spec.support.tmpdir"

-- A small tree: two files at the top, one deep, an empty directory.
local function plant(top)
  assert.is_true(modfs.makedirs(top .. "/a/deep"))
  assert.is_true(modfs.makedirs(top .. "/empty"))
  for name, content in pairs { one = "1", two = "22", ["a/deep/three"] = "333" } do
    assert.is_true(modfs.write(top .. "/" .. name, content))
  end
end

local function walked(top, options)
  local seen = {}
  for directory, directories, files in modfs.walk(top, options) do
    seen[#seen + 1] = ("%s [%s] [%s]"):format(directory:sub(#top + 1),
      table.concat(directories, " "), table.concat(files, " "))
  end
  return seen
end

for _, scheme in ipairs { "", "mem://" } do
  describe(("on %q, modfs."):format(scheme), function()
    local base, top

    before_each(function()
      base = scheme == "" and tmpdir.new() or "mem://walk"
      top = base .. "/top"
      plant(top)
    end)
    after_each(function()
      modfs.rmtree(base)
    end)

    it("walk goes from the top down", function()
      assert.same({ " [a empty] [one two]", "/a [deep] []", "/a/deep [] [three]",
        "/empty [] []" }, walked(top))
    end)

    it("walk goes from the bottom up with bottomup = true", function()
      assert.same({ "/a/deep [] [three]", "/a [deep] []", "/empty [] []",
        " [a empty] [one two]" }, walked(top, { bottomup = true }))
    end)

    it("walk stays out of directories that are taken from its list", function()
      local seen = {}
      for directory, directories in modfs.walk(top) do
        seen[#seen + 1] = directory:sub(#top + 1)
        for i = #directories, 1, -1 do
          if directories[i] == "a" then
            table.remove(directories, i)
          end
        end
      end
      assert.same({ "", "/empty" }, seen)
    end)

    it("walk lets its loop yield, and nest", function()
      local count = 0
      local next_one = coroutine.wrap(function()
        for directory in modfs.walk(top) do
          for _ in modfs.walk(directory) do
            coroutine.yield(true)
          end
        end
      end)
      while next_one() do
        count = count + 1
      end
      assert.equal(8, count)
    end)

    it("walk fails for a path that is not a directory", function()
      fails("NOT_FOUND", modfs.walk(top .. "/none"))
      fails("FAILED_PRECONDITION", modfs.walk(top .. "/one"))
      fails("FAILED_PRECONDITION", modfs.walk(top .. "/one/x"))
      fails("INVALID_ARGUMENT", modfs.walk(top .. "\0"))
    end)

    it("walk reports a failure to onerror instead, and ends", function()
      for name, expected in pairs { ["/none"] = "NOT_FOUND", ["/one"] = "FAILED_PRECONDITION" } do
        local seen = {}
        assert.same({}, walked(top .. name, { onerror = function(message, code, path)
          seen[#seen + 1] = { message:match "^(%u[%u_]+): walk " == code and code, path }
        end }))
        assert.same({ { expected, top .. name } }, seen)
      end
    end)

    it("dir gives each name once, with its kind", function()
      local kinds = {}
      for name, entry in modfs.dir(top) do
        assert.is_nil(kinds[name])
        kinds[name] = entry and entry.is_directory
      end
      assert.same({ a = true, empty = true, one = false, two = false }, kinds)
    end)

    it("dir fails for a path that is not a directory", function()
      fails("NOT_FOUND", modfs.dir(top .. "/none"))
      fails("FAILED_PRECONDITION", modfs.dir(top .. "/one"))
      fails("FAILED_PRECONDITION", modfs.dir(top .. "/one/x"))
    end)

    it("copytree reports its progress", function()
      local last, total
      assert(modfs.copytree(top, base .. "/copy", { progress = function(done, all, path)
        assert.is_true(done >= (last or 0) and done <= all)
        assert.is_string(path)
        last, total = done, all
      end }))
      assert.same({ 6, 6 }, { last, total })
    end)
  end)
end

local function nothing() end

describe("modfs.walk by open directories", function()
  local base

  before_each(function()
    base = tmpdir.new()
  end)
  after_each(function()
    modfs.rmtree(base)
  end)

  -- A chain of directories, each with an empty one beside the next.
  local function plant_chain(depth)
    local path = base .. "/top"
    for _ = 1, depth do
      assert(modfs.makedirs(path .. "/z"))
      path = path .. "/a"
    end
    assert(modfs.makedirs(path))
    return 2 * depth + 1
  end

  it("follows no link that has taken a directory's place", function()
    plant(base .. "/top")
    plant(base .. "/outside")
    local seen, codes = {}, {}
    for directory in modfs.walk(base .. "/top", { onerror = function(_, code, path)
      codes[#codes + 1] = code .. " " .. path:sub(#base + 1)
    end }) do
      seen[#seen + 1] = directory:sub(#base + 1)
      if #seen == 1 then
        assert(os.rename(base .. "/top/a", base .. "/gone"))
        assert(modfs.symlink(base .. "/outside", base .. "/top/a"))
      end
    end
    assert.same({ "/top", "/top/empty" }, seen)
    assert.same({ "FAILED_PRECONDITION /top/a" }, codes)
  end)

  it("follows a link that the loop has put into its list", function()
    plant(base .. "/top")
    assert(modfs.symlink("a/deep", base .. "/top/link"))
    local seen = {}
    for directory, directories in modfs.walk(base .. "/top") do
      seen[#seen + 1] = directory:sub(#base + 1)
      if #seen == 1 then
        directories[1], directories[2] = "link", nil
      end
    end
    assert.same({ "/top", "/top/link" }, seen)
  end)

  it("keeps few directories open, and none when it is left", function()
    local all = plant_chain(60)
    for _, options in ipairs { {}, { bottomup = true } } do
      local before, most, count = #modfs.listdir "/proc/self/fd", 0, 0
      for _ in modfs.walk(base .. "/top", options) do
        most = math.max(most, #modfs.listdir "/proc/self/fd" - before)
        count = count + 1
      end
      assert.equal(all, count)
      assert.is_true(most >= 1 and most <= 16, most)
      assert(modfs.walk(base .. "/top", options))()
      collectgarbage()
      collectgarbage()
      assert.equal(before, #modfs.listdir "/proc/self/fd")
    end
  end)

  it("goes by paths where descriptors run out", function()
    local all = plant_chain(30)
    local status, out, err = child([[
      local modfs, count = require "modfs", 0
      assert(modfs.exists(arg[1]))
      for _ in modfs.walk(arg[1]) do
        count = count + 1
      end
      print(count)
    ]], { arguments = { base .. "/top" }, descriptors = 12 })
    assert.same({ 0, all .. "\n", "" }, { status, out, err })
  end)

  it("costs the same at any depth", function()
    local function cost(depth)
      local path, least = base .. "/" .. depth, math.huge
      assert(modfs.makedirs(path .. ("/d"):rep(depth)))
      for _ = 1, 5 do
        local start = os.clock()
        for _ = 1, 1000 / depth do
          for _ in modfs.walk(path) do nothing() end
        end
        least = math.min(least, os.clock() - start)
      end
      return least
    end
    local shallow, deep = cost(50), cost(1000)
    assert.is_true(deep < 3 * shallow, ("%g s, %g s"):format(shallow, deep))
  end)
end)

it("modfs.walk fails where nobody knows the scheme", function()
  fails("UNIMPLEMENTED", modfs.walk "nobody://x")
end)

describe("modfs.tempname and modfs.tempdir", function()
  it("give names that nothing has", function()
    local seen = {}
    for _ = 1, 100 do
      local name = assert(modfs.tempname())
      assert.is_nil(seen[name])
      assert.is_false(modfs.exists(name))
      seen[name] = true
    end
    local name = modfs.tempname("mem://pre-", ".txt")
    assert.is_truthy(name:find "^mem://pre%-.+%.txt$")
  end)

  it("give directories that are fresh", function()
    local one, two = assert(modfs.tempdir()), assert(modfs.tempdir())
    finally(function()
      modfs.rmtree(one)
      modfs.rmtree(two)
    end)
    assert.not_equal(one, two)
    assert.same({}, modfs.listdir(one))
    assert.is_true(modfs.isdir(two))
  end)
end)

describe("file://, the root without a slash of its own,", function()
  it("is walked", function()
    local seen = {}
    for directory, directories in modfs.walk "file://" do
      seen[#seen + 1] = directory
      if #seen == 2 then
        break
      end
      for i = #directories, 1, -1 do
        if directories[i] ~= "etc" then
          table.remove(directories, i)
        end
      end
    end
    assert.same({ "file://", "file:///etc" }, seen)
  end)

  it("is what a tree can be compared with", function()
    assert(modfs.makedirs "mem://compared/etc")
    modfs.write("mem://compared/etc/modfs-nobody-has-this", "x")
    local report = modfs.sync("mem://compared", "file://", { dry_run = true })
    modfs.rmtree "mem://compared"
    assert.same({ copied = 1, kept = 0, deleted = 0, bytes = 1, errors = {} }, report)
  end)
end)
