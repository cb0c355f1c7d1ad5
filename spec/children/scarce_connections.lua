-- Reads from a server with so many descriptors left (descriptors_spec.lua): how many; "warm" to
-- read once before; "keep" to keep the files that take up the others; the path; options of its
-- scheme, each name=value. Writes what the second read gives.
local modfs = require "modfs"
local left, warm, keep, path = ...
local options = {}
for i = 5, select("#", ...) do
  local name, value = select(i, ...):match "^(.-)=(.*)$"
  options[name] = value
end
if next(options) then
  assert(modfs.config(path:match "^(.-):", options))
end
if warm == "warm" then
  assert(modfs.read(path))
end
collectgarbage "stop"
local files, one = {}, io.open "/dev/null"
while one do
  files[#files + 1], one = one, io.open "/dev/null"
end
for i = #files - left + 1, #files do
  files[i]:close()
end
if keep ~= "keep" then
  files = nil
end
local begun = os.time()
local content, message, code = modfs.read(path)
io.write(content or code .. " " .. message)
assert(os.time() - begun <= 2, "it waited")
assert(not files or #files > 0)
