-- tail -f: what is appended to files, until the command is interrupted.
local modfs = require "modfs"

local BLOCK = 64 * 1024

-- A read of a program's output, unlike a wait for its end, is ended by SIGINT.
local function sleep()
  local pipe = io.popen "exec sleep 1"
  pipe:read "*a"
  pipe:close()
end

-- A file that is shorter than what was read of it begins anew.
local function reopen_shorter(item, task)
  local info = modfs.stat(item.path)
  if not info or info.length >= item.file:seek() then
    return
  end
  local file = task:check(modfs.open(item.path))
  if file then
    io.stderr:write("modfs: tail: ", (item.path:gsub("%c", "?")), ": the file became shorter\n")
    item.file:close()
    item.file = file
  end
end

-- Writes what is new in a file; returns whether there was something.
local function write_new(item, shown, task)
  reopen_shorter(item, task)
  local data, message = item.file:read(BLOCK)
  if data and shown ~= item then
    item.head(item.path)
  end
  local found = data ~= nil
  while data do
    task:write(data)
    data, message = item.file:read(BLOCK)
  end
  task:check(message == nil or nil, message)
  return found
end

-- files: arrays of path, file, and head(path), which writes a heading.
local function follow(files, task)
  local shown = files[#files]
  while true do
    for _, item in ipairs(files) do
      if write_new(item, shown, task) then
        shown = item
      end
    end
    task:flush()
    sleep()
  end
end

return follow
