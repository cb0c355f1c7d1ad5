-- The lines that were typed, across sessions.
--
-- The file is $XDG_STATE_HOME/modfs/history, or that in ~/.local/state; only its owner may read it.
-- Each line is appended when it was entered, so sessions at the same time keep the lines of all. A
-- file that has grown is not rewritten, which could lose lines of others, but becomes history.old:
-- whoever has it open appends to that, and it is read, too.
local modfs = require "modfs"

local LIMIT = 1000
local FOR_OWNER, FOLDER_FOR_OWNER = 384, 448 -- 0600 and 0700

local function folder()
  local state, home = os.getenv "XDG_STATE_HOME", os.getenv "HOME"
  if state and state:find "^/" then
    return state .. "/modfs"
  end
  return home and modfs.isdir(home) and home .. "/.local/state/modfs"
end

local function make_folder(path)
  if not modfs.isdir(path) and modfs.makedirs(path) then
    modfs.chmod(path, FOLDER_FOR_OWNER)
  end
end

-- The path of the file, which exists then; nil where none can be written.
local function prepare()
  local place = folder()
  if not place then
    return nil
  end
  make_folder(place)
  local path = place .. "/history"
  local file = io.open(path, "a")
  if not file then
    return nil
  end
  file:close()
  modfs.chmod(path, FOR_OWNER)
  return path
end

local function read_into(lines, path)
  local file = io.open(path, "r")
  if not file then
    return 0
  end
  local before = #lines
  for line in file:lines() do
    lines[#lines + 1] = line
  end
  file:close()
  return #lines - before
end

-- The last lines of both files, the oldest first.
local function load_lines(path)
  local lines, last = {}, {}
  read_into(lines, path .. ".old")
  if read_into(lines, path) >= LIMIT then
    os.rename(path, path .. ".old")
    prepare()
  end
  for i = math.max(1, #lines - LIMIT + 1), #lines do
    last[#last + 1] = lines[i]
  end
  return last
end

local function append(path, line)
  local file = io.open(path, "a")
  if file then
    file:setvbuf("full", #line + 1) -- one write, which no other session can split
    file:write(line, "\n")
    file:close()
  end
end

-- open() -> the lines so far, and add(line).
local function open()
  local path = prepare()
  if not path then
    return {}, function() end
  end
  return load_lines(path), function(line) append(path, line) end
end

return { open = open }
