-- An ELF file, read and never run. Every offset is held against the file, every loop ends with it.
local core = require "modfs.core"

local Elf = {}
Elf.__index = Elf

-- The layouts of both classes: what is asked for, in order, and the length of the whole.
local layouts = {
  [32] = { header = { "I2I2xxxxI4I4I4xxxxI2I2I2I2", 34 },
    segment = { "I4I4I4xxxxI4I4I4", 32 },
    dynamic = { "I4I4", 8 }, symbol = { "I4xxxxxxxxI1I1I2", 16 },
    section = { "xxxxI4xxxxI4I4I4", 40 },
    word = { "I4", 4 } },
  [64] = { header = { "I2I2xxxxI8I8I8xxxxI2I2I2I2", 46 }, segment = { "I4I4I8I8xxxxxxxxI8I8", 56 },
    dynamic = { "I8I8", 16 }, symbol = { "I4I1I1I2", 24 },
    section = { "xxxxI4xxxxxxxxI8I8I8", 64 }, word = { "I8", 8 } },
}

local machines = {
  [3] = "x86", [8] = "MIPS", [20] = "PowerPC", [21] = "PowerPC 64", [22] = "S/390", [40] = "ARM",
  [62] = "x86-64", [183] = "AArch64", [243] = "RISC-V", [258] = "LoongArch",
}
local kinds = { "relocatable object", "executable", "shared object", "core dump" }

local tags = {
  [1] = "needed", [4] = "hash", [5] = "strings", [6] = "symbols", [10] = "strings_size",
  [14] = "soname", [15] = "rpath", [16] = "symbolic", [22] = "textrel", [24] = "bind_now",
  [29] = "runpath", [30] = "flags", [0x6ffffef5] = "gnu_hash", [0x6ffffff0] = "versym",
  [0x6ffffffb] = "flags_1", [0x6ffffffc] = "verdef", [0x6ffffffe] = "verneed",
}

local LOAD, DYNAMIC, NOTE, STACK, RELRO = 1, 2, 4, 0x6474e551, 0x6474e552
local absurd = "its numbers exceed every bound"

local function fault(what)
  error({ elf_fault = what }, 0)
end

-- Whether a bit is set, on Luas without operators for bits too.
local function has_bit(flags, bit)
  return flags % (2 * bit) >= bit
end

function Elf:unpack(format, offset, size, what)
  if not (offset >= 0 and size <= self.size and offset <= self.size - size) then
    fault(("truncated: %s"):format(what or absurd))
  end
  local values = { pcall(self.region.unpack, self.region, self.order .. format, offset + 1) }
  if not values[1] then
    fault(absurd)
  end
  return values
end

-- The values of a layout, at an offset of the file.
function Elf:take(layout, offset, what)
  local format = self.layout[layout]
  return self:unpack(format[1], offset, format[2], what)
end

local function read_header(self)
  if self.size < 4 or self.region:sub(1, 4) ~= "\127ELF" then
    fault("not an ELF file")
  end
  if self.size < 16 then
    fault("truncated: no ELF header")
  end
  local class, data = self.region:byte(5, 6)
  if class ~= 1 and class ~= 2 or data ~= 1 and data ~= 2 then
    fault("an ELF file of an unknown class")
  end
  self.class = class * 32
  self.order = data == 1 and "<" or ">"
  self.layout = layouts[self.class]
  local values = self:unpack("I2I2", 16, 4, "no ELF header")
  self.type, self.machine_number = values[2], values[3]
  self.machine = machines[self.machine_number] or ("machine %d"):format(self.machine_number)
  self.kind = kinds[self.type] or ("type %d"):format(self.type)
  values = self:take("header", 16, "no ELF header")
  self.segments_at, self.sections_at = values[5], values[6]
  self.segment_size, self.segment_count = values[8], values[9]
  self.section_size, self.section_count = values[10], values[11]
end

