-- attributes and symlinkattributes of LuaFileSystem, from what modfs knows of a path.
local core = require "modfs.core"
local errno = require "modfs.errno"
local refusal = require "modfs.refusal"

local BLOCK = 512

-- The words of LuaFileSystem for the nine bits.
local function permissions(mode)
  local text, bit = "", 256
  for i = 0, 8 do
    text = text .. (math.floor(mode / bit) % 2 == 1 and ("rwx"):sub(i % 3 + 1, i % 3 + 1) or "-")
    bit = bit / 2
  end
  return text
end

-- What a filesystem does not have is what a plain file of a single user would.
local function fields(info)
  local seconds = math.floor(info.mtime)
  return {
    mode = info.kind, size = info.length,
    modification = seconds, access = seconds, change = seconds,
    permissions = permissions(info.mode or (info.is_directory and 511 or 438)),
    nlink = info.links or 1, uid = info.owner or 0, gid = info.group or 0,
    ino = info.inode or 0, dev = info.device or 0, rdev = 0,
    blksize = 4096, blocks = math.ceil(info.length / BLOCK),
  }
end

-- What a link leads to has no more than stat tells.
local function follow(path, info)
  if info.kind ~= "link" then
    return info
  end
  return core.stat(path)
end

local function select_field(table_of, request)
  if type(request) == "table" then
    for name, value in pairs(table_of) do
      request[name] = value
    end
    return request
  elseif type(request) ~= "string" and type(request) ~= "number" then
    return table_of
  end
  local value = table_of[tostring(request)]
  if value == nil then
    return refusal.because(("invalid attribute name '%s'"):format(request))
  end
  return value
end

-- shown is the path as the caller wrote it.
local function refuse(shown, reason, number)
  return nil, ("cannot obtain information from file '%s': %s"):format(shown, reason), number
end

local function fail(path, shown, message, code)
  return refuse(shown, errno.translate(message, code, path))
end

-- A name that ends in a slash is that of a directory.
local function is_wrongly_named(info, shown)
  return shown:find "/$" and info.kind ~= "directory" and info.kind ~= "link"
end

local function attributes(path, request, shown)
  local info, message, code = core.lstat(path)
  if info then
    info, message, code = follow(path, info)
  end
  if not info then
    return fail(path, shown, message, code)
  elseif is_wrongly_named(info, shown) then
    return refuse(shown, errno.texts[20], 20)
  end
  return select_field(fields(info), request)
end

local function target_of(path, info, message, code)
  local target
  if info and info.kind == "link" then
    target, message, code = core.readlink(path)
  end
  if target then
    return target
  end
  local number = info and info.kind ~= "link" and 22
    or select(2, errno.translate(message, code, path))
  return nil, "could not obtain link target: " .. errno.texts[number], number
end

local function symlinkattributes(path, request, shown)
  local info, message, code = core.lstat(path)
  if request == "target" then
    return target_of(path, info, message, code)
  elseif not info then
    return fail(path, shown, message, code)
  elseif is_wrongly_named(info, shown) then
    return refuse(shown, errno.texts[20], 20)
  end
  local all = fields(info)
  if info.kind == "link" then
    all.target = core.readlink(path)
  end
  return select_field(all, request)
end

return { attributes = attributes, symlinkattributes = symlinkattributes }
