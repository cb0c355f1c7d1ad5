local modfs = require "modfs"
local fails = require "spec.support.fails"
local fails_at = require "spec.support.fails_at"
local tmpdir = require "spec.support.tmpdir"

for _, scheme in ipairs { "", "file://", "mem://" } do
  describe(("on %q, modfs."):format(scheme), function()
    local top, root

    before_each(function()
      top = scheme == "mem://" and "/gfile" or tmpdir.new()
      root = scheme .. top
      assert.is_true(modfs.makedirs(root))
    end)
    after_each(function()
      modfs.rmtree(root)
    end)

    local function at(relative)
      return root .. "/" .. relative
    end

    it("open reads with r, writes with w, appends with a", function()
      local writable = assert(modfs.open(at "f", "w"))
      assert.equal("writable file", modfs.type(writable))
      assert.equal(writable, writable:write("one", 2))
      assert.is_true(writable:close())
      writable = assert(modfs.open(at "f", "a"))
      assert.equal(writable, writable:write "three")
      assert.is_true(writable:close())
      local file = assert(modfs.open(at "f"))
      assert.equal("file", modfs.type(file))
      assert.equal("one2three", file:read "a")
      assert.equal(at "f", file:name())
      assert.is_true(file:close())
    end)

    it("open takes a trailing b", function()
      assert.is_true(modfs.open(at "f", "wb"):close())
      assert.is_true(modfs.open(at "f", "ab"):close())
      assert.is_true(modfs.open(at "f", "rb"):close())
    end)

    it("open has no update modes, and raises for an invalid mode", function()
      modfs.write(at "f", "test")
      for _, mode in ipairs { "r+", "w+", "a+", "r+b", "w+b", "a+b" } do
        fails("UNIMPLEMENTED", modfs.open(at "f", mode))
      end
      for _, mode in ipairs { "", "x", "rw", "wr", "br", "r ", " r", "rb+", "rbb", "R", "r\0",
        "+r" } do
        assert.error_matches(function() modfs.open(at "f", mode) end, "mode")
      end
      assert.equal("test", modfs.read(at "f"))
      assert.is_false(modfs.exists(at "none"))
    end)

    it("open fails for what cannot be opened", function()
      fails_at("NOT_FOUND", at "none", modfs.open(at "none"))
      fails_at("NOT_FOUND", at "none/f", modfs.open(at "none/f", "w"))
      fails_at("FAILED_PRECONDITION", root, modfs.open(root))
      fails_at("FAILED_PRECONDITION", root, modfs.open(root, "w"))
      fails_at("FAILED_PRECONDITION", root, modfs.open(root, "a"))
    end)

    it("read and write move whole files", function()
      local content = ("\0\1\r\n\255"):rep(50000)
      assert.is_true(modfs.write(at "f", content))
      assert.is_true(content == modfs.read(at "f"))
      assert.is_true(modfs.write(at "f", ""))
      assert.equal("", modfs.read(at "f"))
      fails_at("NOT_FOUND", at "none", modfs.read(at "none"))
      fails_at("FAILED_PRECONDITION", root, modfs.read(root))
      fails_at("NOT_FOUND", at "none/f", modfs.write(at "none/f", "x"))
      fails_at("FAILED_PRECONDITION", root, modfs.write(root, "x"))
    end)

    it("write accepts a Buffer and a Region", function()
      assert.is_true(modfs.write(at "f", modfs.buffer "bytes"))
      assert.is_true(modfs.write(at "g", modfs.map(at "f")))
      assert.equal("bytes", modfs.read(at "g"))
    end)

    it("write appends with append = true", function()
      assert.is_true(modfs.write(at "f", "a", { append = true }))
      assert.is_true(modfs.write(at "f", "b", { append = true }))
      assert.equal("ab", modfs.read(at "f"))
      assert.is_true(modfs.write(at "f", "c", { append = false }))
      assert.equal("c", modfs.read(at "f"))
    end)

    it("exists is true, false, or a failure", function()
      modfs.write(at "f", "test")
      assert.same({ true }, { modfs.exists(at "f") })
      assert.same({ true }, { modfs.exists(root) })
      assert.same({ false }, { modfs.exists(at "none") })
      assert.same({ false }, { modfs.exists(at "none/deeper") })
      fails_at("FAILED_PRECONDITION", at "f/x", modfs.exists(at "f/x"))
    end)

    it("isdir is true or false, also for what is missing or below a file", function()
      modfs.write(at "f", "test")
      assert.same({ true }, { modfs.isdir(root) })
      for _, name in ipairs { "f", "none", "none/x", "f/x" } do
        assert.same({ false }, { modfs.isdir(at(name)) })
      end
      fails("INVALID_ARGUMENT", modfs.isdir(at "a\0b"))
    end)

    it("isfile is true or false, also for what is missing or below a file", function()
      modfs.write(at "f", "test")
      assert.same({ true }, { modfs.isfile(at "f") })
      for _, name in ipairs { "", "none", "none/x", "f/x" } do
        assert.same({ false }, { modfs.isfile(at(name)) })
      end
      fails("INVALID_ARGUMENT", modfs.isfile(at "a\0b"))
    end)

    it("append makes a file and adds to it", function()
      assert.same({ true }, { modfs.append(at "f", "one") })
      assert.same({ true }, { modfs.append(at "f", modfs.buffer "two") })
      assert.same({ true }, { modfs.append(at "f", 3) })
      assert.equal("onetwo3", modfs.read(at "f"))
      fails_at("FAILED_PRECONDITION", root, modfs.append(root, "x"))
      fails("INVALID_ARGUMENT", modfs.append(at "a\0b", "x"))
      for _, wrong in ipairs { {}, true, print } do
        assert.error_matches(function() modfs.append(at "f", wrong) end,
          "#2 to 'append' %(string, Buffer or Region expected, got " .. type(wrong))
      end
      assert.error_matches(function() modfs.append(at "f") end, "Region expected")
      assert.equal("onetwo3", modfs.read(at "f"))
    end)

    it("stat and size tell about files", function()
      modfs.write(at "f", "test")
      local stat = assert(modfs.stat(at "f"))
      assert.equal(4, stat.length)
      assert.is_false(stat.is_directory)
      assert.is_true(math.abs(stat.mtime - os.time()) < 5)
      assert.is_true(math.abs(stat.mtime_nsec / 1e9 - stat.mtime) < 1e-3)
      local count = 0
      for _ in pairs(stat) do
        count = count + 1
      end
      assert.is_true(count >= 4)
      assert.is_true(modfs.stat(root).is_directory)
      assert.equal(4, modfs.size(at "f"))
      if math.type then
        assert.same({ "integer", "integer", "float", "integer" }, { math.type(stat.length),
          math.type(stat.mtime_nsec), math.type(stat.mtime), math.type(modfs.size(at "f")) })
      end
      fails_at("FAILED_PRECONDITION", root, modfs.size(root))
      for _, name in ipairs { "stat", "size" } do
        fails_at("NOT_FOUND", at "none", modfs[name](at "none"))
        fails_at("FAILED_PRECONDITION", at "f/x", modfs[name](at "f/x"))
      end
    end)

    it("names the whole path, with its scheme, in a message", function()
      local _, message = modfs.open(at "none")
      assert.equal(("NOT_FOUND: open %s: "):format(at "none"), message:match "^.-: .-: " or message)
    end)
  end)
end
