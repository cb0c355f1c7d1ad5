-- Watches until there are no more, then many that are dropped (watch_spec.lua): a directory.
local path = ...
local modfs = require "modfs"
local kept, message, code = {}
repeat
  kept[#kept + 1], message, code = modfs.watch(path)
until code
print(code, message:find "max_user_instances" ~= nil)
kept = nil -- luacheck: ignore 311
for _ = 1, 100 do
  assert(modfs.watch(path))
end
