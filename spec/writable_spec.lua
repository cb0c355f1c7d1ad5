local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local tmpdir = require "spec.support.tmpdir"

local has_close = _VERSION >= "Lua 5.4"

local function needs_close()
  if not has_close then
    pending "variables are closed from 5.4 on"
  end
  return has_close
end

-- Source with <close>, which no Lua before 5.4 can read.
local function compile(source)
  return assert(load("local modfs, path = ...; " .. source))
end

local directory

setup(function() directory = tmpdir.new() end)
teardown(function() tmpdir.remove(directory) end)

for _, scheme in ipairs { "", "file://", "mem://" } do
  describe(("a WritableFile of %q"):format(scheme), function()
    local path

    before_each(function()
      path = scheme == "mem://" and "mem://writable_spec" or scheme .. directory .. "/w"
      assert.is_true(modfs.write(path, "old"))
    end)

    it("writes strings, numbers, Buffers and Regions, and returns itself", function()
      assert.is_true(modfs.write(path .. "2", "region"))
      local region = assert(modfs.map(path .. "2"))
      local file = assert(modfs.open(path, "w"))
      assert.equal(file, file:write())
      assert.equal(file, file:write "")
      assert.equal(file, file:write("a\0b", 12, " ", modfs.buffer "buffer", region, -0.5))
      assert.equal(file, file:write(region:slice(2, 3), modfs.buffer(2)):write "end")
      assert.is_true(file:close())
      assert.equal("a\0b12 bufferregion-0.5eg\0\0end", modfs.read(path))
    end)

    it("writes numbers as io does", function()
      local numbers = { 0, 1, -1, 1.0, -0.0, 0.1, 1e15, 1e16, 1e100, 2 ^ 53, 2 ^ 63, 1 / 3, 1 / 0,
        -1 / 0, 123456789012345, math.maxinteger or 2 ^ 53, math.mininteger or -2 ^ 53 }
      local plain = directory .. "/numbers"
      local file, other = assert(modfs.open(path, "w")), assert(io.open(plain, "wb"))
      for _, number in ipairs(numbers) do
        assert(file:write(number, "\n"))
        assert(other:write(number, "\n"))
      end
      assert.is_true(file:close())
      other:close()
      local check = assert(io.open(plain, "rb"))
      assert.equal(check:read "*a", modfs.read(path))
      check:close()
    end)

    it("writes all arguments of a call, or raises and writes nothing", function()
      local closed = modfs.buffer "closed"
      closed:close()
      local file = assert(modfs.open(path, "w"))
      for _, wrong in ipairs { true, {}, print, io.stdout, file, closed, modfs.filesystem "" } do
        assert.has_error(function() file:write("lost", wrong) end)
        assert.has_error(function() file:write(wrong) end)
        assert.has_error(function() file:write(wrong, "lost") end)
      end
      assert.has_error(function() file:write("lost", nil) end)
      assert.has_error(function() file:write(nil, "lost") end)
      assert.equal(0, file:tell())
      assert.is_true(file:close())
      assert.equal("", modfs.read(path))
    end)

    it("gathers small pieces and counts them", function()
      local file = assert(modfs.open(path, "a"))
      assert.equal(3, file:tell())
      file:write "12345"
      assert.equal(8, file:tell())
      assert.equal("old", modfs.read(path))
      assert.is_true(file:flush())
      assert.equal("old12345", modfs.read(path))
      file:write("x")
      assert.is_true(file:sync())
      assert.equal("old12345x", modfs.read(path))
      assert.is_true(file:close())
    end)

    it("says what it is", function()
      local file = assert(modfs.open(path, "w"))
      file:write "12345"
      assert.equal(path, file:name())
      assert.equal(("modfs.WritableFile (%s, 5 bytes)"):format(path), tostring(file))
      assert.equal("writable file", modfs.type(file))
      assert.is_true(file:close())
      assert.equal("modfs.WritableFile (closed)", tostring(file))
      assert.equal("closed writable file", modfs.type(file))
    end)

    it("is written out when it is collected", function()
      do
        local file = assert(modfs.open(path, "w"))
        file:write "collected"
      end
      collectgarbage()
      collectgarbage()
      assert.equal("collected", modfs.read(path))
    end)

    it("aborts by closing unless it is atomic", function()
      local file = assert(modfs.open(path, "w"))
      file:write "plain"
      assert.is_true(file:abort())
      assert.equal("plain", modfs.read(path))
      file = assert(modfs.open(path, "w", { atomic = true }))
      file:write "never"
      file:flush()
      assert.is_true(file:abort())
      assert.equal("plain", modfs.read(path))
      assert.error_matches(function() file:write "x" end, "closed file")
    end)

    it("is closed at the end of its scope, and aborted by an error", function()
      if not needs_close() then return end
      compile "local f <close> = assert(modfs.open(path, 'w')); f:write 'scope'" (modfs, path)
      assert.equal("scope", modfs.read(path))
      local failing = compile [[
        local f <close> = assert(modfs.open(path, "w", { atomic = true }))
        f:write "never"
        error "on its way"
      ]]
      assert.error_matches(function() failing(modfs, path) end, "on its way")
      assert.equal("scope", modfs.read(path))
      compile [[
        local f <close> = assert(modfs.open(path, "w", { atomic = true }))
        f:write "published"
      ]] (modfs, path)
      assert.equal("published", modfs.read(path))
      compile "local f <close> = modfs.open(path, 'w'); f:write 'x'; f:close()" (modfs, path)
      assert.equal("x", modfs.read(path))
    end)

    it("is closed by with, and aborted by an error", function()
      assert.same({ 1, nil, 3, n = 3 }, (table.pack or function(...)
        return { n = select("#", ...), ... }
      end)(modfs.with(modfs.open(path, "w"), function(file)
        file:write "with"
        return 1, nil, 3
      end)))
      assert.equal("with", modfs.read(path))
      local kept
      local problem = { "on its way" }
      local atomic = modfs.open(path, "w", { atomic = true })
      local fine, raised = pcall(modfs.with, atomic, function(file)
        kept = file
        file:write "never"
        error(problem)
      end)
      assert.is_false(fine)
      assert.equal(problem, raised)
      assert.equal("with", modfs.read(path))
      assert.equal("closed writable file", modfs.type(kept))
      modfs.with(modfs.open(path, "w"), function(file) file:close() end)
    end)
  end)
