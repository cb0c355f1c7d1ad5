-- A bar on standard error for what takes longer than a second, where that is a terminal; and a line
-- there for what goes on by steps.
local WIDTH, PATIENCE = 30, 1

local function is_terminal()
  return require "modfs.cli.terminal"(2)
end

-- A number of bytes for people.
local function size(bytes)
  local units, at = { "B", "kB", "MB", "GB", "TB", "PB" }, 1
  while bytes >= 1000 and at < #units do
    bytes, at = bytes / 1000, at + 1
  end
  return (at == 1 and "%d %s" or "%.1f %s"):format(bytes, units[at])
end

local progress = {}
progress.__index = progress

-- settings: at_once, to show it from the first second on; for specs: out, clock, is_terminal.
local function new(settings)
  settings = settings or {}
  local self = setmetatable({ out = settings.out or io.stderr, clock = settings.clock or os.time,
    is_terminal = settings.is_terminal or is_terminal,
    patience = settings.at_once and -1 or PATIENCE }, progress)
  self.start, self.drawn = self.clock(), nil
  return self
end

-- A terminal is asked for once, and only when there is time to show something.
function progress:is_due()
  local now = self.clock()
  if now - self.start <= self.patience or now == self.drawn then
    return false
  elseif self.shows == nil then
    self.shows = self.is_terminal()
  end
  self.drawn = now
  return self.shows
end

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

function progress:update(done, total, path)
  if not self:is_due() then
    return
  end
  local part = total > 0 and total < math.huge and math.min(done / total, 1) or 0
  local filled = math.floor(part * WIDTH)
  self.out:write(("\r[%s%s] %3d%% %s of %s%s  %s\27[K"):format(("#"):rep(filled),
    ("."):rep(WIDTH - filled), math.floor(part * 100), size(done), size(total),
    pace(done, total, self.drawn - self.start), shorten(path)))
  self.out:flush()
  self.visible = true
end

function progress:finish()
  if self.visible then
    self.out:write "\r\27[K"
    self.visible = false
  end
end

-- What a function of modfs takes as progress; nil where nothing is shown: a tree is then not
-- measured first.
function progress:callback()
  return self.is_terminal() and function(...)
    self:update(...)
  end or nil
end

-- What fits a narrow terminal.
local function clip(text)
  text = text:gsub("%c", "?")
  return #text <= 78 and text or text:sub(1, 75) .. "..."
end

-- A line of text -----------------------------------------------------------------------------

local line = {}
line.__index = line

-- One line on standard error that each text replaces, from the first on; nothing where that is no
-- terminal. settings as above.
local function new_line(settings)
  settings = settings or {}
  return setmetatable({ out = settings.out or io.stderr,
    shows = (settings.is_terminal or is_terminal)() }, line)
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

return { new = new, line = new_line, size = size }
