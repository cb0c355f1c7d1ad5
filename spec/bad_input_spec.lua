local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local odd_calls = require "spec.support.odd_calls"
local odd_trial = require "spec.support.odd_trial"
local tmpdir = require "spec.support.tmpdir"

-- Names that number arguments may give to files, as they do with io.open.
local function is_number_like(name)
  return tonumber(name) ~= nil or name:find "nan" or name:find "inf"
end

-- The error output without the line that AddressSanitizer prints where malloc returns NULL.
local function without_checker(err)
  if not (os.getenv "LD_PRELOAD" or ""):find "asan" then
    return err
  end
  return (err:gsub("==%d+==WARNING: AddressSanitizer failed to allocate 0x%x+ bytes\n", ""))
end

describe("odd values in every position of", function()
  for row, call in ipairs(odd_calls.list) do
    -- In a child, so that a crash is a failure with a name.
    it(call[1] .. "." .. call[2], function()
      local directory = tmpdir.new()
      finally(function() tmpdir.remove(directory) end)
      local status, out, err = child(([[
        local odd_calls = require "spec.support.odd_calls"
        for _, wrong in ipairs(require("spec.support.odd_trial").trial(odd_calls.list[%d])) do
          print(wrong)
        end
        collectgarbage()
      ]]):format(row), { cwd = directory })
      assert.equal("", without_checker(err) .. out)
      assert.equal(0, status)
      for name in tmpdir.list(directory):gmatch "%./([^\n]+)" do
        assert.is_truthy(is_number_like(name:match "^[^/]+"), "made " .. name)
      end
    end)
  end

  it("everything: no function or method is left out", function()
    local listed = {}
    for _, call in ipairs(odd_calls.list) do
      listed[call[1] .. "." .. call[2]] = true
    end
    listed["modfs.tempdir"] = true -- takes nothing, and makes a directory
    listed["modfs.poll"] = true -- waits as long as it is told
    for owner, table_of in pairs { modfs = modfs, path = modfs.path } do
      for name, value in pairs(table_of) do
        if type(value) == "function" then
          assert.is_true(listed[owner .. "." .. name], owner .. "." .. name)
        end
      end
    end
  end)
end)

describe("a mode", function()
  it("is no string, which would be read in decimal", function()
    modfs.write("mem://odd-mode", "x")
    local before = modfs.stat("mem://odd-mode").mode
    assert.error_matches(function() modfs.chmod("mem://odd-mode", "644") end,
      "bad argument #2 to 'chmod' %(number expected, got string%)")
    assert.equal(before, modfs.stat("mem://odd-mode").mode)
    modfs.remove "mem://odd-mode"
  end)
end)

describe("unknown options", function()
  it("raise and name the key", function()
    local unknown = { no_such_key = true }
    for _, call in ipairs {
      function() modfs.open("mem://f", "w", unknown) end,
      function() modfs.write("mem://f", "x", unknown) end,
      function() modfs.load("/no/such/plugin.so", unknown) end,
      function() modfs.walk("mem://", unknown) end,
      function() modfs.copytree("mem://none", "mem://none2", unknown) end,
      function() modfs.sync("mem://none", "mem://none2", unknown) end,
    } do
      assert.error_matches(call, "no_such_key")
    end
    assert.is_false(modfs.exists "mem://f")
  end)

  -- Functions of values, as those of string, and what ends an object, as io's close, ignore what is
  -- too much; others take any number of arguments.
  local ignoring = { ["modfs.escape"] = true, ["modfs.crc32c"] = true, ["modfs.type"] = true,
    ["modfs.with"] = true, ["modfs.buffer"] = true, ["modfs.pollfd"] = true,
    ["modfs.config"] = true, ["modfs.lines"] = true, ["file.read"] = true, ["file.lines"] = true,
    ["file.seek"] = true, ["writable.write"] = true, ["fs.operations"] = true,
    ["stream.callback"] = true }
  local values = { path = true, region = true, buffer = true }
  local ending = { close = true, abort = true, name = true }

  for _, call in ipairs(odd_calls.list) do
    local name = call[1] .. "." .. call[2]
    if not (ignoring[name] or values[call[1]] or ending[call[2]]) then
      it("raise and name the key, also of a function without options: " .. name, function()
        assert.matches("unknown option 'no_such_key'", odd_trial.with_unknown_option(call))
      end)
    end
  end

  it("raise and name the key, also of what waits for Jobs", function()
    local async = modfs.async
    local unknown = { timeout = 1 }
    for name, call in pairs {
      await = function() assert(async.exists("mem://f"):await(unknown)) end,
      all = function() assert(async.all({}, unknown)) end,
      any = function() assert(async.any({}, unknown)) end,
      use = function() assert(async.use("poll", unknown)) end,
    } do
      local problem = select(2, pcall(call))
      local place = ("^spec/bad_input_spec.lua:%%d+: bad argument #%%d to '%s' "):format(name)
      assert.matches(place .. "%(unknown option 'timeout'%)$", problem)
    end
  end)

  it("raise when their key is not a string", function()
    for _, key in ipairs { 1, true, 1.5 } do
      assert.has_error(function() modfs.write("mem://f", "x", { [key] = true }) end)
    end
    assert.is_false(modfs.exists "mem://f")
  end)

  it("raise when their value is of the wrong type, naming the key", function()
    for key, value in pairs { append = 1, atomic = "yes", durable = {} } do
      assert.error_matches(function() modfs.write("mem://f", "x", { [key] = value }) end, key)
    end
    assert.error_matches(function() modfs.load("/no/such.so", { symbol = 1 }) end, "symbol")
    assert.error_matches(function() modfs.load("/no/such.so", { trust = 1 }) end, "trust")
    assert.is_false(modfs.exists "mem://f")
  end)
end)

