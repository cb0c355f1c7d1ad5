-- What becomes of the handles of a plugin that ends the process at the first wrong call
-- (lifetime_spec.lua): the plugin, the scene.
-- luacheck: globals kept, ignore 211/dropped 231/guard 311/object
local checker, scene = ...

if rawget(_G, "jit") then
  jit.off() -- compiled code keeps the functions that it has called, iterators among them
end
local modfs = require "modfs"
assert(modfs.load(checker))

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

local scenes = {}

function scenes.counts_what_is_left()
  kept = make.reader()
  assert(alive() == "readers 1", alive())
  os.exit(0)
end

function scenes.close()
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
end

function scenes.use_after_close()
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
end

function scenes.close_of_failed_writer()
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
end

function scenes.slices()
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
end

function scenes.transactions()
  local first, second, third = make.transaction(), make.transaction(), make.transaction()
  assert(alive() == "blocks 3 tokens 3", alive())
  assert(first:commit())
  assert(not pcall(first.commit, first))
  assert(second:abort())
  assert(third:close())
  assert(alive() == "", alive())
end

function scenes.dropped()
  for kind, new in pairs(make) do
    do
      local dropped = new()
      assert(alive() ~= "", kind)
    end
    collect()
    assert(alive() == "", kind .. ": " .. alive())
  end
end

function scenes.ten_thousand()
  for _ = 1, 10000 do
    make.reader()
    make.region()
  end
  collect()
  assert(alive() == "", alive())
end

function scenes.every_order()
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
end

function scenes.half_made()
  for _ = 1, 100 do
    assert(not modfs.open "checker:///missing")
    assert(not modfs.map "checker:///missing")
    assert(not modfs.open("checker:///dir", "w"))
    assert(not modfs.listdir "checker:///file")
    assert(not modfs.dir "checker:///file")
    assert(not modfs.copy("checker:///file", "nosuch://x"))
  end
  assert(alive() == "", alive())
end

function scenes.iteration()
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
end

function scenes.beyond_the_last()
  local step = modfs.dir "checker:///"
  assert(step() and step() and not step())
  pcall(step)
  pcall(step)
end

function scenes.lines()
  for line in modfs.lines "checker:///file" do
    assert(line == "checked")
  end
  assert(alive() == "", alive())
end

function scenes.end_of_state()
  kept = {}
  for round = 1, 3 do
    for kind, new in pairs(make) do
      kept[kind .. round] = new()
    end
  end
  kept.slice = kept.region1:slice(2)
  kept.file = assert(modfs.filesystem "checker")
end

function scenes.end_after_error()
  kept = { make.reader(), make.writer(), make.region(), make.listing(), make.transaction() }
  error "on purpose"
end

-- One of each is open as the process ends.
local function exit(...)
  kept = { make.reader(), make.writer(), make.region(), make.listing(), make.transaction() }
  os.exit(...)
end

function scenes.exit()
  exit(0)
end

function scenes.exit_with_closing()
  exit(0, true)
end

function scenes.exit_in_a_coroutine()
  coroutine.wrap(exit)(0, true)
end

function scenes.revived()
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
end

function scenes.lists()
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
end

scenes[scene]()
