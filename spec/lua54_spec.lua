-- What only Lua 5.4 has: <close>. In strings, which older versions need not compile.
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local load = loadstring or load -- luacheck: ignore 113

-- run(source, arguments...) of a chunk with <close>.
local function run(source, ...)
  return assert(load(source))(...)
end

describe("<close>", function()
  if not load "local x <close> = nil" then
    pending(_VERSION .. " has no <close>")
    return
  end

  local root
  before_each(function()
    root = tmpdir.new()
    assert.is_true(modfs.write("mem://closing", "one\ntwo\n"))
  end)
  after_each(function()
    tmpdir.remove(root)
    modfs.remove "mem://closing"
  end)

  local function makers()
    local fs = modfs.filesystem "mem"
    return {
      file = function() return modfs.open "mem://closing" end,
      ["writable file"] = function() return modfs.open(root .. "/w", "w") end,
      region = function() return modfs.map "mem://closing" end,
      buffer = function() return modfs.buffer(4) end,
      filesystem = function() return modfs.filesystem "mem" end,
      transaction = function() return fs:start_transaction() end,
      directory = function() return (select(2, modfs.dir "mem://")) end,
    }
  end

  it("closes every kind of object at the end of its block", function()
    for name, make in pairs(makers()) do
      local object = run("local make = ... local o <close> = make() return o", make)
      assert.equal("closed " .. name, modfs.type(object))
    end
  end)

  it("does nothing to one that is closed already", function()
    for name, make in pairs(makers()) do
      local object = run("local make = ... local o <close> = make() o:close() return o", make)
      assert.equal("closed " .. name, modfs.type(object))
    end
  end)

  it("takes the nil of a failure", function()
    run("local modfs = ... local f <close> = modfs.open 'mem://none'", modfs)
  end)

  it("closes when an error passes", function()
    for name, make in pairs(makers()) do
      local object = make()
      local _, err = pcall(run, "local o <close> = ... error 'passing'", object)
      assert.is_truthy(err:find "passing")
      assert.equal("closed " .. name, modfs.type(object))
    end
  end)

  it("closes when a coroutine is closed", function()
    local object = modfs.open "mem://closing"
    local thread = coroutine.create(load "local o <close> = ... coroutine.yield()")
    coroutine.resume(thread, object)
    assert.equal("file", modfs.type(object))
    assert.is_true(coroutine.close(thread)) -- luacheck: ignore 143
    assert.equal("closed file", modfs.type(object))
  end)

  it("leaves no trace of a transaction", function()
    run([[
      local modfs = ...
      local tx <close> = modfs.filesystem "mem":start_transaction()
      tx:add "mem://traceless"
      modfs.write("mem://traceless", "x")
    ]], modfs)
    assert.is_false(modfs.exists "mem://traceless")
  end)

  it("is what a loop does with its iterator when it is left", function()
    local function descriptors()
      return #modfs.listdir "/proc/self/fd"
    end
    assert.is_true(modfs.write(root .. "/lines", "one\ntwo\n"))
    collectgarbage "stop"
    local before = descriptors()
    for _ = 1, 10 do
      for _ in modfs.lines(root .. "/lines") do break end -- luacheck: ignore 512
      for _ in modfs.dir(root) do break end -- luacheck: ignore 512
      for _ in modfs.walk(root) do break end -- luacheck: ignore 512
      pcall(function()
        for _ in modfs.lines(root .. "/lines") do error "out" end -- luacheck: ignore 512
      end)
    end
    local after = descriptors()
    collectgarbage "restart"
    assert.equal(before, after)
  end)

  it("finds a fourth value behind an iterator", function()
    local _, _, _, lines = modfs.lines "mem://closing"
    local _, _, _, directory = modfs.dir "mem://"
    assert.equal("file", modfs.type(lines))
    assert.equal("directory", modfs.type(directory))
    lines:close()
    directory:close()
  end)
end)