describe("numbers", function()
  local path = "mem://numbers"
  local file

  before_each(function()
    assert.is_true(modfs.write(path, "0123456789"))
    file = assert(modfs.open(path))
  end)
  after_each(function()
    file:close()
    modfs.remove(path)
  end)

  it("that are floats with an integer's value are taken", function()
    assert.equal("12", file:pread(1.0, 2.0))
    assert.equal(3, file:seek("set", 3.0))
    assert.equal(8, #modfs.buffer(8.0))
  end)

  it("at the limits of the machine's types return what is in the file", function()
    local borders = { 2 ^ 31 - 1, 2 ^ 31, 2 ^ 32 - 1, 2 ^ 32, 2 ^ 32 + 1, 2 ^ 53 - 1, 2 ^ 53 }
    if math.maxinteger then
      borders[#borders + 1] = math.maxinteger
      borders[#borders + 1] = math.maxinteger - 1
    end
    for _, border in ipairs(borders) do
      assert.equal("0123456789", file:pread(0, border))
      assert.equal("9", file:pread(9, border))
      assert.is_nil(file:pread(border, 1))
      assert.is_nil(file:pread(border, border))
      assert.equal(border, file:seek("set", border))
      assert.is_nil(file:read(1))
      assert.equal("", file:read "a")
      file:seek("set", 0)
      assert.equal("0123456789", file:read(border))
      file:seek("set", 0)
    end
  end)

  it("below zero fail", function()
    for _, bad in ipairs { -1, -2 ^ 31, -2 ^ 53, math.mininteger or -2 ^ 53 } do
      fails("INVALID_ARGUMENT", file:pread(bad, 1))
      fails("INVALID_ARGUMENT", file:pread(0, bad))
      fails("INVALID_ARGUMENT", file:seek("set", bad))
      fails("INVALID_ARGUMENT", modfs.buffer(bad))
    end
    assert.equal(0, file:seek())
  end)

  it("beyond memory fail", function()
    for _, bad in ipairs { 2 ^ 47, 2 ^ 53, math.maxinteger or 2 ^ 53 } do
      local buffer, message, code = modfs.buffer(bad)
      fails(code, buffer, message, code)
      assert.is_true(code == "RESOURCE_EXHAUSTED" or code == "INVALID_ARGUMENT", code)
    end
  end)
end)

it("numbers are paths wherever strings are, as for io.open", function()
  local folder = tmpdir.new()
  finally(function() tmpdir.remove(folder) end)
  local status, out, err = child([[
    local modfs = require "modfs"
    assert(modfs.makedirs(5) and modfs.write("5/file", "x"))
    assert(modfs.exists(5) and modfs.exists { 5, "5/file" })
    assert(modfs.du(5).files == 1 and modfs.copytree(5, 6).files == 1)
    assert(modfs.sync(5, 7).copied == 1)
    assert(modfs.rmtree(6, {}) and modfs.rmtree(7))
    assert(modfs.tempname(5, 6):match "/5%x+6$")
  ]], { cwd = folder })
  assert.same({ 0, "", "" }, { status, out, err })
end)
