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

  local function change_much()
    assert.is_true(modfs.write("mem://tx/dir/new", "new"))
    assert.is_true(modfs.makedirs "mem://tx/dir/sub/deep")
    assert.is_true(modfs.rename("mem://tx/dir/old", "mem://tx/dir/moved"))
  end

  local function is_untouched()
    assert.same(before, seen())
    assert.is_false(modfs.exists "mem://tx/dir/new")
  end

  it("does not read its own writes, which build on each other", function()
    assert.is_true(tx:add "mem://tx/dir")
    assert.is_true(modfs.write("mem://tx/dir/old", "new content"))
    assert.is_true(modfs.mkdir "mem://tx/dir/made")
    assert.is_true(modfs.write("mem://tx/dir/made/file", "made"))
    assert.is_true(modfs.rename("mem://tx/dir/made/file", "mem://tx/dir/moved"))
    assert.equal("old content", modfs.read "mem://tx/dir/old")
    assert.same(before, seen())
    assert.is_true(tx:commit())
    assert.same({ ["/dir"] = true, ["/dir/old"] = "new content", ["/dir/made"] = true,
      ["/dir/moved"] = "made" }, seen())
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

  it("keeps a deleted file and a deleted tree in view", function()
    assert.is_true(tx:add "mem://tx/dir")
    assert.is_true((modfs.rmtree "mem://tx/dir"))
    assert.same(before, seen())
    assert.is_true(tx:commit())
    assert.same({}, seen())
  end)

  it("takes paths in every spelling", function()
    assert.is_true(tx:add "mem:///tx//dir/x/../new")
    assert.equal(tx, fs:get_transaction_for_path "mem://tx/dir/new")
    assert.equal(tx, fs:get_transaction_for_path "/tx/dir/new")
    fails("INVALID_ARGUMENT", tx:add "file:///tx/dir")
    fails("INVALID_ARGUMENT", tx:add "mem://tx/\0dir")
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
