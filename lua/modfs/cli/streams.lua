-- Copying from and to the standard streams.
local modfs = require "modfs"

local CHUNK = 1024 * 1024

local streams = {}

-- Writes all that is left of a file, in pieces of that many bytes, to a file or a task.
function streams.pour(from, to, size)
  while true do
    local data, message = from:read(size)
    if data == nil then
      return message == nil or nil, message
    end
    local done, why = to:write(data)
    if not done then
      return nil, why
    end
  end
end

-- From standard input. What is not whole replaces nothing, where there is a way.
function streams.take(task, dst)
  if dst:find "/$" then
    return task:fail(("FAILED_PRECONDITION: %s: standard input can only be copied "
      .. "to a file name"):format(dst))
  end
  local out = modfs.open(dst, "w", { atomic = true, durable = false })
    or task:check(modfs.open(dst, "w"))
  if not out then
    return
  end
  local fine, done, message = pcall(streams.pour, require "modfs.cli.input", out, CHUNK)
  if fine and done then
    done, message = out:close()
  else
    out:abort()
  end
  if not fine then
    error(done, 0)
  end
  task:check(done or nil, message)
end

-- To standard output, or to what else has a write like a task's.
function streams.give(task, src, to)
  local file = task:check(modfs.open(src))
  if not file then
    return
  end
  local done, message = streams.pour(file, to or task, CHUNK)
  file:close()
  task:check(done, message)
end

return streams
