local modfs = require "modfs"
local child = require "spec.support.child"
local fails = require "spec.support.fails"

describe("memory", function()
  before_each(function()
    assert.is_true(modfs.mkdir "mem://box")
  end)
  after_each(function()
    modfs.rmtree "mem://box"
  end)

  describe("has one tree:", function()
    it("the host is the first directory", function()
      modfs.write("mem://box/a_file", "test")
      for _, uri in ipairs { "mem:///box/a_file", "mem://box//a_file", "mem:////box/a_file",
        "mem://box/./a_file", "mem://box/x/../a_file", "mem:///x/../box/a_file" } do
        assert.equal("test", modfs.read(uri))
      end
      assert.is_true(modfs.isdir "mem://box")
      assert.is_true(modfs.isdir "mem://box/")
      assert.is_true(modfs.isdir "mem:///box")
    end)

    it("a host is no file's directory by itself", function()
      fails("NOT_FOUND", modfs.open("mem://nowhere/a_file", "w"))
      fails("NOT_FOUND", modfs.open("mem://box/nowhere/a_file", "w"))
      fails("NOT_FOUND", modfs.mkdir "mem://nowhere/a_dir")
      assert.is_false(modfs.exists "mem://nowhere")
    end)

    it("no name is found by its beginning", function()
      modfs.mkdir "mem://box/foo"
      modfs.write("mem://box/foo/bar", "test")
      for _, name in ipairs { "box/fo", "bo", "box/foo/b", "box/foo/barr", "box/foo/bar2" } do
        local uri = "mem://" .. name
        assert.is_false(modfs.exists(uri))
        fails("NOT_FOUND", modfs.stat(uri))
      end
    end)

    it("the root is a directory that is there already", function()
      for _, uri in ipairs { "mem://", "mem:///", "mem://box/.." } do
        assert.is_true(modfs.isdir(uri))
        fails("ALREADY_EXISTS", modfs.mkdir(uri))
        assert.is_true(modfs.makedirs(uri))
        fails("FAILED_PRECONDITION", modfs.rmdir(uri))
        fails("FAILED_PRECONDITION", modfs.open(uri, "w"))
        fails("FAILED_PRECONDITION", modfs.size(uri))
      end
      local names = " " .. table.concat(modfs.listdir "mem://", " ") .. " "
      assert.is_truthy(names:find(" box ", 1, true))
    end)

    it("a file may stand at its root", function()
      assert.is_true(modfs.write("mem://lonely", "test"))
      assert.equal("test", modfs.read "mem:///lonely")
      fails("FAILED_PRECONDITION", modfs.open("mem://lonely/a_file", "w"))
      assert.is_true(modfs.remove "mem://lonely")
    end)

    it("globs name what they find as the pattern does", function()
      modfs.write("mem://box/a_file", "test")
      assert.same({ "mem://box/a_file" }, modfs.glob "mem://box/a*")
      assert.same({ "mem:///box/a_file" }, modfs.glob "mem:///box/a*")
      assert.same({ "mem://box" }, modfs.glob "mem://bo?")
      assert.same({ "mem://box/a_file" }, modfs.glob "mem://b[o]x/*")
    end)
  end)

  describe("shows readers one content:", function()
    it("a reader meets the beginning of the file while a writer appends", function()
      local writable = assert(modfs.open("mem://box/a_file", "w"))
      local file = assert(modfs.open "mem://box/a_file")
      local expected = ""
      for i = 1, 200 do
        local piece = ("%06d,"):format(i):rep(7)
        expected = expected .. piece
        writable:write(piece)
        assert.is_true(writable:flush())
        local seen = file:pread(0, 2 ^ 20) or ""
        assert.equal(expected:sub(1, #seen), seen)
      end
      assert.is_true(writable:close())
      assert.equal(expected, modfs.read "mem://box/a_file")
      file:close()
    end)

    it("a reader of a replaced file keeps its content", function()
      modfs.write("mem://box/a_file", "old content")
      local file = assert(modfs.open "mem://box/a_file")
      modfs.write("mem://box/a_file", "new")
      assert.equal("old content", file:pread(0, 100))
      assert.equal("new", modfs.read "mem://box/a_file")
      modfs.remove "mem://box/a_file"
      assert.equal("old content", file:pread(0, 100))
      file:close()
    end)

    it("a region keeps its bytes when the file is replaced, grown and deleted", function()
      modfs.write("mem://box/a_file", ("old"):rep(10000))
      local region = assert(modfs.map "mem://box/a_file")
      modfs.write("mem://box/a_file", ("x"):rep(100000), { append = true })
      assert.is_true(region:sub(1) == ("old"):rep(10000))
      modfs.write("mem://box/a_file", ("new"):rep(10000))
      modfs.remove "mem://box/a_file"
      for i = 1, 20 do
        modfs.write("mem://box/other" .. i, ("y"):rep(30000))
      end
      assert.is_true(region:sub(1) == ("old"):rep(10000))
      region:close()
    end)

    it("a writer of a deleted file disturbs nobody", function()
      local writable = assert(modfs.open("mem://box/a_file", "w"))
      writable:write "lost"
      assert.is_true(modfs.remove "mem://box/a_file")
      modfs.write("mem://box/a_file", "mine")
      writable:write "lost too"
      writable:close()
      assert.equal("mine", modfs.read "mem://box/a_file")
    end)
  end)

  it("tells when a directory's names changed", function()
    local function time_after(action)
      local start = os.clock()
      repeat until os.clock() > start + 0.002
      action()
      return modfs.stat("mem://box").mtime_nsec
    end
    local last = time_after(function() end)
    for _, action in ipairs {
      function() modfs.write("mem://box/a_file", "x") end,
      function() modfs.mkdir "mem://box/a_dir" end,
      function() modfs.copy("mem://box/a_file", "mem://box/copied") end,
      function() modfs.rename("mem://box/copied", "mem://box/moved") end,
      function() modfs.remove "mem://box/moved" end,
      function() modfs.rmdir "mem://box/a_dir" end,
    } do
      local now = time_after(action)
      assert.is_true(now > last)
      last = now
    end
    assert.equal(last, time_after(function() modfs.read "mem://box/a_file" end))
  end)

  it("makes and deletes a tree 20,000 deep", function()
    local deep = "mem://box/" .. ("d/"):rep(20000)
    assert.is_true(modfs.makedirs(deep))
    assert.is_true(modfs.write(deep .. "leaf", "deep"))
    assert.equal("deep", modfs.read(deep .. "leaf"))
    assert.same({ true, 0, 0 }, { modfs.rmtree "mem://box/d" })
    assert.same({}, modfs.listdir "mem://box")
  end)

  -- In a fresh process, where nothing else takes part of the limit.
  describe("limit_bytes", function()
    local function limited(code)
      local status, _, err = child([[
        local modfs = require "modfs"
        assert(modfs.mkdir "mem://box")
        assert(modfs.config("mem", { limit_bytes = 100000 }))
        local function exhausted(result, _, code)
          assert(result == nil and code == "RESOURCE_EXHAUSTED", code)
        end
      ]] .. code .. " os.exit(0, true)")
      assert.equal("", err)
      assert.equal(0, status)
    end

    it("is an option", function()
      limited [[ assert(modfs.config("mem").limit_bytes == 100000) ]]
    end)

    it("refuses more, and leaves what was there", function()
      limited [[
        assert(modfs.write("mem://box/a", ("a"):rep(50000)))
        exhausted(modfs.write("mem://box/a", ("b"):rep(60000), { append = true }))
        assert(modfs.read "mem://box/a" == ("a"):rep(50000))
        exhausted(modfs.write("mem://box/b", ("b"):rep(60000)))
        assert((modfs.size "mem://box/b" or 0) == 0)
        exhausted(modfs.write("mem://box/b", ("b"):rep(1000000)))
        assert(modfs.read "mem://box/a" == ("a"):rep(50000))
      ]]
    end)

    it("gives back what was deleted or replaced", function()
      limited [[
        for _ = 1, 20 do
          assert(modfs.write("mem://box/a", ("a"):rep(90000)))
          assert(modfs.remove "mem://box/a")
        end
        for _ = 1, 20 do
          assert(modfs.mkdir "mem://box/d")
          assert(modfs.write("mem://box/d/a", ("a"):rep(90000)))
          assert(modfs.rmtree "mem://box/d")
        end
        for _ = 1, 20 do
          assert(modfs.write("mem://box/a", ("a"):rep(40000)))
          assert(modfs.write("mem://box/b", ("b"):rep(40000)))
          assert(modfs.rename("mem://box/b", "mem://box/a"))
        end
      ]]
    end)

    it("holds for copies, and leaves their target as it was", function()
      limited [[
        assert(modfs.write("mem://box/a", ("a"):rep(60000)))
        assert(modfs.write("mem://box/b", "old"))
        local ok, _, code = modfs.copy("mem://box/a", "mem://box/b")
        if ok then -- the two share their bytes
          assert(modfs.read "mem://box/b" == ("a"):rep(60000))
          exhausted(modfs.write("mem://box/b", ("b"):rep(60000), { append = true }))
        else
          exhausted(ok, nil, code)
          assert(modfs.read "mem://box/b" == "old")
        end
      ]]
    end)

    it("can be raised, and refuses what is no limit", function()
      limited [[
        exhausted(modfs.write("mem://box/a", ("a"):rep(110000)))
        assert(modfs.config("mem", { limit_bytes = 200000 }))
        assert(modfs.write("mem://box/a", ("a"):rep(110000)))
        local ok, _, code = modfs.config("mem", { limit_bytes = -1 })
        assert(ok == nil and code == "INVALID_ARGUMENT")
        assert(modfs.config("mem").limit_bytes == 200000)
      ]]
    end)
  end)
end)
