-- A call for every function and method of modfs, with the objects that it works on: rows of
-- { name =, make = }, where make() returns the call as a function and then each object or table
-- that a finalizer may end. finalizer_spec.lua fails for a function that has none.
local rows = require "spec.support.finalizer_rows"
require "spec.support.finalizer_paths"
require "spec.support.finalizer_files"
require "spec.support.finalizer_devices"

-- Metamethods ---------------------------------------------------------------------------------

for class, make in pairs(rows.makers) do
  local prefix = "modfs." .. class .. ":"
  local function one()
    return (make())
  end
  rows.add(prefix .. "__tostring", one, tostring, { varies = true })
  for _, name in ipairs { "__index", "__len" } do
    rows.add(prefix .. name, one, function(object)
      local method = debug.getmetatable(object)[name]
      return type(method) == "function" and method(object, rows.fresh "key") or true
    end, { varies = true })
  end
end

-- In one order in every process.
for i, call in ipairs(rows.list) do
  call.place = i
end
table.sort(rows.list, function(a, b)
  if a.name ~= b.name then
    return a.name < b.name
  end
  return a.place < b.place
end)

return rows
