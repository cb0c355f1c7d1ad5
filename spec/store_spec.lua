-- The filesystem over a table of plugins/common/objects/service.h, for what no server of s3 has:
-- parts in order and of a granule, uploads that end each other, a base that is read or left to the
-- service. The stores are in memory (spec/fixtures/objects/kept.c), and end the process where the
-- table's promises are broken.
local build = require "spec.fixtures.build"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local shell = require "spec.support.shell"

local rooms = "store objects remote net blocks options parallel interrupt located region glob fail"
local cases = { "upstream.*", "state.*", "transactions.*", "replacing.*",
  "raw.memory.is_short_when_a_tree_is_deleted", "raw.memory.is_short_when_a_file_is_written" }

-- A transaction on a directory.
local function transaction_on(path)
  local filesystem = assert(modfs.filesystem(path:match "^%a+"))
  local transaction = assert(filesystem:start_transaction())
  assert(filesystem:add_to_transaction(path, transaction))
  return transaction
end

describe("a store", function()
  if shell.run "pkg-config --exists 'libcurl >= 7.85'" ~= 0 then
    pending "libcurl4-openssl-dev is not installed"
    return
  end
  local sources = "spec/fixtures/objects/kept.c " .. rooms:gsub("%S+", "plugins/common/%0")
  local plugin = build.compile("kept.so", sources, { libraries = "-lcurl" })
  local shelf = build.shelf()
  local path = shelf:put(plugin, "kept")
  assert(modfs.load(path))

  teardown(function() shelf:remove() end)

  for _, scheme in ipairs { "ordered", "blocks", "plain" } do
    local root = ("%s://%s/"):format(scheme, scheme) -- they share what they keep

    describe("of " .. scheme .. "://", function()
      before_each(function()
        assert(modfs.config(scheme, { part_bytes = 1500 }))
      end)

      it("keeps what is written, whatever the size", function()
        for _, size in ipairs { 0, 1, 499, 999, 1000, 1001, 1499, 1500, 1501, 2000, 3000, 12345 } do
          local content = ("0123456789"):rep(1235):sub(1, size)
          assert(modfs.write(root .. "sizes", content))
          assert.equal(content, modfs.read(root .. "sizes"))
          assert.equal(size, modfs.stat(root .. "sizes").length)
        end
      end)

      it("forgets directories that it deleted", function()
        local d, away = root .. "gone/d", root .. "gone/away"
        local ways = {
          remove = function() assert(modfs.remove(d .. "/e/a") and modfs.rmdir(d .. "/e")) end,
          rmtree = function() assert(modfs.rmtree(d .. "/e")) end,
          rename = function()
            assert(modfs.rename(d .. "/e/a", away) and modfs.rmdir(d .. "/e"))
          end,
          transaction = function()
            local transaction = transaction_on(d)
            assert(modfs.remove(d .. "/e/a") and modfs.rmdir(d .. "/e") and transaction:commit())
          end,
        }
        for way, delete in pairs(ways) do
          assert(modfs.makedirs(d .. "/e") and modfs.write(d .. "/e/a", "a"))
          fails("FAILED_PRECONDITION", modfs.write(d, "d")) -- both are known to have keys now
          delete()
          assert(modfs.rmdir(d) and modfs.write(d, "d"))
          for _, below in ipairs { d .. "/e/a", d .. "/b" } do
            fails("FAILED_PRECONDITION", modfs.write(below, way))
            fails("FAILED_PRECONDITION", modfs.remove(below))
          end
          assert(modfs.rmtree(root .. "gone"))
        end
      end)

      it("goes on with what is there", function()
        for _, before in ipairs { 0, 5, 10, 499, 500, 3000, 5001 } do
          for _, more in ipairs { 1, 1000, 4321 } do
            local name = root .. "appended"
            assert(modfs.write(name, ("a"):rep(before)))
            local file = assert(modfs.open(name, "a"))
            assert(file:write(("b"):rep(more)))
            assert(file:sync())
            assert.equal(before + more, modfs.stat(name).length)
            assert(file:write "cc")
            assert(file:close())
            assert.equal(("a"):rep(before) .. ("b"):rep(more) .. "cc", modfs.read(name))
          end
        end
      end)

      it("takes larger parts where there are many", function()
        assert(modfs.config(scheme, { part_bytes = 1 }))
        local content = ("0123456789"):rep(900)
        local file = assert(modfs.open(root .. "long", "w"))
        for i = 1, #content, 997 do
          assert(file:write(content:sub(i, i + 996)))
        end
        assert(file:close())
        assert.equal(content, modfs.read(root .. "long"))
      end)

      it("replaces nothing that has changed since", function()
        assert(modfs.write(root .. "changed", ("a"):rep(2000)))
        local file = assert(modfs.open(root .. "changed", "a"))
        assert(file:write "b")
        assert(modfs.write(root .. "changed", "other"))
        local closed, _, code = file:close()
        assert.is_nil(closed)
        assert.equal("ABORTED", code)
        assert.equal("other", modfs.read(root .. "changed"))
      end)

      it("lists pages, and deletes a tree", function()
        for i = 1, 300 do
          assert(modfs.write(("%stree/%d/file"):format(root, i), "x"))
        end
        assert.equal(300, #modfs.listdir(root .. "tree"))
        assert(modfs.rmtree(root .. "tree"))
        assert.is_false(modfs.exists(root .. "tree"))
        local gone, _, code = modfs.remove(root .. "tree/1/file")
        assert.is_nil(gone)
        assert.equal("NOT_FOUND", code)
      end)

      it("commits writes, copies and renames in their order", function()
        local old, large = ("o"):rep(30), ("l"):rep(7777)
        assert(modfs.write(root .. "t/old", old))
        assert(modfs.write(root .. "t/large", large))
        local transaction = transaction_on(root .. "t")
        assert(modfs.copy(root .. "t/old", root .. "t/copied"))
        assert(modfs.copy(root .. "t/large", root .. "t/copied_large"))
        assert(modfs.rename(root .. "t/old", root .. "t/new"))
        assert(modfs.write(root .. "t/written", large))
        assert(modfs.write(root .. "t/empty", ""))
        assert.is_false(modfs.exists(root .. "t/copied"))
        assert(transaction:commit())
        assert.equal(old, modfs.read(root .. "t/copied"))
        assert.equal(large, modfs.read(root .. "t/copied_large"))
        assert.equal(old, modfs.read(root .. "t/new"))
        assert.equal(large, modfs.read(root .. "t/written"))
        assert.equal("", modfs.read(root .. "t/empty"))
        assert.is_false(modfs.exists(root .. "t/old"))
      end)

      -- The etag of these stores tells the object whose own it has.
      it("keeps what is the object's own in copies, and where it is appended to", function()
        assert(modfs.config(scheme, { copy_bytes = 2000 }))
        for name, size in pairs { small = 30, large = 7777 } do
          local source = root .. "own/" .. name
          assert(modfs.write(source, ("s"):rep(size)))
          local origin = assert(modfs.hash(source, "etag"))
          assert(modfs.append(source, ("a"):rep(3000)))
          assert(modfs.copy(source, source .. " copied"))
          local transaction = transaction_on(root .. "own")
          assert(modfs.copy(source, source .. " committed"))
          assert(transaction:commit())
          for _, kept in ipairs { "", " copied", " committed" } do
            assert.equal(origin, modfs.hash(source .. kept, "etag"), name .. kept)
          end
        end
        assert(modfs.config(scheme, { copy_bytes = 1048576 }))
      end)

      it("commits the last of two files of one name", function()
        local transaction = transaction_on(root .. "twice")
        assert(modfs.write(root .. "twice/a", ("1"):rep(4000)))
        assert(modfs.write(root .. "twice/b", "b"))
        assert(modfs.write(root .. "twice/a", ("2"):rep(3000)))
        assert(transaction:commit())
        assert.equal(("2"):rep(3000), modfs.read(root .. "twice/a"))
        assert.equal("b", modfs.read(root .. "twice/b"))
      end)

      it("keeps attributes", function()
        assert(modfs.write(root .. "kept", ("a"):rep(2000)))
        assert(modfs.chmod(root .. "kept", 384))
        assert.equal(384, modfs.stat(root .. "kept").mode)
        assert(modfs.copy(root .. "kept", root .. "kept too"))
        assert.equal(384, modfs.stat(root .. "kept too").mode)
      end)

      it("passes the cases of modfs check", function()
        local only = table.concat(cases, "' --only '")
        local status, out, err = shell.run(("%s bin/modfs check --scheme %s --root %sroot " ..
          "--seconds 120 --tap --only '%s'"):format(os.getenv "LUA" or "lua5.4", scheme, root,
          only), path)
        assert.is_nil(out:find("\nnot ok", 1, true), out)
        assert.equal(0, status, err)
        assert.is_true(select(2, out:gsub("\nok ", "")) > 140)
      end)
    end)
  end

  it("gives up an upload that the next one of that name would end", function()
    local transaction = transaction_on "blocks://bucket/moved"
    assert(modfs.write("blocks://bucket/moved/a", ("1"):rep(4000)))
    assert(modfs.rename("blocks://bucket/moved/a", "blocks://bucket/moved/b"))
    assert(modfs.write("blocks://bucket/moved/a", ("2"):rep(4000)))
    local committed, _, code = transaction:commit() -- the control: this one is needed
    assert.is_nil(committed)
    assert.equal("ABORTED", code)
  end)

  it("copies at the commit what the transaction saw", function()
    assert(modfs.write("ordered://bucket/seen/a", "old"))
    local transaction = transaction_on "ordered://bucket/seen/to"
    assert(modfs.copy("ordered://bucket/seen/a", "ordered://bucket/seen/to/a"))
    assert(modfs.write("ordered://bucket/seen/a", "new"))
    local committed, _, code = transaction:commit()
    assert.is_nil(committed)
    assert.equal("ABORTED", code)
    assert.is_false(modfs.exists "ordered://bucket/seen/to/a")
  end)
end)
