-- What progress draws on a terminal: a bar, or a line of text.
local WIDTH = 30

local bar = {}

-- A number of bytes for people.
local function size(bytes)
  local units, at = { "B", "kB", "MB", "GB", "TB", "PB" }, 1
  while bytes >= 1000 and at < #units do
    bytes, at = bytes / 1000, at + 1
  end
  return (at == 1 and "%d %s" or "%.1f %s"):format(bytes, units[at])
end

bar.size = size

local function shorten(path)
  path = path:gsub("%c", "?")
  return #path <= 40 and path or "..." .. path:sub(-37)
end

-- How much there was in a second, and how long the rest takes at that rate.
local function pace(done, total, seconds)
  if seconds < 1 or done <= 0 then
    return ""
  end
  local left = math.ceil(math.max(total - done, 0) * seconds / done)
  return (", %s/s, %d:%02d left"):format(size(math.floor(done / seconds)), math.floor(left / 60),
    left % 60)
end

-- Draws the bar of what began that many seconds ago.
function bar.draw(out, seconds, done, total, path)
  local part = total > 0 and total < math.huge and math.min(done / total, 1) or 0
  local filled = math.floor(part * WIDTH)
  out:write(("\r[%s%s] %3d%% %s of %s%s  %s\27[K"):format(("#"):rep(filled),
    ("."):rep(WIDTH - filled), math.floor(part * 100), size(done), size(total),
    pace(done, total, seconds), shorten(path)))
  out:flush()
end

-- What fits a narrow terminal.
local function clip(text)
  text = text:gsub("%c", "?")
  return #text <= 78 and text or text:sub(1, 75) .. "..."
end

-- A line of text -----------------------------------------------------------------------------

local line = {}
line.__index = line

-- One line that each text replaces, from the first on; nothing unless shows.
function bar.line(out, shows)
  return setmetatable({ out = out, shows = shows }, line)
end

function line:show(text)
  if self.shows then
    self.out:write("\r" .. clip(text) .. "\27[K")
    self.out:flush()
  end
end

function line:finish()
  if self.shows then
    self.out:write "\r\27[K"
    self.out:flush()
  end
end

return bar
