-- One large file in a tree: its bytes are reported while it is copied, and the copy is given up
-- between two blocks. Within one filesystem the plugin copies, in one call.
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local MIB = 1024 * 1024
local LENGTH = 64 * MIB

local function write_large(path)
  local file = assert(modfs.open(path, "w"))
  for _ = 1, LENGTH / MIB do
    assert(file:write(("x"):rep(MIB)))
  end
  assert(file:close())
end

for name, ends in pairs {
  ["from memory to the machine"] = function(place) return "mem://large.progress", place end,
  ["from the machine to memory"] = function(place) return place, "mem://large.progress" end,
} do
  for _, operation in ipairs { "copytree", "sync" } do
    describe(("progress of %s %s"):format(operation, name), function()
      local place, src, dst

      before_each(function()
        place = tmpdir.new()
        src, dst = ends(place)
        src, dst = src .. "/from", dst .. "/to"
        assert(modfs.makedirs(src))
        write_large(src .. "/large")
        assert(modfs.write(src .. "/small", "small"))
      end)

      after_each(function()
        tmpdir.remove(place)
        modfs.rmtree "mem://large.progress"
      end)

      -- Returns the bytes reported last, the reports within the file, and the most bytes between
      -- two of them.
      local function follow(threads)
        local last, within, most = 0, 0, 0
        assert(modfs[operation](src, dst, { threads = threads, progress = function(done, total)
          assert.is_true(done >= last and done <= total)
          assert.equal(LENGTH + 5, total)
          most = math.max(most, done - last)
          within = within + (done > 5 and done < LENGTH and 1 or 0)
          last = done
        end }))
        return last, within, most
      end

      for _, threads in ipairs { 2, 8 } do
        it(("has bytes of the file, with %d threads"):format(threads), function()
          local last, within, most = follow(threads)
          assert.equal(LENGTH + 5, last)
          assert.is_true(within >= 8, within .. " reports within the file")
          assert.is_true(most <= LENGTH / 4, most .. " bytes between two reports")
        end)
      end

      it("comes after each file with one thread (the control)", function()
        local last, within = follow(1)
        assert.equal(LENGTH + 5, last)
        assert.equal(0, within)
      end)

      it("ends the copy between two blocks and leaves no part of it", function()
        local at, last = nil, 0
        local result, _, code = modfs[operation](src, dst, { threads = 2, progress = function(done)
          at, last = at or done > 5 and done or nil, done
          return not at
        end })
        assert.is_nil(result)
        assert.equal("CANCELLED", code)
        assert.is_true(at < LENGTH / 2, "the first report came at " .. at)
        assert.equal(at, last)
        assert.is_false(modfs.exists(dst .. "/large"))
        for entry in modfs.dir(dst) do
          assert.equal("small", entry)
        end
      end)

      it("leaves no part and no error where the operation is stepped and cancelled", function()
        local tree = assert(modfs.tree(operation, src, dst, { threads = 2, progress = true }))
        local done = 0
        while done <= 5 do
          done = assert(tree:step())
        end
        tree:cancel()
        assert.is_nil((tree:step()))
        assert.same({}, tree:result().errors)
        assert.is_true(tree:result().bytes <= 5)
        tree:close()
        assert.is_false(modfs.exists(dst .. "/large"))
      end)
    end)
  end
end

describe("progress of a root that is a file", function()
  it("has its bytes, too", function()
    local place, within = tmpdir.new(), 0
    write_large("mem://large.progress")
    assert(modfs.copytree("mem://large.progress", place .. "/large", { threads = 2,
      progress = function(done) within = within + (done < LENGTH and 1 or 0) end }))
    tmpdir.remove(place)
    modfs.remove "mem://large.progress"
    assert.is_true(within >= 8, within .. " reports within the file")
  end)
end)