end

describe("a WritableFile on a full device", function()
  local path = "/dev/full"

  it("reports buffered data that it could not write, and stays failed", function()
    local file = assert(modfs.open(path, "w"))
    assert.equal(file, file:write "x")
    fails("RESOURCE_EXHAUSTED", file:flush())
    fails("RESOURCE_EXHAUSTED", file:write "x")
    fails("RESOURCE_EXHAUSTED", file:sync())
    fails("RESOURCE_EXHAUSTED", file:tell())
    assert.equal("modfs.WritableFile (/dev/full)", tostring(file))
    fails("RESOURCE_EXHAUSTED", file:close())
    assert.error_matches(function() file:close() end, "closed file")
    file = assert(modfs.open(path, "w"))
    file:write "x"
    fails("RESOURCE_EXHAUSTED", file:close())
    file = assert(modfs.open(path, "w"))
    fails("RESOURCE_EXHAUSTED", file:write(("x"):rep(100000)))
    fails("RESOURCE_EXHAUSTED", file:abort())
    assert.equal("closed writable file", modfs.type(file))
  end)

  it("warns when it is collected, or left open at the end", function()
    for _, ending in ipairs { "file = nil collectgarbage() print 'went on'", "print 'went on'" } do
      local status, out, err = child([[
        if warn then warn "@on" end
        local modfs = require "modfs"
        local file = assert(modfs.open("/dev/full", "w"))
        file:write "x"
      ]] .. ending)
      assert.equal(0, status)
      assert.equal("went on\n", out)
      assert.is_truthy(err:find("RESOURCE_EXHAUSTED: close /dev/full: ", 1, true), err)
      assert.equal(1, select(2, err:gsub("\n", "")))
    end
  end)

  it("says nothing when all went well", function()
    local status, out, err = child([[
      if warn then warn "@on" end
      local file = assert(require "modfs".open("/dev/null", "w"))
      file:write "x"
    ]])
    assert.equal("0", status .. out .. err)
  end)

  it("raises at the end of its scope, but does not replace an error", function()
    if not needs_close() then return end
    local closing = compile "local f <close> = modfs.open(path, 'w'); f:write 'x'"
    local reason = "^RESOURCE_EXHAUSTED: close /dev/full"
    assert.error_matches(function() closing(modfs, path) end, reason)
    local failing = compile "local f <close> = modfs.open(path, 'w'); f:write 'x' error 'first'"
    assert.error_matches(function() failing(modfs, path) end, "first")
    assert.error_matches(function()
      modfs.with(modfs.open(path, "w"), function(file) file:write "x" end)
    end, reason)
    assert.error_matches(function()
      modfs.with(modfs.open(path, "w"), function(file)
        file:write "x"
        error "first"
      end)
    end, "first")
  end)
end)

describe("modfs.with", function()
  it("closes anything that can be closed", function()
    local plain = directory .. "/plain"
    local kept
    assert.equal(1, modfs.with(io.open(plain, "w"), function(file)
      kept = file
      return 1
    end))
    assert.equal("closed file", io.type(kept))
    local closed = 0
    modfs.with({ close = function() closed = closed + 1 end }, function() end)
    assert.equal(1, closed)
    local buffer = modfs.buffer(1)
    pcall(modfs.with, buffer, error)
    assert.equal("closed buffer", modfs.type(buffer))
    buffer = modfs.buffer(1)
    assert.has_error(function() modfs.with(buffer, nil) end)
    assert.equal("closed buffer", modfs.type(buffer))
  end)

  it("lets a coroutine yield inside", function()
    if _VERSION == "Lua 5.1" then
      pending "5.1 does not yield across pcall"
      return
    end
    local thread = coroutine.wrap(function()
      return modfs.with(modfs.buffer "abc", function(buffer)
        coroutine.yield(buffer)
        return buffer:sub(2)
      end)
    end)
    local buffer = thread()
    assert.equal("buffer", modfs.type(buffer))
    assert.equal("bc", thread())
    assert.equal("closed buffer", modfs.type(buffer))
  end)
end)
