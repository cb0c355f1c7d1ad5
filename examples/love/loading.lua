-- Brings the game's files into memory while frames are drawn: modfs.poll in love.update goes on
-- with the coroutines of this file when the jobs that they await are done.
local modfs = require "modfs"
local async = require "modfs.async"

local function copy_folder(folder, report)
  for _, part in ipairs { "assets", "mods" } do
    local counts = assert(async.copytree(modfs.path.join(folder, part), "mem://" .. part,
      { progress = report }):await())
    assert(#counts.errors == 0, counts.errors[1] and counts.errors[1].message)
    print(("%s: %d files, %d bytes"):format(part, counts.files, counts.bytes))
  end
end

local function fetch_file(server, path)
  local content = assert(async.read(server .. "/" .. path, { timeout = 30 }):await())
  assert(async.makedirs("mem://" .. modfs.path.dirname(path)):await())
  assert(async.write("mem://" .. path, content):await())
end

-- A web server does not list what it has: files.txt does. All files are fetched at once.
local function fetch(server, report)
  local names = assert(async.read(server .. "/files.txt", { timeout = 30 }):await())
  local files, done, total = {}, 0, select(2, names:gsub("\n", ""))
  for path in names:gmatch "[^\n]+" do
    files[#files + 1] = async.go(function()
      fetch_file(server, path)
      done = done + 1
      report(done, total)
    end)
  end
  async.all(files):await()
  print(("%d files from %s"):format(done, server))
end

-- start(source) -> a function for love.update: whether all is there, how much is done, and of how
-- much. The source is a folder, or the URL of one.
local function start(source)
  local done, total = 0, 0
  local job = async.go(source:find "^https?:" and fetch or copy_folder, source, function(now, all)
    done, total = now, all
  end)
  return function()
    local finished = job:done()
    if finished then
      job:wait() -- raises the error of one that failed
    end
    return finished, done, total
  end
end

return { start = start }
