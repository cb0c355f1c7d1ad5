-- The same questions as in objects.lua, asked by the threads of the pool "files": a worker goes on
-- serving others while one of them waits for a slow filesystem.
local threads = {}

local function ask(question, ...)
  return (function(finished, ...)
    if not finished then
      return nil, "INTERNAL: " .. tostring((...)), "INTERNAL"
    end
    return ...
  end)(ngx.run_worker_thread("files", "objects", question, ...))
end

function threads.stat(path)
  return ask("stat", path)
end

function threads.list(path)
  return ask("list", path)
end

-- A file that is opened anew by whichever thread reads the next piece: no object crosses states.
function threads.open(path, tag)
  return {
    pread = function(_, offset, n) return ask("read", path, tag, offset, n) end,
    close = function() return true end,
  }
end

return threads
