-- The dynamic symbols of an ELF file and their versions.
local elf = require "modfs.inspect.elf"

local symbols = {}

local most_versions, most_symbols = 65536, 4000000

-- How many symbols there are, as the section headers tell.
local function count_by_section(file)
  local length = file.layout.section[2]
  if file.section_size ~= length then
    return nil
  end
  for i = 0, file.section_count - 1 do
    local at = file.sections_at + i * length
    if at < 0 or at > file.size - length then
      return nil
    end
    local values = file:take("section", at)
    if values[2] == 11 and values[3] == file.dynamic.symbols then
      return math.floor(values[5] / file.layout.symbol[2])
    end
  end
end

local function count_by_gnu_hash(file)
  local at = file:place(file.dynamic.gnu_hash, "hash table")
  local values = file:unpack("I4I4I4", at, 12)
  local buckets, first, bloom = values[2], values[3], values[4]
  local table_at, last = at + 16 + bloom * file.layout.word[2], 0
  if buckets > most_symbols then
    elf.fault("more symbols than the file can hold")
  end
  for i = 0, buckets - 1 do
    last = math.max(last, file:unpack("I4", table_at + i * 4, 4)[2])
  end
  if last < first then
    return first
  end
  local chain = table_at + buckets * 4
  while file:unpack("I4", chain + (last - first) * 4, 4)[2] % 2 == 0 do
    last = last + 1
    if last > most_symbols then
      elf.fault("more symbols than the file can hold")
    end
  end
  return last + 1
end

local function count_symbols(file)
  local dynamic = file.dynamic
  if not dynamic.symbols then
    return 0
  elseif dynamic.hash then
    return file:unpack("I4I4", file:place(dynamic.hash, "hash table"), 8)[3]
  end
  return count_by_section(file) or dynamic.gnu_hash and count_by_gnu_hash(file) or 0
end

-- Walks a chain of version records, each of which tells how far the next is: visit(values, offset).
local function each_record(file, at, format, size, visit)
  while true do
    file.version_count = file.version_count + 1
    if file.version_count > most_versions then
      elf.fault("more versions than the file can hold")
    end
    local values = file:unpack(format, at, size)
    visit(values, at)
    local step = values[#values - 1]
    if step == 0 then
      return
    end
    at = at + step
  end
end

local function read_needed(file)
  file.version_names, file.needed_versions, file.version_count = {}, {}, 0
  if not file.dynamic.verneed then
    return
  end
  local start = file:place(file.dynamic.verneed, "needed versions")
  each_record(file, start, "xxxxI4I4I4", 16, function(values, at)
    local name = file:name(values[2])
    each_record(file, at + values[3], "xxxxI2I2I4I4", 16, function(aux)
      local version = { file = name, version = file:name(aux[4]), weak = elf.has_bit(aux[2], 2) }
      file.version_names[aux[3] % 0x8000] = version.version
      table.insert(file.needed_versions, version)
    end)
  end)
end

local function read_defined(file)
  file.versions = {}
  if not file.dynamic.verdef then
    return
  end
  local start = file:place(file.dynamic.verdef, "defined versions")
  each_record(file, start, "xxI2I2xxxxxxI4I4", 20, function(values, at)
    local name = file:name(file:unpack("I4", at + values[4], 4)[2])
    if not elf.has_bit(values[2], 1) then
      file.versions[name] = true
      file.version_names[values[3] % 0x8000] = name
    end
  end)
end

-- The versions that the file defines (a set) and those that it needs (an array).
function symbols.read_versions(file)
  read_needed(file)
  read_defined(file)
end

-- visit(symbol) for each dynamic symbol that is not local:
-- { name =, defined =, weak =, is_function =, hidden =, version = }
function symbols.each(file, visit)
  local count = count_symbols(file)
  if count == 0 then
    return
  end
  local start = file:place(file.dynamic.symbols, "symbols")
  local versions = file.dynamic.versym and file:place(file.dynamic.versym, "symbol versions")
  local length = file.layout.symbol[2]
  if count > (file.size - start) / length then
    elf.fault("truncated: its symbols end beyond the file")
  elseif count > most_symbols then
    elf.fault("more symbols than the file can hold")
  end
  for i = 1, count - 1 do
    local values = file:take("symbol", start + i * length)
    local info, bind = values[3], math.floor(values[3] / 16)
    if bind ~= 0 then
      local version = versions and file:unpack("I2", versions + i * 2, 2)[2]
      visit {
        name = file:name(values[2]), defined = values[5] ~= 0, weak = bind == 2,
        is_function = info % 16 == 2 or info % 16 == 10,
        hidden = values[4] % 4 == 1 or values[4] % 4 == 2,
        version = version and file.version_names[version % 0x8000],
      }
    end
  end
end

return symbols