local function read_segments(self)
  local length = self.layout.segment[2]
  self.segments = {}
  if self.segment_count == 0 or self.segment_size ~= length then
    fault("an ELF file without program headers")
  end
  for i = 0, self.segment_count - 1 do
    local v = self:take("segment", self.segments_at + i * length, "its program headers are missing")
    local segment
    if self.class == 64 then
      segment = { type = v[2], flags = v[3], offset = v[4], address = v[5], size = v[6] }
    else
      segment = { type = v[2], offset = v[3], address = v[4], size = v[5], flags = v[7] }
    end
    self.segments[#self.segments + 1] = segment
    local matters = segment.type == LOAD or segment.type == DYNAMIC
    if matters and not (segment.offset >= 0 and segment.size >= 0 and segment.size <= self.size
        and segment.offset <= self.size - segment.size) then
      fault("truncated: a segment ends beyond the file")
    end
  end
end

local function find_segment(self, kind)
  for _, segment in ipairs(self.segments) do
    if segment.type == kind then
      return segment
    end
  end
end

-- Where in the file the byte of an address in memory lies, and how many follow it there.
function Elf:place(address, what)
  for _, segment in ipairs(self.segments) do
    local into = address - segment.address
    if segment.type == LOAD and into >= 0 and into < segment.size then
      return segment.offset + into, segment.size - into
    end
  end
  fault(("%s at an address that is not in the file"):format(what))
end

local function read_dynamic(self)
  local segment = find_segment(self, DYNAMIC)
  if not segment or not find_segment(self, LOAD) then
    fault("an ELF file without code to load")
  end
  self.dynamic = { needed = {} }
  local length = self.layout.dynamic[2]
  for at = segment.offset, segment.offset + segment.size - length, length do
    local values = self:take("dynamic", at)
    local tag, value = tags[values[2]], values[3]
    if values[2] == 0 then
      break
    elseif tag == "needed" then
      table.insert(self.dynamic.needed, value)
    elseif tag then
      self.dynamic[tag] = value
    end
  end
end

-- The name at an offset of the string table. All names together are held to a multiple of the file:
-- a hostile one could let each begin a byte later in one long string.
function Elf:name(offset)
  if not (offset >= 0 and offset < self.strings_size) then
    fault("a name outside of its string table")
  end
  local first, last = self.strings_at + offset + 1, self.strings_at + self.strings_size
  local length, name = 64
  repeat
    length = length * 4
    name = self.region:sub(first, math.min(first + length - 1, last)):match("^[^%z]*")
    if first + #name > last then
      fault("a name without an end")
    end
  until #name < length
  self.name_bytes = self.name_bytes + #name
  if self.name_bytes > 16 * self.size + 65536 then
    fault("names that overlap without end")
  end
  return name
end

local function read_strings(self)
  local dynamic = self.dynamic
  if not dynamic.strings or not dynamic.strings_size then
    fault("no table of names")
  end
  local offset, room = self:place(dynamic.strings, "names")
  if dynamic.strings_size > room or dynamic.strings_size < 0 then
    fault("truncated: its names end beyond the file")
  end
  self.strings_at, self.strings_size, self.name_bytes = offset, dynamic.strings_size, 0
  self.soname = dynamic.soname and self:name(dynamic.soname)
  self.rpath = dynamic.rpath and self:name(dynamic.rpath)
  self.runpath = dynamic.runpath and self:name(dynamic.runpath)
  self.needed = {}
  for _, at in ipairs(dynamic.needed) do
    table.insert(self.needed, self:name(at))
  end
end

local function find_build_id(self, segment)
  local at, stop = segment.offset, segment.offset + segment.size
  while at + 12 <= stop and at + 12 <= self.size do
    local values = self:unpack("I4I4I4", at, 12)
    local name_room, room = values[2] + -values[2] % 4, values[3] + -values[3] % 4
    local content = at + 12 + name_room
    if values[4] == 3 and values[2] == 4 and values[3] <= 64 and content + values[3] <= self.size
        and self.region:sub(at + 13, at + 15) == "GNU" then
      return (self.region:sub(content + 1, content + values[3]):gsub(".", function(byte)
        return ("%02x"):format(byte:byte())
      end))
    end
    at = content + room
  end
end

function Elf:build_id()
  for _, segment in ipairs(self.segments) do
    local id = segment.type == NOTE and segment.offset >= 0 and find_build_id(self, segment)
    if id then
      return id
    end
  end
end

-- What the loader is told to do with the file.
function Elf:flags()
  local flags, more = self.dynamic.flags or 0, self.dynamic.flags_1 or 0
  local now = has_bit(flags, 8) or has_bit(more, 1) or self.dynamic.bind_now ~= nil
  local stack = find_segment(self, STACK)
  local relro = find_segment(self, RELRO) and (now and "full" or "partial") or "none"
  return {
    bind_now = now, relro = relro, nodelete = has_bit(more, 8),
    executable_stack = not stack or has_bit(stack.flags, 1),
    text_relocations = has_bit(flags, 4) or self.dynamic.textrel ~= nil,
    symbolic = has_bit(flags, 2) or self.dynamic.symbolic ~= nil,
    pie = has_bit(more, 0x08000000), noopen = has_bit(more, 0x40),
  }
end

function Elf:close()
  self.region:close()
end

-- guarded(fn, ...) -> fn's result, or nil and what is wrong with the file.
local function guarded(fn, ...)
  local done, result = pcall(fn, ...)
  if done then
    return result
  elseif type(result) == "table" and result.elf_fault then
    return nil, result.elf_fault
  end
  error(result, 0)
end

-- Only the header: what machine a file is for.
local function peek(path)
  local region, message, code = core.map(path)
  if not region then
    return nil, message, code
  end
  local self = setmetatable({ region = region, size = #region }, Elf)
  local _, wrong = guarded(read_header, self)
  return self, wrong
end

-- open(path) -> Elf, or nil, what is wrong and, where the file could not be read, the code.
-- The Elf has what was read until something was wrong with it: then that is the second result.
local function open(path)
  local self, wrong, code = peek(path)
  if not self then
    return nil, wrong, code
  end
  for _, read in ipairs { read_segments, read_dynamic, read_strings } do
    if wrong then
      return self, wrong
    end
    local _, message = guarded(read, self)
    wrong = message
  end
  return self, wrong
end

return { open = open, peek = peek, guarded = guarded, fault = fault, has_bit = has_bit }
