local modfs = require "modfs"
local fails_at = require "spec.support.fails_at"
local tmpdir = require "spec.support.tmpdir"

for _, scheme in ipairs { "", "file://", "mem://" } do
  describe(("on %q, modfs."):format(scheme), function()
    local top, root

    before_each(function()
      top = scheme == "mem://" and "/tree" or tmpdir.new()
      root = scheme .. top
      assert.is_true(modfs.makedirs(root))
    end)
    after_each(function()
      modfs.rmtree(root)
    end)

    local function at(relative)
      return root .. "/" .. relative
    end

    it("mkdir makes one level, makedirs all", function()
      assert.is_true(modfs.mkdir(at "d"))
      fails_at("ALREADY_EXISTS", at "d", modfs.mkdir(at "d"))
      fails_at("NOT_FOUND", at "x/y", modfs.mkdir(at "x/y"))
      assert.is_true(modfs.makedirs(at "x/y/z"))
      assert.is_true(modfs.makedirs(at "x/y/z"))
      assert.is_true(modfs.isdir(at "x/y/z"))
      modfs.write(at "f", "test")
      fails_at("ALREADY_EXISTS", at "f", modfs.mkdir(at "f"))
      fails_at("FAILED_PRECONDITION", at "f", modfs.makedirs(at "f"))
      fails_at("FAILED_PRECONDITION", at "f/x", modfs.makedirs(at "f/x"))
    end)

    it("remove deletes files, rmdir empty directories, rmtree all", function()
      modfs.makedirs(at "d/e")
      modfs.write(at "d/f", "test")
      fails_at("FAILED_PRECONDITION", at "d", modfs.remove(at "d"))
      fails_at("FAILED_PRECONDITION", at "d", modfs.rmdir(at "d"))
      fails_at("FAILED_PRECONDITION", at "d/f", modfs.rmdir(at "d/f"))
      assert.is_true(modfs.remove(at "d/f"))
      assert.is_true(modfs.rmdir(at "d/e"))
      fails_at("NOT_FOUND", at "d/f", modfs.remove(at "d/f"))
      fails_at("NOT_FOUND", at "d/e", modfs.rmdir(at "d/e"))
      modfs.makedirs(at "d/e/f/g")
      modfs.write(at "d/e/f/h", "test")
      assert.same({ true, 0, 0 }, { modfs.rmtree(at "d") })
      assert.same({}, modfs.listdir(root))
      modfs.write(at "f", "test")
      assert.same({ true, 0, 0 }, { modfs.rmtree(at "f") })
      local results = { modfs.rmtree(at "none") }
      fails_at("NOT_FOUND", at "none", results[1], results[2], results[3])
      assert.same({ 0, 1 }, { results[4], results[5] })
    end)

    it("listdir gives sorted bare names", function()
      for _, name in ipairs { "b", "a", "C", ".h", "d d" } do
        modfs.write(at(name), "")
      end
      modfs.makedirs(at "dir/inner")
      assert.same({ ".h", "C", "a", "b", "d d", "dir" }, modfs.listdir(root))
      assert.same({ "inner" }, modfs.listdir(at "dir/"))
      fails_at("NOT_FOUND", at "none", modfs.listdir(at "none"))
      fails_at("FAILED_PRECONDITION", at "a", modfs.listdir(at "a"))
    end)

    it("rename and copy name what fails", function()
      modfs.write(at "g", "test")
      for _, name in ipairs { "rename", "copy" } do
        fails_at("NOT_FOUND", at "none", modfs[name](at "none", at "g"))
        fails_at("NOT_FOUND", at "none/g", modfs[name](at "g", at "none/g"))
        fails_at("FAILED_PRECONDITION", root, modfs[name](at "g", root))
      end
    end)
  end)
end
