local modfs = require "modfs"
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
end)
