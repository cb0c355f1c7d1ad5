local modfs = require "modfs"
local fails = require "spec.support.fails"

describe("a transaction of the memory filesystem", function()
  local fs = modfs.filesystem "mem"
  local tx

  before_each(function()
    assert.is_true(modfs.mkdir "mem://tx")
    assert.is_true(modfs.mkdir "mem://tx/dir")
    assert.is_true(modfs.write("mem://tx/dir/old", "old content"))
    tx = assert(fs:start_transaction())
  end)
  after_each(function()
    pcall(tx.abort, tx)
    tx = nil -- luacheck: ignore 331
    modfs.rmtree "mem://tx"
  end)

  -- All that can be seen below mem://tx: relative path -> content, or true for a directory.
  local function seen()
    local found, todo = {}, { "" }
    while #todo > 0 do
      local directory = table.remove(todo)
      for _, name in ipairs(modfs.listdir("mem://tx" .. directory)) do
        local relative = directory .. "/" .. name
        local is_directory = modfs.isdir("mem://tx" .. relative)
        found[relative] = is_directory or modfs.read("mem://tx" .. relative)
        todo[#todo + 1] = is_directory and relative or nil
      end
    end
    return found
  end

  local before = { ["/dir"] = true, ["/dir/old"] = "old content" }

  -- Does something of everything below mem://tx/dir.
  local function change_much()
    assert.is_true(modfs.write("mem://tx/dir/new", "new"))
    assert.is_true(modfs.makedirs "mem://tx/dir/sub/deep")
    assert.is_true(modfs.write("mem://tx/dir/sub/deep/file", "deep"))
    assert.is_true(modfs.copy("mem://tx/dir/old", "mem://tx/dir/copied"))
    assert.is_true(modfs.rename("mem://tx/dir/old", "mem://tx/dir/moved"))
    assert.is_true(modfs.write("mem://tx/dir/gone", "gone"))
    assert.is_true(modfs.remove "mem://tx/dir/gone")
  end

  local after = {
    ["/dir"] = true, ["/dir/new"] = "new", ["/dir/sub"] = true, ["/dir/sub/deep"] = true,
    ["/dir/sub/deep/file"] = "deep", ["/dir/moved"] = "old content",
    ["/dir/copied"] = "old content",
  }

  local function is_untouched()
    assert.same(before, seen())
    assert.is_false(modfs.exists "mem://tx/dir/new")
    fails("NOT_FOUND", modfs.open "mem://tx/dir/new")
    fails("NOT_FOUND", modfs.stat "mem://tx/dir/moved")
    fails("NOT_FOUND", modfs.map "mem://tx/dir/sub/deep/file")
    assert.is_false(modfs.isdir "mem://tx/dir/sub")
    assert.same({ "mem://tx/dir/old" }, modfs.glob "mem://tx/dir/*")
    assert.equal(11, modfs.size "mem://tx/dir/old")
  end

  it("hides what is written, made, renamed and deleted until its commit", function()
    assert.is_true(tx:add "mem://tx/dir")
    is_untouched()
    change_much()
    is_untouched()
    assert.is_true(tx:commit())
    assert.same(after, seen())
  end)

  it("leaves no trace of what was aborted", function()
    local function times()
      return { modfs.stat("mem://tx/dir").mtime_nsec, modfs.stat("mem://tx/dir/old").mtime_nsec }
    end
    local first = times()
    assert.is_true(tx:add "mem://tx/dir")
    change_much()
    assert.is_true(tx:abort())
    is_untouched()
    assert.same(first, times())
    fails("NOT_FOUND", fs:get_transaction_for_path "mem://tx/dir")
    assert.is_true(modfs.write("mem://tx/dir/new", "seen at once"))
    assert.equal("seen at once", modfs.read "mem://tx/dir/new")
  end)

  it("leaves no trace when it is closed without a commit", function()
    assert.is_true(tx:add "mem://tx/dir")
    change_much()
    assert.is_true(tx:close())
    is_untouched()
    fails("NOT_FOUND", fs:get_transaction_for_path "mem://tx/dir")
  end)

  it("leaves no trace when it is collected without a commit", function()
    assert.is_true(tx:add "mem://tx/dir")
    change_much()
    tx = nil
    collectgarbage()
    collectgarbage()
    is_untouched()
    fails("NOT_FOUND", fs:get_transaction_for_path "mem://tx/dir")
    tx = assert(fs:start_transaction())
  end)

  it("hides what the writer itself has written, also while it writes", function()
    assert.is_true(tx:add "mem://tx/dir/new")
    local writable = assert(modfs.open("mem://tx/dir/new", "w"))
    writable:write "new"
    assert.is_true(writable:flush())
    assert.is_false(modfs.exists "mem://tx/dir/new")
    assert.equal(3, writable:tell())
    assert.is_true(writable:close())
    fails("NOT_FOUND", modfs.read "mem://tx/dir/new")
    assert.is_true(tx:commit())
    assert.equal("new", modfs.read "mem://tx/dir/new")
  end)

  it("keeps the old content in view while a file is replaced or appended to", function()
    assert.is_true(tx:add "mem://tx/dir/old")
    assert.is_true(modfs.write("mem://tx/dir/old", " and more", { append = true }))
    assert.equal("old content", modfs.read "mem://tx/dir/old")
    assert.equal(11, modfs.size "mem://tx/dir/old")
    assert.is_true(tx:commit())
    assert.equal("old content and more", modfs.read "mem://tx/dir/old")
    tx = assert(fs:start_transaction())
    assert.is_true(tx:add "mem://tx/dir/old")
    assert.is_true(modfs.write("mem://tx/dir/old", "replaced"))
    assert.equal("old content and more", modfs.read "mem://tx/dir/old")
    assert.is_true(tx:commit())
    assert.equal("replaced", modfs.read "mem://tx/dir/old")
  end)

  it("keeps a deleted file and a deleted tree in view", function()
    assert.is_true(tx:add "mem://tx/dir")
    assert.is_true((modfs.rmtree "mem://tx/dir"))
    assert.same(before, seen())
    assert.is_true(tx:commit())
    assert.same({}, seen())
  end)

  it("covers a directory and what is below it, and nothing beside it", function()
    assert.is_true(tx:add "mem://tx/dir")
    assert.equal(tx, fs:get_transaction_for_path "mem://tx/dir")
    assert.equal(tx, fs:get_transaction_for_path "mem://tx/dir/any/thing")
    fails("NOT_FOUND", fs:get_transaction_for_path "mem://tx")
    fails("NOT_FOUND", fs:get_transaction_for_path "mem://tx/dir2")
    assert.is_true(modfs.write("mem://tx/dir2", "beside"))
    assert.equal("beside", modfs.read "mem://tx/dir2")
  end)

  it("takes paths in every spelling", function()
    assert.is_true(tx:add "mem:///tx//dir/x/../new")
    assert.equal(tx, fs:get_transaction_for_path "mem://tx/dir/new")
    assert.equal(tx, fs:get_transaction_for_path "/tx/dir/new")
    fails("INVALID_ARGUMENT", tx:add "file:///tx/dir")
    fails("INVALID_ARGUMENT", tx:add "mem://tx/\0dir")
  end)

  it("holds several paths, and shows them all at once", function()
    assert.is_true(tx:add "mem://tx/one")
    assert.is_true(tx:add "mem://tx/two")
    assert.is_true(tx:add "mem://tx/two")
    assert.is_true(modfs.write("mem://tx/one", "1"))
    assert.is_true(modfs.write("mem://tx/two", "2"))
    assert.same(before, seen())
    assert.is_true(tx:commit())
    assert.equal("1", seen()["/one"])
    assert.equal("2", seen()["/two"])
  end)

  it("does not share a path with another one", function()
    local other = assert(fs:start_transaction())
    assert.not_equal(tx, other)
    assert.is_true(tx:add "mem://tx/dir")
    fails("FAILED_PRECONDITION", other:add "mem://tx/dir")
    fails("FAILED_PRECONDITION", other:add "mem://tx/dir/below")
    assert.is_true(other:add "mem://tx/apart")
    assert.is_true(modfs.write("mem://tx/apart", "other"))
    assert.is_true(other:commit())
    assert.equal("other", modfs.read "mem://tx/apart")
    assert.is_true(tx:commit())
  end)

  it("is one object, whoever asks", function()
    assert.is_true(fs:add_to_transaction("mem://tx/dir", tx))
    assert.is_true(rawequal(tx, fs:get_transaction_for_path "mem://tx/dir"))
    assert.is_true(rawequal(tx, fs:get_or_start_transaction_for_path "mem://tx/dir/x"))
    local started = assert(fs:get_or_start_transaction_for_path "mem://tx/other")
    assert.is_false(rawequal(tx, started))
    assert.is_true(rawequal(started, fs:get_transaction_for_path "mem://tx/other"))
    assert.is_true(modfs.write("mem://tx/other", "hidden"))
    assert.is_false(modfs.exists "mem://tx/other")
    assert.is_true(fs:end_transaction(started))
    assert.equal("hidden", modfs.read "mem://tx/other")
  end)

  it("has a border that no rename crosses", function()
    assert.is_true(modfs.write("mem://tx/out", "out"))
    assert.is_true(tx:add "mem://tx/dir")
    fails("FAILED_PRECONDITION", modfs.rename("mem://tx/out", "mem://tx/dir/in"))
    fails("FAILED_PRECONDITION", modfs.rename("mem://tx/dir/old", "mem://tx/moved"))
    fails("FAILED_PRECONDITION", modfs.rmtree "mem://tx")
    assert.is_true(tx:commit())
    before["/out"] = "out"
    assert.same(before, seen())
    before["/out"] = nil
  end)

  it("copies out what can be seen, and in what cannot", function()
    assert.is_true(tx:add "mem://tx/dir")
    assert.is_true(modfs.write("mem://tx/dir/old", "hidden"))
    assert.is_true(modfs.copy("mem://tx/dir/old", "mem://tx/copied"))
    assert.equal("old content", modfs.read "mem://tx/copied")
    assert.is_true(modfs.copy("mem://tx/copied", "mem://tx/dir/in"))
    assert.is_false(modfs.exists "mem://tx/dir/in")
    assert.is_true(tx:commit())
    assert.equal("old content", modfs.read "mem://tx/dir/in")
  end)

  it("holds by its own name a file that is written beside it and put in its place", function()
    local here = os.tmpname()
    assert.is_true(modfs.write(here, "from disk"))
    for _, name in ipairs { "dir/old", "written", "copied", "moved" } do
      assert.is_true(tx:add("mem://tx/" .. name))
    end
    assert.is_true(modfs.write("mem://tx/dir/old", "lost", { atomic = true, durable = false }))
    assert.is_true(modfs.write("mem://tx/dir/old", "changed", { atomic = true }))
    local file = assert(modfs.open("mem://tx/dir/old", "w", { atomic = true }))
    assert(file:write "not wanted")
    assert.is_true(file:abort())
    assert.is_true(modfs.write("mem://tx/written", "written", { atomic = true }))
    assert.is_true(modfs.copy(here, "mem://tx/copied"))
    assert.is_true(modfs.rename(here, "mem://tx/moved"))
    assert.is_false(modfs.exists(here))
    assert.same(before, seen())
    assert.is_true(tx:commit())
    assert.same({ ["/dir"] = true, ["/dir/old"] = "changed", ["/written"] = "written",
      ["/copied"] = "from disk", ["/moved"] = "from disk" }, seen())
  end)

  it("has trees copied into it, and counts their bytes", function()
    assert.is_true(tx:add "mem://tx/tree")
    local counts = assert(modfs.copytree("mem://tx/dir", "mem://tx/tree"))
    assert.equal(#"old content", counts.bytes)
    assert.equal(#"old content", assert(modfs.sync("mem://tx/dir", "mem://tx/tree")).bytes)
    assert.same(before, seen())
  end)

  it("goes on with a file that is still open at the commit", function()
    assert.is_true(tx:add "mem://tx/dir")
    local writable = assert(modfs.open("mem://tx/dir/new", "w"))
    writable:write "one"
    assert.is_true(writable:flush())
    assert.is_true(tx:commit())
    assert.equal("one", modfs.read "mem://tx/dir/new")
    writable:write "two"
    assert.is_true(writable:close())
    assert.equal("onetwo", modfs.read "mem://tx/dir/new")
  end)

  it("ends a file that is still open when it is aborted", function()
    assert.is_true(tx:add "mem://tx/dir")
    local writable = assert(modfs.open("mem://tx/dir/new", "w"))
    writable:write "lost"
    assert.is_true(tx:abort())
    fails("ABORTED", writable:flush())
    fails("ABORTED", writable:close())
    is_untouched()
  end)

  it("tells what it is", function()
    assert.equal("transaction", modfs.type(tx))
    assert.is_string(fs:decode_transaction_token(tx))
    assert.is_truthy(tostring(tx):find(fs:decode_transaction_token(tx), 1, true))
    assert.is_nil(tostring(tx):find "0x")
  end)

  it("raises once it has ended", function()
    assert.is_true(tx:commit())
    for _, method in ipairs { "commit", "abort", "add", "close" } do
      assert.error_matches(function() tx[method](tx, "mem://tx/dir") end, "closed transaction")
    end
    assert.error_matches(function() fs:end_transaction(tx) end, "closed transaction")
    assert.error_matches(function() fs:decode_transaction_token(tx) end, "closed transaction")
    assert.equal("modfs.Transaction (closed)", tostring(tx))
    assert.equal("closed transaction", modfs.type(tx))
    assert.same(before, seen())
  end)

  it("is known to its own filesystem alone", function()
    local posix = modfs.filesystem ""
    fails("INVALID_ARGUMENT", posix:end_transaction(tx))
    fails("INVALID_ARGUMENT", posix:add_to_transaction("/tmp/x", tx))
    fails("INVALID_ARGUMENT", posix:decode_transaction_token(tx))
    assert.is_true(tx:commit())
  end)

  it("commits and aborts without a path", function()
    assert.is_true(tx:commit())
    tx = assert(fs:start_transaction())
    assert.is_true(tx:abort())
    assert.same(before, seen())
  end)
end)

describe("transactions of the posix filesystem", function()
  it("are UNIMPLEMENTED", function()
    local posix = modfs.filesystem ""
    fails("UNIMPLEMENTED", posix:start_transaction())
    fails("UNIMPLEMENTED", posix:get_transaction_for_path "/tmp")
    fails("UNIMPLEMENTED", posix:get_or_start_transaction_for_path "/tmp")
  end)
end)
