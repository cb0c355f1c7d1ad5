-- Fails unless a pread of 4 KiB takes nothing from the heap but its string.
--   LD_PRELOAD=build/bench/malloc_count.so lua5.4 bench/allocations.lua [io]
-- With "io" it asks the same of io.read, which takes more.
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath
local limit = require "limit"
local modfs = require "modfs"

local size, n = 4096, 1000
-- A long string in Lua: 24 bytes before it, a NUL after it.
local string_bytes = 24 + size + 1

local function count(read)
  read(0)
  collectgarbage("stop")
  local calls, bytes = limit.allocations()
  local kilobytes = collectgarbage("count")
  for i = 1, n do
    read(i % 16 * size)
  end
  kilobytes = collectgarbage("count") - kilobytes
  local calls_after, bytes_after = limit.allocations()
  collectgarbage("restart")
  return (calls_after - calls) / n, (bytes_after - bytes) / n, kilobytes * 1024 / n
end

local path = os.tmpname()
assert(modfs.write(path, ("x"):rep(16 * size)))
assert(modfs.write("mem://allocations", ("x"):rep(16 * size)))

local failed = false
local function check(name, read)
  local calls, bytes, lua_bytes = count(read)
  local fine = calls == 1 and bytes == string_bytes and lua_bytes == string_bytes
  failed = failed or not fine
  print(("%s: %.3f blocks, %.1f bytes, of Lua's %.1f; a string is 1 block, %d bytes: %s"):format(
    name, calls, bytes, lua_bytes, string_bytes, fine and "ok" or "MORE"))
end

if arg[1] == "io" then
  local file = assert(io.open(path, "rb"))
  check("io", function(offset)
    file:seek("set", offset)
    return file:read(size)
  end)
else
  for _, where in ipairs { path, "mem://allocations" } do
    local file = assert(modfs.open(where))
    check(where:match("^mem") or "posix", function(offset)
      return file:pread(offset, size)
    end)
    file:close()
  end
end

os.remove(path)
os.exit(not failed)
