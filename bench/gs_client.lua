-- What bench/gs.lua has modfs do, in a process of its own: gs_client.lua ACTION ARGUMENTS... prints
-- the seconds that the action took, without the start of the program.
local modfs = require "modfs"
local uv = require "luv"

local actions = {}

function actions.get(uri) assert(#assert(modfs.read(uri)) == 67108864) end
function actions.put(file, uri) assert(modfs.copy(file, uri)) end
function actions.copytree(from, to) assert(#assert(modfs.copytree(from, to)).errors == 0) end
function actions.rmtree(uri) assert(modfs.rmtree(uri)) end

assert(modfs.config "gs")
local start = uv.hrtime()
actions[arg[1]](arg[2], arg[3])
print((uv.hrtime() - start) / 1e9)
