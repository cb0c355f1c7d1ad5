-- A plugin whose scheme is taken, registered under another name: in this process, in inspect
-- and in check. The project's own plugins stand in, under other files' names.
local build = require "spec.fixtures.build"
local gallery = require "spec.check.gallery"
local check = require "modfs.check"
local contains = require "spec.support.contains"
local fails = require "spec.support.fails"
local inspect = require "modfs.inspect"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local plugins = (os.getenv "BUILD" or "build") .. "/modfs/plugins/"
local shelf, posix, memory

setup(function()
  shelf = build.shelf()
  posix, memory = shelf:put(plugins .. "posix.so", "other"), shelf:put(plugins .. "mem.so", "store")
end)

teardown(function()
  shelf:remove()
end)

describe("modfs.load with as", function()
  it("registers one filesystem of the plugin, which sees its own scheme", function()
    local folder = tmpdir.new()
    fails("ALREADY_EXISTS", modfs.load(posix))
    local plugin = assert(modfs.load(posix, { as = "renamed" }))
    assert.same({ "renamed" }, plugin.schemes)
    local uri = "renamed://" .. folder
    assert(modfs.write(uri .. "/a", "content"))
    assert.equal("content", modfs.read(folder .. "/a"))
    assert.equal("content", modfs.read(uri .. "/a"))
    assert.same({ uri .. "/a" }, modfs.glob(uri .. "/*"))
    local message = fails("NOT_FOUND", modfs.read(uri .. "/none"))
    contains(message, uri .. "/none")
    assert.is_true(modfs.isdir "renamed://")
    tmpdir.remove(folder)
  end)

  it("gives back names of its scheme where the plugin matches patterns itself", function()
    local plugin = assert(modfs.load(memory, { scheme = "mem", as = "store" }))
    assert.same({ "store" }, plugin.schemes)
    assert(modfs.makedirs "store://top")
    assert(modfs.write("store://top/a", "1"))
    assert.same({ "store://top/a" }, modfs.glob "store://top/*")
    assert.is_false(modfs.exists "mem://top/a")
  end)

  it("registers a plugin again that is loaded already, as it does once for each name", function()
    local folder = tmpdir.new()
    local shipped = plugins .. "posix.so"
    local plugin = assert(modfs.load(shipped, { as = "anew" }))
    assert.same({ "anew" }, plugin.schemes)
    assert(modfs.write(folder .. "/a", "content"))
    assert.equal("content", modfs.read("anew://" .. folder .. "/a"))
    assert.equal(plugin, modfs.load(shipped, { as = "anew" }))
    assert.same({ "", "file" }, modfs.load(shipped).schemes)
    assert.same({ "files" }, modfs.load(shipped, { scheme = "file", as = "files" }).schemes)
    fails("ALREADY_EXISTS", modfs.load(shipped, { scheme = "file", as = "anew" }))
    tmpdir.remove(folder)
  end)

  it("refuses a scheme that the plugin does not offer, and a name that none can have", function()
    local again = shelf:put(plugins .. "mem.so", "again")
    contains(fails("INVALID_ARGUMENT", modfs.load(again, { as = "x" })),
      'the plugin does not offer the scheme ""; it offers "mem"')
    for _, name in ipairs { "", "1x", "a_b", ("x"):rep(300) } do
      fails("INVALID_ARGUMENT", modfs.load(again, { scheme = "mem", as = name }))
    end
    fails("ALREADY_EXISTS", modfs.load(again, { scheme = "mem", as = "file" }))
  end)
end)

describe("inspect with as", function()
  it("loads a plugin whose scheme is taken", function()
    contains(assert(inspect(posix, { trust = true })).reasons[1],
      'the scheme "" is already registered')
    local report = assert(inspect(posix, { trust = true, scheme = "file", as = "mine" }))
    assert.is_true(report.would_load)
    assert.same({ "mine" }, report.loaded.schemes)
  end)
end)

describe("check with as", function()
  local function run(file, options)
    options.file, options.strict = file, options.strict or 1
    return check.run(options)
  end

  it("tests a plugin of local paths", function()
    local refused = run(posix, {})
    assert.is_false(refused.ok)
    contains(refused.results[1].why, "--as NAME registers it under that name")
    for _, scheme in ipairs { "", "file" } do
      local report = run(posix, { scheme = scheme, as = "mine" })
      assert.is_true(report.ok)
      assert.is_true(report.passed > 90, report.passed)
    end
  end)

  it("tests a plugin that modfs has loaded by itself", function()
    for name, scheme in pairs { posix = "file", mem = "mem" } do
      local report = run(plugins .. name .. ".so", { scheme = scheme, as = "mine" })
      assert.is_true(report.ok)
      assert.is_true(report.passed > 90, report.passed)
    end
  end)

  it("tests it below a root of its own, too", function()
    local root = tmpdir.new()
    assert.is_true(run(posix, { as = "mine", root = root, only = "TestCreateFile" }).ok)
    tmpdir.remove(root)
  end)

  it("runs the cases without a host on it", function()
    local report = run(memory, { scheme = "mem", as = "mine", only = "^raw%.read", strict = 4 })
    assert.is_true(report.ok)
    assert.is_true(report.passed > 5, report.passed)
  end)

  it("finds the faults that it finds without it", function()
    local report = run(shelf:put(gallery.binary "memory", "children.file"),
      { scheme = "children.file", as = "mine" })
    assert.is_true(report.failed > 0)
    assert.equal("passed", report.results[1].verdict)
  end)
end)
