-- What io.open of a drop-in returns for a path that is not the machine's own: the methods of io's
-- files over a File or a WritableFile of modfs.
local errno = require "modfs.errno"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local MOST_FORMATS = 250 -- as io.lines

local methods, handle = {}, {}
local metatable = { __index = methods, __name = "FILE*" }

-- file is open for reading, or out for writing, never both; path is for people.
function handle.new(path, file, out)
  return setmetatable({ path = path, file = file, out = out }, metatable)
end

function handle.is(value)
  return type(value) == "table" and getmetatable(value) == metatable
end

function handle.is_open(self)
  return (self.file or self.out) ~= nil
end

local function check(self, where)
  if not handle.is(self) then
    error(("bad argument #1 to '%s' (FILE* expected, got %s)"):format(where,
      self == nil and "no value" or type(self)), 3)
  elseif not handle.is_open(self) then
    error("attempt to use a closed file", 3)
  end
  return self
end

local function refuse(number)
  return nil, errno.texts[number], number
end

-- Results of a method of modfs, a failure in io's form.
local function pass(operation, first, ...)
  if first == nil and ... ~= nil then
    local message, code = ...
    return nil, errno.translate(message, code, nil, operation)
  end
  return first, ...
end

local function read(self, ...)
  if not self.file then
    return refuse(9)
  end
  return pass("read", self.file:read(...))
end

function methods.read(self, ...)
  return read(check(self, "read"), ...)
end

-- The iterator of lines; it raises what a read would return. done is called at the end.
local function iterate(self, done, ...)
  local count, formats = select("#", ...), { ... }
  if count > MOST_FORMATS then
    error(("bad argument #%d to 'lines' (too many arguments)"):format(MOST_FORMATS + 2), 3)
  end
  local function step(first, ...)
    if first ~= nil then
      return first, ...
    elseif ... ~= nil then
      error((...), 3)
    elseif done then
      done(self)
    end
  end
  return function()
    if not handle.is_open(self) then
      error("file is already closed", 2)
    end
    return step(read(self, unpack(formats, 1, count)))
  end
end

function methods.lines(self, ...)
  return iterate(check(self, "lines"), nil, ...)
end

local closes_loops = tonumber(_VERSION:match "%d+%.%d+") >= 5.4

-- As io.lines has it: closes at the end, and at a break where Lua does that.
function handle.lines(self, ...)
  local step = iterate(self, self.close, ...)
  if closes_loops then
    return step, nil, nil, self
  end
  return step
end

-- What "no" and "line" promise; "full" is what a WritableFile does by itself.
local function settle(self, ...)
  local due = self.buffering == "no"
  for i = 1, self.buffering == "line" and select("#", ...) or 0 do
    due = due or tostring((select(i, ...))):find("\n", 1, true) ~= nil
  end
  if not due then
    return true
  end
  return self.out:flush()
end

-- Nothing but empty strings can be written to a file that is open for reading.
local function write_nothing(self, ...)
  local nothing = true
  for i = 1, select("#", ...) do
    local value = (select(i, ...))
    if type(value) ~= "string" and type(value) ~= "number" and type(value) ~= "userdata" then
      error(("bad argument #%d to 'write' (string expected, got %s)"):format(i, type(value)), 3)
    end
    nothing = nothing and value == ""
  end
  if nothing then
    return self
  end
  return refuse(9)
end

function methods.write(self, ...)
  check(self, "write")
  if not self.out then
    return write_nothing(self, ...)
  end
  local done, message, code = self.out:write(...)
  if done and self.buffering then
    done, message, code = settle(self, ...)
  end
  if not done then
    return pass("write", nil, message, code)
  end
  return self
end

function methods.flush(self)
  check(self, "flush")
  if self.file then
    return true
  end
  return pass("flush", self.out:flush())
end

-- A file that is being written ends where it is: no other place can be sought.
local function seek_out(self, whence, offset)
  local position, message, code = self.out:tell()
  if not position then
    return pass("seek", nil, message, code)
  end
  local wanted = offset + (whence == "set" and 0 or position)
  if wanted == position then
    return position
  end
  return refuse(wanted < 0 and 22 or 29)
end

local whences = { set = true, cur = true, ["end"] = true }

local function check_option(value, known, where)
  if type(value) ~= "string" or not known[value] then
    error(("bad argument #1 to '%s' (invalid option '%s')"):format(where, tostring(value)), 3)
  end
end

local function check_integer(value, where)
  local number = tonumber(value)
  if not number or number % 1 ~= 0 then
    error(("bad argument #2 to '%s' (%s)"):format(where, number
      and "number has no integer representation" or "number expected, got " .. type(value)), 3)
  end
  return number
end

function methods.seek(self, whence, offset)
  check(self, "seek")
  whence = whence == nil and "cur" or whence
  check_option(whence, whences, "seek")
  offset = check_integer(offset == nil and 0 or offset, "seek")
  if self.out then
    return seek_out(self, whence, offset)
  end
  return pass("seek", self.file:seek(whence, offset))
end

local bufferings = { no = true, full = true, line = true }

-- A size is taken and changes nothing.
function methods.setvbuf(self, mode, size)
  check(self, "setvbuf")
  check_option(mode, bufferings, "setvbuf")
  check_integer(size == nil and 0 or size, "setvbuf")
  self.buffering = mode ~= "full" and mode or nil
  return true
end

function methods.close(self)
  check(self, "close")
  local object = self.file or self.out
  self.file, self.out = nil, nil
  return pass("close", object:close())
end

metatable.__tostring = function(self)
  return handle.is_open(self) and ("file (%s)"):format(self.path) or "file (closed)"
end

-- <close> of Lua 5.4 is silent in io, too.
metatable.__close = function(self)
  if handle.is_open(self) then
    self:close()
  end
end

return handle
