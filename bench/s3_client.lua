-- What bench/s3.lua has modfs do, in a process of its own, as its peers are:
--   s3_client.lua get URI | put FILE URI | copytree FROM TO | list URI
local modfs = require "modfs"

local actions = {}

function actions.get(uri)
  local file, buffer = assert(modfs.open(uri)), modfs.buffer(256 * 1024)
  repeat
    local n = assert(file:readinto(buffer))
  until n == 0
  file:close()
end

function actions.put(file, uri)
  assert(modfs.copy(file, uri))
end

function actions.copytree(from, to)
  local report = assert(modfs.copytree(from, to))
  assert(#report.errors == 0)
end

function actions.list(uri)
  print(#assert(modfs.listdir(uri)))
end

actions[arg[1]](table.unpack(arg, 2))
