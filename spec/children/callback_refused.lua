-- A callback that the plugin refuses is not kept (poll_spec.lua).
local modfs = require "modfs"
local stream = modfs.device "REFERENCE:0":stream()
local weak = setmetatable({}, { __mode = "k" })
do
  local mark = {}
  weak[mark] = true
  print(select(3, stream:callback(function() print(mark) end)))
end
collectgarbage()
print(next(weak), modfs.poll(), modfs.poll(math.huge), (stream:status()))
