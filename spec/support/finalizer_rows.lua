-- The frame of finalizer_calls: how rows are made, and what they work on. Files of rows are
-- finalizer_paths, _files and _devices; makers has a function for each class that makes an object.
local modfs = require "modfs"

-- Where it works.
local D = "mem://finalizers"
local F, G = D .. "/f", D .. "/g" -- a file, and a name that nothing has
local TREE, COPY = D .. "/tree", D .. "/tree2"

local text = "one\n2 300\n" .. ("a longer line "):rep(20) .. "\nlast"

local unpack = table.unpack or unpack -- luacheck: ignore 113

local rows = { list = {}, makers = {} }

local function stage()
  assert(modfs.makedirs(D))
  assert(modfs.write(D .. "/other", ("z"):rep(20000)))
  assert(modfs.write(F, text))
  modfs.rmtree(G)
  modfs.remove(G)
  modfs.rmtree(TREE)
  modfs.rmtree(COPY)
  assert(modfs.makedirs(TREE .. "/a/b"))
  for i = 1, 3 do
    assert(modfs.write(TREE .. "/a/a file with a long name, number " .. i, text))
    assert(modfs.write(TREE .. "/a/b/" .. i, text))
  end
end

-- call(object…) with the objects that prepare() returns, if there are any.
-- options: varies (results are not the same twice), raises (the call is to fail).
local function add(name, prepare, call, options)
  options = options or {}
  rows.list[#rows.list + 1] = { name = name, varies = options.varies, raises = options.raises,
    make = function()
      stage()
      local objects = { (prepare or function() end)() }
      return function() return call(unpack(objects)) end, unpack(objects)
    end }
end

-- Rows { name, argument…, varies = } of functions that stand in a table.
local function functions(prefix, where, list)
  for _, row in ipairs(list) do
    add(prefix .. "." .. row[1], nil, function() return where[row[1]](unpack(row, 2)) end, row)
  end
end

-- The same of methods that the first object of prepare() has.
local function methods(class, prepare, list)
  for _, row in ipairs(list) do
    add("modfs." .. class .. ":" .. row[1], prepare, function(object)
      return object[row[1]](object, unpack(row, 2))
    end, row)
  end
end

-- A string that nothing but its holder keeps.
local function fresh(pattern)
  return (pattern .. "%d"):format(7)
end

local function fresh_buffer()
  return modfs.buffer(fresh "some bytes to write ")
end

-- A function that returns a copy of the table.
local function options_of(values)
  return function()
    local own = {}
    for key, value in pairs(values) do
      own[key] = value
    end
    return own
  end
end

-- All that an iterator gives.
local function collect(step, ...)
  local all = {}
  for a, b, c in step, ... do
    all[#all + 1] = { a, b, c }
  end
  return all
end

for name, value in pairs { stage = stage, add = add, functions = functions, methods = methods,
  fresh = fresh, fresh_buffer = fresh_buffer, options_of = options_of, collect = collect, D = D,
  F = F, G = G, TREE = TREE, COPY = COPY, text = text } do
  rows[name] = value
end

return rows
