-- Which globals modfs sets (module_spec.lua).
local before = {}
for name in pairs(_G) do before[name] = true end
local modfs = require "modfs"
modfs.write("mem://a_file", "test")
for line in modfs.lines "mem://a_file" do modfs.glob("mem://" .. line) end
for name in pairs(_G) do
  if not before[name] then print(name) end
end
assert(modfs == require "modfs")
