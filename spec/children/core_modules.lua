-- The modules of the core after they were dropped (module_spec.lua).
local core = require "modfs.core"
for _, name in ipairs { "modfs.entry", "modfs.interrupt" } do
  assert(type(package.loaded[name]) == "table", name)
  package.loaded[name] = nil
end
package.loaded["modfs.core"] = nil
assert(core == require "modfs.core")
print(type(package.loaded["modfs.entry"].new))
print(type(package.loaded["modfs.interrupt"].await_input))
