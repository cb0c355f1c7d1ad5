-- What stat -c prints of an entry: one directive behind a % for each of its attributes.
local modes = require "modfs.cli.modes"
local owners = require "modfs.cli.owners"
local quote = require "modfs.cli.quote"

local BILLION = 1000000000

local kinds = { file = "regular file", directory = "directory", link = "symbolic link",
  other = "special file" }
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
  F = function(info)
    return info.kind == "file" and info.length == 0 and "regular empty file" or kinds[info.kind]
  end,
  a = function(info) return info.mode and ("%o"):format(info.mode) end,
  A = function(info)
    return info.mode and modes.letter(info.kind) .. modes.permissions(info.mode)
  end,
  f = function(info)
    return info.mode and type_bits[info.kind] and ("%x"):format(type_bits[info.kind] + info.mode)
  end,
}

local escapes = { a = "\a", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", v = "\v",
  ["\\"] = "\\" }

local attributes = {}

-- The text of a format for one entry; what is not known is "?".
function attributes.format(format, info)
  return (format:gsub("%%(%-?)(%d*)([%%%a])", function(left, width, directive)
    if directive == "%" then
      return "%"
    end
    local make = directives[directive]
    local text = make and make(info) or "?"
    local blanks = (" "):rep((tonumber(width) or 0) - #text)
    return left == "" and blanks .. text or text .. blanks
  end))
end

-- A format with its escapes replaced: \n \t \\ \101.
function attributes.unescape(format)
  return (format:gsub("\\(.)([0-7]?[0-7]?)", function(char, digits)
    if char:find "[0-7]" then
      return string.char(tonumber(char .. digits, 8) % 256)
    end
    return (escapes[char] or "\\" .. char) .. digits
  end))
end

return attributes
