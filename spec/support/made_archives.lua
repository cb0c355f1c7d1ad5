-- Archives that no program here makes.
--   package(regions, with_length)   the bytes of a package; a region is { name, content }
--   har(from, to, draw)             makes an archive of Hadoop from a folder without links, in the
--                                   form of its third version, with parts of random lengths
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local made = {}

-- A protocol buffer's number, and a field of one.
local function varint(n)
  local bytes = {}
  while n >= 128 do
    bytes[#bytes + 1] = string.char(n % 128 + 128)
    n = math.floor(n / 128)
  end
  return table.concat(bytes) .. string.char(n)
end

local function field(number, value)
  if type(value) == "number" then
    return varint(number * 8) .. varint(value)
  end
  return varint(number * 8 + 2) .. varint(#value) .. value
end

function made.package(regions, with_length)
  local body, list = "", ""
  for _, region in ipairs(regions) do
    body = body .. ("\0"):rep(-#body % 64)
    list = list .. field(1, field(1, #body) .. field(2, "memmapped_package://" .. region[1])
      .. (with_length and field(3, #region[2]) or ""))
    body = body .. region[2]
  end
  local place_of, last = #body, ""
  for _ = 1, 8 do
    last = last .. string.char(place_of % 256)
    place_of = math.floor(place_of / 256)
  end
  return body .. list .. last
end

-- As Java's URLEncoder.
local function encode(text)
  return (text:gsub("[^%w%.%-%*_ ]", function(c) return ("%%%02X"):format(c:byte()) end)
    :gsub(" ", "+"))
end

local function properties(path)
  local stat = assert(modfs.stat(path))
  return encode(("%d %d owner group"):format(math.floor(stat.mtime * 1000), stat.mode))
end

function made.har(from, to, draw)
  local lines, parts = {}, { {} }
  assert(modfs.makedirs(to))
  for directory, names, files in modfs.walk(from) do
    local inner = directory:sub(#from + 1)
    local children = {}
    for _, list in ipairs { names, files } do
      for _, name in ipairs(list) do
        children[#children + 1] = encode(name) .. " "
      end
    end
    lines[#lines + 1] = ("%s dir %s 0 0 %s\n"):format(encode(inner == "" and "/" or inner),
      properties(directory), table.concat(children))
    for _, name in ipairs(files) do
      local part, path = parts[#parts], directory .. "/" .. name
      local content = assert(modfs.read(path))
      lines[#lines + 1] = ("%s file part-%d %d %d %s \n"):format(encode(inner .. "/" .. name),
        #parts - 1, part.length or 0, #content, properties(path))
      part[#part + 1] = content
      part.length = (part.length or 0) + #content
      if draw(4) == 1 then
        parts[#parts + 1] = {}
      end
    end
  end
  for i, part in ipairs(parts) do
    tmpdir.write(("%s/part-%d"):format(to, i - 1), table.concat(part))
  end
  tmpdir.write(to .. "/_index", table.concat(lines))
  tmpdir.write(to .. "/_masterindex", ("3 \n0 2147483647 0 %d \n"):format(#table.concat(lines)))
end

return made
