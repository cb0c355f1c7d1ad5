-- A bar on standard error for what takes longer than a second, where that is a terminal; and a line
-- there for what goes on by steps.
local bar = require "modfs.cli.later" "modfs.cli.bar"

local PATIENCE = 1

local function is_terminal()
  return require "modfs.cli.terminal"(2)
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

function progress:update(done, total, path)
  if not self:is_due() then
    return
  end
  bar.draw(self.out, self.drawn - self.start, done, total, path)
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

-- One line on standard error that each text replaces; nothing where that is no terminal. settings
-- as above.
local function new_line(settings)
  settings = settings or {}
  return bar.line(settings.out or io.stderr, (settings.is_terminal or is_terminal)())
end

return { new = new, line = new_line }
