-- Record files whose lengths are beyond all bounds (tfrecord_spec.lua); Lua 5.3 or later.
local modfs = require "modfs"
local function crc(bytes)
  local sum = 0xffffffff
  for i = 1, #bytes do
    sum = sum ~ bytes:byte(i)
    for _ = 1, 8 do sum = sum >> 1 ~ (sum & 1) * 0x82f63b78 end
  end
  sum = ~sum & 0xffffffff
  return ((sum >> 15 | sum << 17) + 0xa282ead8) & 0xffffffff
end
for _, length in ipairs { 1 << 32, 1 << 40, 1 << 62, -1, math.maxinteger, -16 } do
  local head = string.pack("<i8", length)
  assert(modfs.write("mem://huge", head .. string.pack("<I4", crc(head)) .. ("x"):rep(1000)))
  local reader = assert(modfs.tfrecord.reader "mem://huge")
  print(select(3, reader:read()), select(3, reader:skip(1)), select(3, reader:count()))
end
local peak = tonumber(modfs.read "/proc/self/status":match "VmHWM:%s*(%d+)")
print(peak < 64 * 1024)
