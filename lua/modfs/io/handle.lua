-- What io.open of a drop-in returns for a path that is not the machine's own: the methods of io's
-- files over a File or a WritableFile of modfs.
local core = require "modfs.core"
local errno = require "modfs.errno"
local formats = require "modfs.io.formats"
local refusal = require "modfs.refusal"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local version = tonumber(_VERSION:match "%d+%.%d+")
local jit = rawget(_G, "jit")

local REFUSED = refusal.REFUSED
local CLOSED = "attempt to use a closed file"
local ITERATOR_CLOSED = jit and CLOSED or "file is already closed"
local FIRST_OF_ITERATOR = jit and 1 or 2 -- how io counts the formats that an iterator holds
local MOST_FORMATS = 15 -- which every Lua takes

local methods = {}
local handle = { methods = methods }
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

-- A method: body for an open handle of ours. For what is no handle of ours io's own method answers.
local function define(name, body)
  local real = io.stdout[name]
  methods[name] = refusal.entry(function(...)
    local self = ...
    if not handle.is(self) then
      return refusal.delegate(real, ...)
    elseif not handle.is_open(self) then
      return refusal.because(CLOSED)
    end
    return body(...)
  end)
end

local function fail(number)
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

-- Reading --------------------------------------------------------------------

-- Reads nothing, as io from a file that is not open for reading: "a" finds all of nothing, and the
-- next format is looked at.
local function read_unreadable(first, ...)
  for i = 1, select("#", ...) do
    local kind, number, text = formats.parse((select(i, ...)), first + i - 1)
    if kind == REFUSED then
      return kind, number, text
    elseif kind == "n" and i == 1 and version < 5.3 then
      return nil -- scanf does not say why
    elseif kind ~= "a" then
      break
    end
  end
  return fail(9)
end

-- One format after the other: what stood before a wrong one has been read.
local function read_each(self, first, ...)
  local results, count = {}, select("#", ...)
  for i = 1, count do
    local kind, number, text = formats.parse((select(i, ...)), first + i - 1)
    if kind == REFUSED then
      return kind, number, text
    end
    local value, message, code = self.file:read(kind)
    if message ~= nil then
      return pass("read", nil, message, code)
    end
    results[i] = value
    if value == nil then
      return unpack(results, 1, i)
    end
  end
  return unpack(results, 1, count)
end

-- first is the number that io gives to the first format.
function handle.read(self, first, ...)
  local count, format = select("#", ...), (...)
  if not self.file then
    return read_unreadable(first, ...)
  elseif count == 0 then
    return pass("read", self.file:read())
  elseif count > 1 then
    return read_each(self, first, ...)
  end
  local kind, number, text = formats.parse(format, first)
  if kind == REFUSED then
    return kind, number, text
  end
  return pass("read", self.file:read(kind))
end

define("read", function(self, ...)
  return handle.read(self, 2, ...)
end)

local function step(self, done, first, ...)
  if first ~= nil then
    return first, ...
  elseif ... ~= nil then
    return refusal.because((...))
  elseif done then
    done(self)
  elseif jit then
    return nil
  end
end

-- The iterator of lines; it raises what a read would return. done is called at the end.
local function iterate(self, done, ...)
  local count, held = select("#", ...), { ... }
  if count > MOST_FORMATS then
    local answer, number, text = formats.consult("lines", ...)
    if answer == REFUSED then
      return answer, number, text
    end
  end
  return refusal.entry(function()
    if not handle.is_open(self) then
      return refusal.because(ITERATOR_CLOSED)
    end
    return step(self, done, handle.read(self, FIRST_OF_ITERATOR, unpack(held, 1, count)))
  end)
end

-- For a closed handle, too: the default input may be one on LuaJIT.
function handle.iterate(self, ...)
  return iterate(self, nil, ...)
end

define("lines", handle.iterate)

local function close(self)
  local object = self.file or self.out
  self.file, self.out = nil, nil
  return pass("close", object:close())
end

-- As io.lines has it: closes at the end, and at a break where Lua does that.
function handle.lines(self, ...)
  local iterator, number, text = iterate(self, close, ...)
  if iterator == REFUSED then
    return iterator, number, text
  elseif version >= 5.4 then
    return iterator, nil, nil, self
  end
  return iterator
end

-- Writing --------------------------------------------------------------------

local written = { string = true, number = true }
local bytes = { buffer = true, region = true }

-- The place of the first value that write refuses; nil when there is none.
local function find_unwritten(...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if not written[type(value)] and not bytes[core.type(value)] then
      return i
    end
  end
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
local function write_unwritable(self, ...)
  for i = 1, select("#", ...) do
    if select(i, ...) ~= "" then
      return fail(9)
    end
  end
  return self
end

local function write_all(self, ...)
  if not self.out then
    return write_unwritable(self, ...)
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

-- Calls fn with the first count of the values.
local function with_first(count, fn, self, ...)
  local values = { ... }
  return fn(self, unpack(values, 1, count))
end

-- first is the number that io gives to the first value. What stood before a wrong one is written.
function handle.write(self, first, ...)
  local wrong = find_unwritten(...)
  if not wrong then
    return write_all(self, ...)
  end
  with_first(wrong - 1, write_all, self, ...)
  local _, _, text = formats.consult("write", (select(wrong, ...)))
  return REFUSED, first + wrong - 1, text
end

define("write", function(self, ...)
  return handle.write(self, 2, ...)
end)

function handle.flush(self)
  if self.file then
    return true
  end
  return pass("flush", self.out:flush())
end

define("flush", handle.flush)

-- Places ---------------------------------------------------------------------

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
  return fail(wanted < 0 and 22 or 29)
end

local whences = { set = true, cur = true, ["end"] = true }

-- The offset as io reads it; nil when it is beyond every file.
local function settle_offset(offset)
  local number = tonumber(offset)
  if number % 1 ~= 0 then
    number = number < 0 and math.ceil(number) or math.floor(number) -- 5.1 and LuaJIT
  end
  local beyond = number ~= number or math.abs(number) > 2 ^ 53
  return not beyond and number or nil
end

define("seek", function(self, ...)
  local whence, offset = ...
  local plain = (whence == nil or whences[whence])
    and (offset == nil or type(offset) == "number" and offset % 1 == 0)
  if not plain then
    local answer, number, text = formats.consult("seek", ...)
    if answer == REFUSED then
      return answer, number, text
    end
  end
  whence, offset = whence or "cur", settle_offset(offset or 0)
  if not offset then
    return fail(22)
  elseif self.out then
    return seek_out(self, whence, offset)
  end
  return pass("seek", self.file:seek(whence, offset))
end)

-- A size is taken and changes nothing.
define("setvbuf", function(self, ...)
  local answer, number, text = formats.consult("setvbuf", ...)
  if answer == REFUSED then
    return answer, number, text
  end
  local mode = ...
  self.buffering = mode ~= "full" and mode or nil
  return true
end)

-- The end --------------------------------------------------------------------

define("close", close)
handle.close = close

metatable.__tostring = function(self)
  return handle.is_open(self) and ("file (%s)"):format(self.path) or "file (closed)"
end

-- <close> of Lua 5.4 is silent in io, too.
metatable.__close = function(self)
  if handle.is_open(self) then
    close(self)
  end
end

return handle
