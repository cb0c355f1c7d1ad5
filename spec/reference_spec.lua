-- docs/reference.md against what is bound: the same functions, with the same parameters, each with
-- an example; and the types for editors are those of the reference.
package.path = "scripts/?.lua;" .. package.path
local modfs = require "modfs"
local shell = require "spec.support.shell"
local signatures = require "meta.signatures"
local tmpdir = require "spec.support.tmpdir"

local text = tmpdir.content "docs/reference.md"
local found = signatures.read(text)

-- What to call methods on, by class.
local objects = {
  ["modfs.File"] = function() return modfs.open "mem://sample" end,
  ["modfs.WritableFile"] = function() return modfs.open("mem://written", "w") end,
  ["modfs.Region"] = function() return modfs.map "mem://sample" end,
  ["modfs.Buffer"] = function() return modfs.buffer(8) end,
  ["modfs.Directory"] = function() return select(2, modfs.dir "mem://") end,
  ["modfs.Tree"] = function() return modfs.tree("du", "mem://") end,
  ["modfs.Filesystem"] = function() return modfs.filesystem "mem" end,
  ["modfs.Transaction"] = function() return modfs.filesystem("mem"):start_transaction() end,
  ["modfs.Plugin"] = function() return modfs.plugins()[1] end,
  ["modfs.Job"] = function() return modfs.async.exists "mem://sample" end,
  ["modfs.Device"] = function() return modfs.device "REFERENCE:0" end,
  ["modfs.Memory"] = function() return modfs.device("REFERENCE:0"):allocate(8) end,
  ["modfs.Stream"] = function() return modfs.device("REFERENCE:0"):stream() end,
  ["modfs.Event"] = function() return modfs.device("REFERENCE:0"):event() end,
  ["modfs.Timer"] = function() return modfs.device("REFERENCE:0"):timer() end,
  ["modfs.Watch"] = function() return (modfs.watch "/") end,
  ["modfs.RecordReader"] = function() return modfs.tfrecord.reader "mem://records" end,
  ["modfs.RecordWriter"] = function() return modfs.tfrecord.writer "mem://new.records" end,
}
local modules = { ["modfs"] = modfs, ["modfs.path"] = modfs.path, ["modfs.codec"] = modfs.codec,
  ["modfs.tfrecord"] = modfs.tfrecord, ["modfs.searcher"] = modfs.searcher,
  ["modfs.async"] = modfs.async }

-- A value for each parameter that has to be given.
local samples = {
  codec = function() return "zlib" end, operation = function() return "du" end,
  format = function() return "b" end, algorithm = function() return "sha256" end,
  list = function() return {} end, loop = function() return "poll" end,
  values = function() return {} end,
  option = function()
    return modfs.filesystem("mem"):get_filesystem_configuration_option "limit_bytes"
  end,
  record = function() return "x" end, data = function() return "x" end,
  needle = function() return "x" end, fn = function() return function() end end,
  that = function() return function() end end,
  buffer = function() return modfs.buffer(4) end,
  memory = function() return modfs.device("REFERENCE:0"):allocate(8) end,
  event = function() return modfs.device("REFERENCE:0"):event() end,
  stream = function() return modfs.device("REFERENCE:0"):stream() end,
  tx = function() return modfs.filesystem("mem"):start_transaction() end,
  object = function() return modfs.open "mem://sample" end, value = function() return 1 end,
  writer = function() return modfs.tfrecord.writer "mem://new.records" end,
  mode = function() return "r" end, scheme = function() return "mem" end,
}
for _, name in ipairs { "path", "uri", "src", "dst", "file", "base", "pattern", "name", "text",
  "template", "scheme_or_path", "target" } do
  samples[name] = function() return "mem://sample" end
end
for _, name in ipairs { "size", "offset", "n", "position", "i", "byte", "index", "count",
  "content" } do
  samples[name] = function() return 1 end
end
samples.source, samples.event_or_stream = samples.memory, samples.event

local function exception(full, name)
  local class, method = full:match "^modfs%.(%u%w+):(.*)$"
  return class == "Stream" and method == "copy" and samples.memory
    or full == "modfs.device" and function() return "REFERENCE:0" end
    or samples[name]
end

local function callable(full)
  local it = found[full]
  local object = it.method and objects[it.class]()
  local fn = (object or modules[it.class])[it.name]
  return fn, object
end

local function required(form)
  local list = {}
  for _, parameter in ipairs(form) do
    if not parameter.optional then
      list[#list + 1] = parameter.name
    end
  end
  return list
end

-- Whether leaving the last required argument out, and all behind it, raises: with the others sound.
local function insists_on(full, names, n)
  local fn, object = callable(full)
  local args, first = { object }, object and 1 or 0
  for i = 1, n - 1 do
    args[first + i] = assert(exception(full, names[i]), full .. ": no sample: " .. names[i])()
  end
  return not pcall(fn, (table.unpack or unpack)(args, 1, first + n - 1))
end

describe("the reference", function()
  setup(function()
    assert(modfs.write("mem://sample", "sample"))
    local writer = modfs.tfrecord.writer "mem://records"
    writer:write "x"
    writer:close()
  end)

  it("names every function of the modules", function()
    for class, module in pairs(modules) do
      for name, value in pairs(module) do
        if type(value) == "function" then
          assert.truthy(found[class .. "." .. name], class .. "." .. name)
        end
      end
    end
  end)

  it("names every method of the objects", function()
    local extends = { ["modfs.Buffer"] = "modfs.Region",
      ["modfs.RecordWriter"] = "modfs.WritableFile" }
    for class, make in pairs(objects) do
      local object = assert(make())
      local index = (debug.getmetatable(object) or {}).__index
      for name, method in pairs(type(index) == "table" and index or {}) do
        if type(method) == "function" then
          assert.truthy(found[class .. ":" .. name] or found[(extends[class] or "") .. ":" .. name],
            class .. ":" .. name)
        end
      end
    end
  end)

  it("names every operation of a filesystem", function()
    for name in pairs(modfs.filesystem("mem"):operations()) do
      if name ~= "init" and name ~= "cleanup" then
        assert.truthy(found["modfs.Filesystem:" .. name], name)
      end
    end
  end)

  for _, full in ipairs(found) do
    it("tells the truth about the parameters of " .. full, function()
      local fn = callable(full)
      assert.truthy(type(fn) == "function" or (getmetatable(fn) or {}).__call, full)
      local names = required(found[full].forms[1])
      for n = 1, #names do
        assert.truthy(insists_on(full, names, n),
          ("%s does not insist on its parameter %s"):format(full, names[n]))
      end
    end)
  end

  it("has an example for each function, which spec/examples_spec.lua runs", function()
    local blocks = {}
    for block in text:gmatch "\n```lua\n(.-)\n```" do
      blocks[#blocks + 1] = block
    end
    local code = table.concat(blocks, "\n")
    for _, full in ipairs(found) do
      local name = found[full].name
      assert.truthy(code:find("[.:]" .. name .. "[%s,(){\"%[]"), full .. " has no example")
    end
  end)

  it("is where the types for editors come from, on each Lua", function()
    local built = tmpdir.content((os.getenv "BUILD" or "build") .. "/meta/modfs.lua")
    assert.truthy(built:find("function modfs.open(", 1, true))
    local status, out, err = shell.run((os.getenv "LUA" or "lua5.4") .. " scripts/meta.lua")
    assert.same({ 0, "" }, { status, err })
    assert.equal(built, out)
  end)
end)
