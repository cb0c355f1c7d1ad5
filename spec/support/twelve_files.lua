-- twelve_files(root, length): makes root anew, with three directories of four files below root/src;
-- length(i): of the i-th in its directory.
local modfs = require "modfs"

return function(root, length)
  modfs.rmtree(root)
  for i = 1, 3 do
    assert(modfs.makedirs(root .. "/src/d" .. i))
    for k = 1, 4 do
      assert(modfs.write(root .. ("/src/d%d/f%d"):format(i, k), ("x"):rep(length(k))))
    end
  end
end
