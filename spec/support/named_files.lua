-- named_files(top, { "a/b", … }): files that hold their own names.
local modfs = require "modfs"

return function(top, names)
  for _, name in ipairs(names) do
    local path = top .. "/" .. name
    assert(modfs.makedirs((path:gsub("/[^/]*$", ""))))
    assert(modfs.write(path, name))
  end
end
