-- What can be asked of an object. Each call lets nginx serve other requests while it waits.
-- Questions that do not depend on each other are asked together: each wait costs two changes of
-- threads.
local modfs = require "modfs"
local async = require "modfs.async"

local objects = {}

local at_once = 64 -- entries of a directory that are asked for at the same time

-- Names one state of an object: whoever has seen the same tag twice has seen the same bytes.
local function describe(stat)
  return { is_directory = stat.is_directory, length = stat.length, mtime = stat.mtime,
    tag = ('"%.0f-%.0f"'):format(stat.mtime_nsec, stat.length) }
end

-- -> { is_directory, length, mtime (seconds), tag }
function objects.stat(path)
  local stat, message, code = async.stat(path):await()
  return stat and describe(stat), message, code
end

-- The same for a path below a folder of this machine, unless it leads through a link, or is one.
function objects.stat_without_links(folder, path)
  if path == folder then
    return objects.stat(path)
  end
  local jobs, at = {}, #folder + 1
  while at do
    at = path:find("/", at + 1, true)
    jobs[#jobs + 1] = async.lstat(path:sub(1, (at or 0) - 1))
  end
  local results = async.all(jobs):await()
  for _, result in ipairs(results) do
    if result[1] and result[1].kind == "link" then
      return nil, "PERMISSION_DENIED: " .. path .. ": a link is on the way", "PERMISSION_DENIED"
    end
  end
  local stat, message, code = unpack(results[#results], 1, 3)
  return stat and describe(stat), message, code
end

-- Opens the object in the state that was described; returns the file, and a Job that reads its
-- bytes from first to last. Once open it stays that state: writers here put a new file in the place
-- of the old one.
function objects.open(path, described, first, last)
  local file, message, code = async.open(path):await()
  if not file then
    return nil, message, code
  end
  local reading = last >= first and async(file):pread(first, last - first + 1)
  local now = objects.stat(path)
  if not now or now.tag ~= described.tag then
    async(file):close()
    return nil, "ABORTED: open " .. path .. ": it has changed", "ABORTED"
  end
  return file, reading
end

local function entries_of(path, names, first)
  local jobs, entries = {}, {}
  for i = first, math.min(first + at_once - 1, #names) do
    jobs[#jobs + 1] = async.stat(modfs.path.join(path, names[i]))
  end
  for i, result in ipairs((async.all(jobs):await())) do
    if result[1] then -- it may have been removed meanwhile
      local entry = describe(result[1])
      entry.name = names[first + i - 1]
      entries[#entries + 1] = entry
    end
  end
  return entries
end

-- Calls show with the entries of a directory, some at a time, sorted by their names.
function objects.list(path, show)
  local names, message, code = async.listdir(path):await()
  if not names then
    return nil, message, code
  end
  for first = 1, math.max(1, #names), at_once do
    show(entries_of(path, names, first), first == 1, first + at_once > #names)
  end
  return true
end

return objects
