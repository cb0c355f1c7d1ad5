-- The formats of find -printf: directives behind a %, and escapes behind a backslash.
local formats = require "modfs.cli.formats"
local modes = require "modfs.cli.modes"
local modfs = require "modfs"
local owners = require "modfs.cli.owners"

local BILLION = 1000000000

local letters = { file = "f", directory = "d", link = "l" }

local function info_of(entry)
  return entry:info() or {}
end

-- The seconds of a time with ten digits behind the point, as find prints them.
local function fraction(info)
  return (".%09d0"):format(info.mtime_nsec % BILLION)
end

-- Times ------------------------------------------------------------------------------------------

-- %t: as ctime(3), with a fraction.
local function whole_time(info)
  local seconds = math.floor(info.mtime)
  return os.date("%a %b %e %H:%M:%S", seconds) .. fraction(info) .. os.date(" %Y", seconds)
end

-- What strftime prints as it is, behind %T.
local plain_times = "[aAbBdDFHIjmMpyYZ]"
local times = {
  ["@"] = function(info) return ("%d"):format(math.floor(info.mtime)) .. fraction(info) end,
  ["+"] = function(info)
    return os.date("%Y-%m-%d+%H:%M:%S", math.floor(info.mtime)) .. fraction(info)
  end,
  S = function(info) return os.date("%S", math.floor(info.mtime)) .. fraction(info) end,
  T = function(info) return os.date("%H:%M:%S", math.floor(info.mtime)) .. fraction(info) end,
}

local function time(letter)
  if letter:find(plain_times) then
    return function(info)
      return os.date("%" .. letter, math.floor(info.mtime))
    end
  end
  return times[letter]
end

-- Directives -------------------------------------------------------------------------------------

-- The place before the last name of a path, and the name.
local function take_apart(path)
  local folder, name = path:match "^(.*)/(.+)$"
  if not folder then
    return path:find "^/" and "" or ".", path
  end
  return folder, name
end

local function below_root(entry)
  local path = entry.path:sub(#entry.root + 1)
  return entry.depth == 0 and "" or (path:gsub("^/+", ""))
end

-- A field of what lstat tells.
local function known(field, text_of)
  return function(entry)
    local value = info_of(entry)[field]
    return value and text_of(value) or "?"
  end
end

local function whole(value)
  return ("%d"):format(value)
end

local directives = {
  p = function(entry) return entry.path end,
  f = function(entry) return select(2, take_apart(entry.path)) end,
  h = function(entry) return (take_apart(entry.path)) end,
  H = function(entry) return entry.root end,
  P = below_root,
  d = function(entry) return whole(entry.depth) end,
  y = function(entry) return letters[entry:kind()] or "?" end,
  l = function(entry) return entry:kind() == "link" and modfs.readlink(entry.path) or "" end,
  M = function(entry)
    local mode = info_of(entry).mode
    return mode and modes.letter(entry:kind()) .. modes.permissions(mode) or "?"
  end,
  s = known("length", whole), n = known("links", whole), i = known("inode", whole),
  D = known("device", whole), U = known("owner", whole), G = known("group", whole),
  u = known("owner", owners.user), g = known("group", owners.group),
  m = known("mode", function(mode) return ("%o"):format(mode) end),
  t = function(entry) return entry:info() and whole_time(entry:info()) or "?" end,
}

local numbers = "[dnimDUGs]"

-- The directive behind a %: text_of(entry), and the position behind it; nil for an unknown one.
local function directive(format, at)
  local field, stop = formats.field(format, at)
  local letter = format:sub(stop, stop)
  if letter == "%" then
    return function() return "%" end, stop + 1
  end
  local make = directives[letter]
  if letter == "T" then
    stop = stop + 1
    local text_of = time(format:sub(stop, stop))
    make = text_of and function(entry) return entry:info() and text_of(entry:info()) or "?" end
  end
  return make and function(entry)
    return formats.fill(make(entry), field, letter:find(numbers) ~= nil)
  end, stop + 1
end

-- compile(format) -> text_of(entry), or nil and the directive that is not known. An entry has path,
-- root, depth, kind() and info().
local function compile(format)
  local parts, at = {}, 1
  while at <= #format do
    local char = format:sub(at, at)
    local part, stop
    if char == "%" then
      part, stop = directive(format, at)
      if not part then
        return nil, format:match("^%%[-+ 0#']*%d*%.?%d*T?.?", at)
      end
    elseif char == "\\" then
      part, stop = formats.escape(format, at)
    else
      part, stop = format:match("^([^%%\\]+)()", at)
    end
    parts[#parts + 1], at = part, stop
  end
  return function(entry)
    local texts = {}
    for i, part in ipairs(parts) do
      texts[i] = type(part) == "string" and part or part(entry)
    end
    return table.concat(texts)
  end
end

return compile
