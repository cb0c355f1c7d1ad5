local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local random = require "spec.support.random"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local tools = { md5 = "md5sum", sha1 = "sha1sum", sha256 = "sha256sum", sha512 = "sha512sum" }
local block = 256 * 1024

-- Content of any length, of all bytes.
local function content(length)
  local next, bytes = random(length + 1), {}
  for i = 1, math.min(length, 4099) do
    bytes[i] = string.char(next(256))
  end
  local text = table.concat(bytes)
  return length > 0 and text:rep(math.ceil(length / #text)):sub(1, length) or ""
end

for _, scheme in ipairs { "", "file://", "mem://" } do
  describe(("on %q, modfs.hash"):format(scheme), function()
    local top

    setup(function()
      top = scheme == "mem://" and "mem:///hash" or scheme .. tmpdir.new()
      assert(modfs.makedirs(top))
    end)
    teardown(function() modfs.rmtree(top) end)

    for _, length in ipairs { 0, 1, block - 1, block, block + 1, 3 * block + 17 } do
      it(("is what the tools say of %d bytes"):format(length), function()
        local text = content(length)
        local path, copy = top .. "/f", os.tmpname()
        assert(modfs.write(path, text))
        tmpdir.write(copy, text)
        for algorithm, tool in pairs(tools) do
          assert.equal(shell.output(tool, copy):match "^%x+", modfs.hash(path, algorithm))
        end
        assert.equal(("%08x"):format(modfs.crc32c(text)), modfs.hash(path, "crc32c"))
        os.remove(copy)
      end)
    end

    it("fails as open does", function()
      for _, algorithm in ipairs { "crc32c", "sha256" } do
        local message = fails("NOT_FOUND", modfs.hash(top .. "/none", algorithm))
        assert.truthy(message:find("^NOT_FOUND: open " .. top:gsub("%p", "%%%0") .. "/none: "))
        fails("FAILED_PRECONDITION", modfs.hash(top, algorithm))
        fails("INVALID_ARGUMENT", modfs.hash(top .. "/a\0b", algorithm))
      end
    end)
  end)
end

describe("modfs.hash", function()
  it("has the known results", function()
    assert(modfs.write("mem://abc", "abc"))
    assert(modfs.write("mem://digits", "123456789"))
    assert.equal("e3069283", modfs.hash("mem://digits", "crc32c"))
    assert.equal("900150983cd24fb0d6963f7d28e17f72", modfs.hash("mem://abc", "md5"))
    assert.equal("a9993e364706816aba3e25717850c26c9cd0d89d", modfs.hash("mem://abc", "sha1"))
    assert.equal("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      modfs.hash("mem://abc", "sha256"))
  end)

  it("raises for an unknown algorithm, also where the path is wrong", function()
    for _, name in ipairs { "", "SHA256", "sha-256", "sha3", "blake3", "ETag", "sha256\0", 256 } do
      for _, path in ipairs { "mem://abc", "nosuch://x", "a\0b" } do
        assert.error_matches(function() modfs.hash(path, name) end,
          "#2 to 'hash' %(unknown algorithm '")
      end
    end
    assert.error_matches(function() modfs.hash "mem://abc" end, "string expected")
    assert.error_matches(function() modfs.hash("mem://abc", {}) end, "string expected, got table")
  end)

  it("is UNIMPLEMENTED for an unknown scheme", function()
    fails("UNIMPLEMENTED", modfs.hash("nosuch://x", "md5"))
  end)

  it("is UNIMPLEMENTED for what the storage does not keep", function()
    for path, name in pairs { ["mem://abc"] = "mem", ["/proc/version"] = "", ["file:///"] = "file",
      ["mem://none"] = "mem" } do
      local message = fails("UNIMPLEMENTED", modfs.hash(path, "etag"))
      assert.equal(('UNIMPLEMENTED: hash %s: %s:// keeps no "etag" of a file'):format(path, name),
        message)
    end
  end)

  it("reads what reports no size", function()
    assert.equal(shell.output("sha256sum", "/proc/version"):match "^%x+",
      modfs.hash("/proc/version", "sha256"))
  end)

  it("needs no more memory for more bytes", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      local function peak()
        return tonumber(modfs.read "/proc/self/status":match "VmHWM:%s*(%d+)")
      end
      local path = os.tmpname()
      local file = io.open(path, "wb")
      file:write "x"
      assert(file:close())
      for _, algorithm in ipairs { "sha256", "crc32c" } do
        assert(modfs.hash(path, algorithm))
      end
      file = io.open(path, "wb")
      file:seek("set", 64 * 1024 * 1024)
      file:write "x"
      assert(file:close())
      local before = peak()
      for _, algorithm in ipairs { "sha256", "crc32c" } do
        assert(modfs.hash(path, algorithm))
      end
      os.remove(path)
      print(peak() - before < 4 * 1024)
    ]]
    assert.same({ 0, "true\n" }, { status, out }, err)
  end)

  it("loads libcrypto when it is needed, and not before", function()
    local status, out, err = child [[
      local modfs = require "modfs"
      local function loaded()
        return modfs.read "/proc/self/maps":find("libcrypto", 1, true) ~= nil
      end
      assert(modfs.write("mem://a", "a"))
      assert(modfs.hash("mem://a", "crc32c"))
      print(loaded(), #modfs.hash("mem://a", "sha512"), loaded())
    ]]
    assert.same({ 0, "false\t128\ttrue\n" }, { status, out }, err)
  end)

  it("says so where libcrypto cannot be loaded any more", function()
    local place = tmpdir.new()
    finally(function() tmpdir.remove(place) end)
    for line in shell.output("ls", "/usr/include/openssl/opensslv.h"):gmatch "%S+" do
      local version = tmpdir.content(line):match "OPENSSL_SHLIB_VERSION (%d+)"
      tmpdir.write(place .. "/libcrypto.so." .. (version or "1.1"), "")
    end
    local status, out, err = child([[
      local modfs = require "modfs"
      modfs.write("mem://a", "a")
      for _ = 1, 2 do
        print((select(2, modfs.hash("mem://a", "sha256"))))
      end
      print(modfs.hash("mem://a", "crc32c"))
    ]], { under = "env LD_LIBRARY_PATH=" .. place })
    local line = "UNIMPLEMENTED: hash mem://a: libcrypto%.so%.[%d.]+ is needed; "
      .. "dynamic loader: [^\n]+\n"
    assert.equal(0, status, err)
    assert.truthy(out:find("^" .. line .. line .. "c1d04330\n$"), out)
  end)
end)
