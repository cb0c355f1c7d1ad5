-- What stat -c prints of an entry: one directive behind a % for each of its attributes.
local formats = require "modfs.cli.formats"
local kinds = require "modfs.cli.kinds"
local modes = require "modfs.cli.modes"
local owners = require "modfs.cli.owners"
local quote = require "modfs.cli.quote"

local BILLION = 1000000000

local type_bits = { file = 8 * 4096, directory = 4 * 4096, link = 10 * 4096 }

local function whole(field)
  return function(info)
    return info[field] and ("%d"):format(info[field])
  end
end

local function name_of(field, list)
  return function(info)
    return info[field] and list(info[field])
  end
end

local directives = {
  n = function(info) return info.path end,
  N = function(info)
    local target = info.target and " -> " .. quote.always(info.target) or ""
    return quote.always(info.path) .. target
  end,
  s = whole "length", h = whole "links", i = whole "inode", d = whole "device",
  u = whole "owner", g = whole "group",
  U = name_of("owner", owners.user), G = name_of("group", owners.group),
  Y = function(info) return ("%d"):format(math.floor(info.mtime)) end,
  y = function(info)
    local seconds = math.floor(info.mtime)
    return ("%s.%09d %s"):format(os.date("%Y-%m-%d %H:%M:%S", seconds),
      info.mtime_nsec % BILLION, os.date("%z", seconds))
  end,
  F = kinds.noun,
  a = function(info) return info.mode and ("%o"):format(info.mode) end,
  A = function(info)
    return info.mode and modes.letter(info.kind) .. modes.permissions(info.mode)
  end,
  f = function(info)
    return info.mode and type_bits[info.kind] and ("%x"):format(type_bits[info.kind] + info.mode)
  end,
}

local numbers = "[shidugYaf]"

-- The text of a directive; what is not known is "?".
local function text_of(letter, field, info)
  local make = directives[letter]
  local text = make and make(info) or "?"
  if letter == "a" and field.flags:find("#", 1, true) then
    text = "0" .. text
  end
  return formats.fill(text, field, letter:find(numbers) ~= nil)
end

-- As formats.escape, and also the hexadecimal \x41.
local function escape(format, at)
  local digits, stop = format:match("^\\x(%x%x?)()", at)
  if digits then
    return string.char(tonumber(digits, 16)), stop
  end
  return formats.escape(format, at)
end

-- The text of what begins behind plain characters, and the position behind it.
local function special(format, at, info, with_escapes)
  if format:find("^\\", at) then
    if with_escapes then
      return escape(format, at)
    end
    return "\\", at + 1
  end
  local field, stop = formats.field(format, at)
  local letter = format:sub(stop, stop)
  return (letter == "%" or letter == "") and "%" or text_of(letter, field, info), stop + 1
end

local attributes = {}

-- The text of a format for one entry. with_escapes: \n and others are what they stand for.
function attributes.format(format, info, with_escapes)
  local parts, at = {}, 1
  while at <= #format do
    local text, stop = format:match("^([^%%\\]+)()", at)
    if not text then
      text, stop = special(format, at, info, with_escapes)
    end
    parts[#parts + 1], at = text, stop
  end
  return table.concat(parts)
end

return attributes
