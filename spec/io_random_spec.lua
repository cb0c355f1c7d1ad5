-- io and modfs.io in the same random calls: what they return, the texts of what they raise and
-- where that is said to have happened are the same, but for spec/support/io_deviations.lua, which
-- the calls leave out by name.
-- MODFS_IO_CALLS=n for more calls, MODFS_IO_SEED=n for others.
local deviations = require "spec.support.io_deviations"
local mio = require "modfs.io"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"
local refusal = require "modfs.refusal"
local trial = require "spec.support.io_trial"

local CALLS = tonumber(os.getenv "MODFS_IO_CALLS") or 4000
local FIRST = tonumber(os.getenv "MODFS_IO_SEED") or 1

-- elsewhere: the deviations are left out.
local function in_folder(folder, elsewhere, read)
  return {
    folder = folder, elsewhere = elsewhere, write = modfs.write, read = read,
    clear = function()
      modfs.rmtree(folder)
      assert(modfs.makedirs(folder))
    end,
  }
end

-- modfs.io with one function that differs.
local function plant(name, body)
  local lib = {}
  for key, value in pairs(mio) do
    lib[key] = value
  end
  lib[name] = refusal.entry(body)
  return lib
end

local differences = {
  ["close(nil) closes the default output"] = plant("close", function(...)
    if ... == nil then
      return mio.output():close()
    end
    return refusal.delegate(mio.close, ...)
  end),
  ["a closed file becomes the default input"] = plant("input", function(...)
    if mio.type((...)) == "closed file" then
      return (...)
    end
    return refusal.delegate(mio.input, ...)
  end),
  ["nothing is written before a wrong argument"] = plant("write", function(...)
    for i = 1, select("#", ...) do
      local value = select(i, ...)
      if type(value) ~= "string" and type(value) ~= "number" then
        return refusal.no_string(i, ...)
      end
    end
    return refusal.delegate(mio.write, ...)
  end),
  ["a text is another"] = plant("open", function(...)
    local file, why, number = refusal.delegate(mio.open, ...)
    if number == 2 then
      why = why:gsub("No such", "No")
    end
    return file, why, number
  end),
  ["an error tells no position"] = plant("lines", function(...)
    local step, number, text = refusal.delegate(mio.lines, ...)
    if number == 0 then
      return step, -1, text
    end
    return step, number, text
  end),
  ["an error has the position of a function between"] = plant("read", function(...)
    return mio.read(...), nil
  end),
}

local function read_memory(path)
  return (modfs.read(path))
end

-- Seeds until so many calls were made; returns their number and the first difference.
local function compare(lib, place, stock, calls)
  local made, seed = 0, FIRST
  while made < calls do
    local expected = trial.run(io, seed, stock)
    local difference = trial.difference(seed, expected, trial.run(lib, seed, place))
    if difference then
      return made, difference
    end
    made, seed = made + #expected, seed + 1
  end
  return made
end

describe("io and modfs.io in random calls", function()
  local folder
  before_each(function()
    folder = tmpdir.large() -- where no disk has to keep step
  end)
  after_each(function()
    io.input(io.stdin)
    io.output(io.stdout)
    mio.input(io.stdin)
    mio.output(io.stdout)
    tmpdir.remove(folder)
    modfs.rmtree "mem://io-random"
  end)

  local function on_disk(elsewhere)
    return in_folder(folder .. "/files", elsewhere, tmpdir.content)
  end

  it("do the same on the disk", function()
    local made, difference = compare(mio, on_disk(false), on_disk(false), CALLS)
    assert.is_nil(difference)
    assert.truthy(made >= CALLS)
  end)

  it("do the same in memory and on the disk", function()
    local memory = in_folder("mem://io-random", true, read_memory)
    local made, difference = compare(mio, memory, on_disk(true), CALLS)
    assert.is_nil(difference)
    assert.truthy(made >= CALLS)
  end)

  it("have their deviations written in the reference", function()
    local section = tmpdir.content "docs/reference.md":match "#### Deviations from `io`\n(.-)\n```"
    section = section:gsub("%s+", " ")
    for _, deviation in ipairs(deviations) do
      assert.truthy(section:find("- " .. deviation, 1, true), deviation)
    end
    assert.equal(#deviations, select(2, section:gsub(" %- ", "")))
  end)

  it("do the same through a function that changes nothing", function()
    local same = plant("open", function(...)
      return refusal.delegate(mio.open, ...)
    end)
    local memory = in_folder("mem://io-random", true, read_memory)
    local _, difference = compare(same, memory, on_disk(true), 2000)
    assert.is_nil(difference)
  end)

  for what, lib in pairs(differences) do
    it("differ, and that is found, when " .. what, function()
      local memory = in_folder("mem://io-random", true, read_memory)
      local _, difference = compare(lib, memory, on_disk(true), 20000)
      assert.truthy(difference, "not found")
    end)
  end
end)
