-- The calls of a list from one on, with finalizers at their points (finalizer_spec.lua): the module
-- of the list, the number of the first, the most points for each, whether all ways are tried.
local name, from, most, full = ...
local trial = require "spec.support.finalizer_trial"
local list = require(name).list
if rawget(_G, "jit") then
  jit.off()
end
for i = tonumber(from), #list do
  local wrongs, points = trial.run(list[i], { most = tonumber(most), full = full == "true" })
  print(("row %d %d"):format(i, points))
  for _, wrong in ipairs(wrongs) do
    print((wrong:gsub("%c", "?")))
  end
  io.stdout:flush()
end
print "all"
