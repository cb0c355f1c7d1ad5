-- Opens files that nobody closes (gc_spec.lua): a directory; "keep" to keep them.
local modfs = require "modfs"
local root, keep = ...
local all, open = {}, modfs.open
if keep then
  modfs.open = function(...) -- luacheck: ignore 122
    local file, message = open(...)
    all[#all + 1] = file
    return file, message
  end
end
assert(modfs.write(root .. "/a_file", "test"))
for i = 1, 1000 do
  local file = assert(modfs.open(root .. "/a_file"))
  assert(file:pread(0, 4) == "test")
  assert(modfs.open(root .. "/w" .. i % 7, "w")):write "x"
  assert(assert(modfs.dir(root))())
end
print "all"
