-- modfs.lfs as it is where LuaFileSystem is not installed: a second instance.
local loaded, ours = package.loaded.lfs, package.loaded["modfs.lfs"]
package.loaded.lfs, package.loaded["modfs.lfs"] = nil, nil
package.preload.lfs = function() error "not installed" end
local bare = require "modfs.lfs"
package.preload.lfs = nil
package.loaded.lfs, package.loaded["modfs.lfs"] = loaded, ours
return bare
