-- Every handle of a plugin is ended exactly once, and everything it allocated goes back to it:
-- by close, by the collector, and by the end of the Lua state. A plugin that ends the process at
-- the first wrong call is the checker.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local shell = require "spec.support.shell"

local shelf, checker

local nothing_left = "readers 0 writers 0 regions 0 listings 0 tokens 0 blocks 0 unclosed 0"

setup(function()
  shelf = build.shelf()
  checker = shelf:put(build.compile("checker.so", "spec/fixtures/checker/checker.c"), "checker")
end)

teardown(function()
  shelf:remove()
end)

local prelude = [[
  if rawget(_G, "jit") then
    jit.off() -- compiled code keeps the functions that it has called, iterators among them
  end
  local modfs = require "modfs"
  assert(modfs.load(%q))

  -- What is alive in the plugin, as "readers 1 regions 2"; "" for nothing.
  local function alive()
    local words = {}
    for name, count in pairs(assert(modfs.config "checker")) do
      words[#words + 1] = count ~= 0 and name .. " " .. count or nil
    end
    table.sort(words)
    return table.concat(words, " ")
  end

  local function collect()
    collectgarbage()
    collectgarbage()
  end

  -- Something of each kind, by name.
  local make = {
    reader = function()
      return assert(modfs.open "checker:///file")
    end,
    input = function()
      local file = assert(modfs.open "checker:///file")
      assert(file:read(3) == "che")
      return file
    end,
    writer = function()
      local writable = assert(modfs.open("checker:///file", "w"))
      assert(writable:write "pending")
      return writable
    end,
    region = function()
      return assert(modfs.map "checker:///file")
    end,
    listing = function()
      local step = modfs.dir "checker:///"
      assert(step())
      return step
    end,
    transaction = function()
      return assert(assert(modfs.filesystem "checker"):start_transaction())
    end,
  }
]]

-- Runs code after the prelude in a process of its own.
local function run(code)
  return child(prelude:format(checker) .. code, { before = "export CHECKER_REPORT=1; ulimit -c 0" })
end

local function passes(code)
  local status, _, err = run(code)
  assert.equal(0, status, err)
  assert.is_truthy(err:find(nothing_left, 1, true), err)
end

describe("the checker", function()
  local misuse

  setup(function()
    local runtime = shell.output("realpath", (os.getenv "BUILD" or "build")
      .. "/modfs/libtensorflow_framework.so.2")
    misuse = build.compile("misuse", "spec/fixtures/checker/misuse.c", { program = true,
      libraries = runtime .. " -Wl,-rpath," .. runtime:gsub("/[^/]*$", "") })
  end)

  it("lets a host pass that does nothing wrong", function()
    local status, _, err = shell.run(misuse, checker, "nothing")
    assert.equal(0, status, err)
  end)

  for deed, word in pairs {
    ["cleanup twice"] = "cleanup after the end, of readers",
    ["read after end"] = "read after the end, of readers",
    ["close twice"] = "close after close",
    ["data after end"] = "data after the end, of regions",
    ["free foreign"] = "foreign memory freed",
    ["free twice"] = "memory freed twice",
    ["stale status"] = "a status that is not fresh",
    ["commit twice"] = "end_transaction after the end, of tokens",
    ["cleanup registered"] = "cleanup of a registered filesystem",
  } do
    it("ends a host that does this: " .. deed, function()
      -- In a function, so that the shell's word about the signal goes where the output goes.
      local status, _, err = shell.run([[ulimit -c 0; run() { "$@"; return $?; }; run]], misuse,
        checker, deed)
      if err:find("AddressSanitizer", 1, true) then
        assert.equal("free twice", deed, err) -- it sees that before the checker can
        return
      end
      assert.equal(134, status, err)
      assert.is_truthy(err:find("checker: " .. word, 1, true), err)
    end)
  end

  it("counts what is left", function()
    local status, _, err = run [[
      kept = make.reader()
      assert(alive() == "readers 1", alive())
      os.exit(0)
    ]]
    assert.equal(0, status, err)
    assert.is_truthy(err:find("readers 1 writers 0", 1, true), err)
  end)
end)

describe("close", function()
  it("ends each kind, once", function()
    passes [[
      for _, kind in ipairs { "reader", "input", "writer", "region" } do
        local object = make[kind]()
        assert(alive() ~= "", kind)
        assert(object:close() == true)
        assert(alive() == "", alive())
        assert(not pcall(object.close, object))
        object = nil
        collect()
        assert(alive() == "", alive())
      end
    ]]
  end)

  it("makes every further use an error that the plugin does not see", function()
    passes [[
      local reader, writer, region = make.reader(), make.writer(), make.region()
      reader:close()
      writer:close()
      region:close()
      assert(not pcall(reader.read, reader))
      assert(not pcall(reader.pread, reader, 0, 1))
      assert(not pcall(writer.write, writer, "x"))
      assert(not pcall(writer.tell, writer))
      assert(not pcall(writer.flush, writer))
      assert(not pcall(region.sub, region, 1))
      assert(not pcall(function() return #region end))
    ]]
  end)

  it("ends a writer whose writes failed, too", function()
    passes [[
      local writer = make.writer()
      assert(writer:write "!")
      local _, message, code = writer:close()
      assert(code == "RESOURCE_EXHAUSTED", message)
      assert(alive() == "", alive())
      local other = make.writer()
      assert(other:write "!")
      assert(not other:flush())
      assert(not other:sync())
      assert(not other:tell())
      assert(not other:close())
    ]]
  end)

  it("of a region leaves a live slice its bytes", function()
    passes [[
      local region = make.region()
      local slice = region:slice(2, 4)
      local inner = slice:slice(2)
      region:close()
      assert(slice:sub(1) == "hec")
      slice:close()
      assert(inner:sub(1) == "ec")
      assert(alive() == "regions 1", alive())
      inner:close()
      assert(alive() == "", alive())
    ]]
  end)

  it("of a transaction is its abort; a commit ends it as well", function()
    passes [[
      local first, second, third = make.transaction(), make.transaction(), make.transaction()
      assert(alive() == "blocks 3 tokens 3", alive())
      assert(first:commit())
      assert(not pcall(first.commit, first))
      assert(second:abort())
      assert(third:close())
      assert(alive() == "", alive())
    ]]
  end)
end)

describe("the collector", function()
  it("ends what was dropped", function()
    passes [[
      for kind, new in pairs(make) do
        do
          local dropped = new()
          assert(alive() ~= "", kind)
        end
        collect()
        assert(alive() == "", kind .. ": " .. alive())
      end
    ]]
  end)

  it("ends ten thousand files that nobody closed", function()
    passes [[
      for _ = 1, 10000 do
        make.reader()
        make.region()
      end
      collect()
      assert(alive() == "", alive())
    ]]
  end)

  it("ends things in any order of their making", function()
    passes [[
      local kinds = { "reader", "input", "writer", "region", "listing", "transaction" }
      local orders = 0
      local function permute(n, objects)
        if n == 0 then
          orders = orders + 1
          for i, kind in ipairs(kinds) do
            objects[i] = make[kind]()
            objects[i + 6] = kind == "region" and objects[i]:slice(2) or nil
          end
          for i = 1, 12 do
            objects[i] = nil
          end
          collectgarbage()
          return
        end
        for i = 1, n do
          kinds[i], kinds[n] = kinds[n], kinds[i]
          permute(n - 1, objects)
          kinds[i], kinds[n] = kinds[n], kinds[i]
        end
      end
      permute(6, {})
      assert(orders == 720)
      collect()
      assert(alive() == "", alive())
    ]]
  end)

  it("ends what a failing call left half made", function()
    passes [[
      for _ = 1, 100 do
        assert(not modfs.open "checker:///missing")
        assert(not modfs.map "checker:///missing")
        assert(not modfs.open("checker:///dir", "w"))
        assert(not modfs.listdir "checker:///file")
        assert(not modfs.dir "checker:///file")
        assert(not modfs.copy("checker:///file", "nosuch://x"))
      end
      assert(alive() == "", alive())
    ]]
  end)
end)

describe("an iteration", function()
  it("ends by itself, when it is left, and when its body fails", function()
    passes [[
      local count = 0
      for _ in modfs.dir "checker:///" do
        count = count + 1
      end
      assert(count == 2)
      assert(alive() == "", alive())
      for _ in modfs.dir "checker:///" do
        if count == 2 then break end
      end
      pcall(function()
        for _ in modfs.dir "checker:///" do
          error "in the body"
        end
      end)
      if _VERSION == "Lua 5.4" then
        assert(alive() == "", alive())
      end
      collect()
      assert(alive() == "", alive())
    ]]
  end)

  it("does not ask beyond the last name", function()
    passes [[
      local step = modfs.dir "checker:///"
      assert(step() and step() and not step())
      pcall(step)
      pcall(step)
    ]]
  end)

  it("of lines ends by itself, too", function()
    passes [[
      for line in modfs.lines "checker:///file" do
        assert(line == "checked")
      end
      assert(alive() == "", alive())
    ]]
  end)
end)

describe("the end of the Lua state", function()
  it("ends everything that is still open", function()
    passes [[
      kept = {}
      for round = 1, 3 do
        for kind, new in pairs(make) do
          kept[kind .. round] = new()
        end
      end
      kept.slice = kept.region1:slice(2)
      kept.file = assert(modfs.filesystem "checker")
    ]]
  end)

  it("ends it after an error, too", function()
    local status, _, err = run [[
      kept = { make.reader(), make.writer(), make.region(), make.listing(), make.transaction() }
      error "on purpose"
    ]]
    assert.equal(1, status, err)
    assert.is_truthy(err:find(nothing_left, 1, true), err)
  end)

  it("by os.exit with closing ends it; without, nothing is called and nothing breaks", function()
    local code = [[
      kept = { make.reader(), make.writer(), make.region(), make.listing(), make.transaction() }
      os.exit(%s)
    ]]
    if _VERSION ~= "Lua 5.1" then
      passes(code:format "0, true")
      passes("coroutine.wrap(function() " .. code:format "0, true" .. " end)()")
    end
    local status, _, err = run(code:format "0")
    assert.equal(0, status, err)
    assert.is_truthy(err:find("readers 1 writers 1 regions 1 listings 1 tokens 1", 1, true), err)
  end)

  it("ends what a finalizer has brought back", function()
    passes [[
      local revived
      local guard = setmetatable({ make.region() }, { __gc = function(self)
        revived = self[1]
        pcall(revived.sub, revived, 1)
      end })
      guard = nil
      collect()
      if revived then
        pcall(revived.sub, revived, 1)
      end
    ]]
  end)
end)

describe("lists and strings of the plugin", function()
  it("go back to it, whatever happens", function()
    passes [[
      local fs = assert(modfs.filesystem "checker")
      for _ = 1, 100 do
        assert(#fs:get_children "checker:///" == 2)
        assert(#fs:get_matching_paths "checker:///*" == 2)
        assert(#fs:get_filesystem_configuration() == 7)
        assert(fs:get_filesystem_configuration_option "readers")
        assert(#fs:get_filesystem_configuration_keys() == 7)
        assert(fs:translate_name "checker:///a/../b" == "/b")
        assert(fs:paths_exist { "checker:///a", "checker:///b" })
        assert(not fs:get_children "checker:///file")
        assert(not fs:get_filesystem_configuration_option "missing")
      end
      local transaction = make.transaction()
      assert(tostring(transaction):find "token of the checker")
      assert(transaction:commit())
      assert(alive() == "", alive())
    ]]
  end)
end)
