-- Where a path of a drop-in leads: to the machine's own files, or to a filesystem of modfs.
local core = require "modfs.core"

local place = {}

local working -- the URI that chdir led to; nil while the process's own directory holds

local function is_registered(scheme)
  for _, known in ipairs(core.schemes()) do
    if known == scheme and scheme ~= "file" then
      return true
    end
  end
  return false
end

-- Programs that take paths apart by Unix's rules turn mem://a into mem:/a, and put it behind the
-- directory they are in: /home/x/mem:/a. Both are mem://a, unless such a directory is there.
local function find_uri(path)
  for at, scheme, stop in path:gmatch "()(%a[%w.]*):()" do
    local is_part = (at == 1 or path:sub(at - 1, at - 1) == "/")
      and (stop > #path or path:sub(stop, stop) == "/")
    if is_part and is_registered(scheme) and core.exists(path:sub(1, stop - 1)) ~= true then
      return scheme .. "://" .. path:sub(stop):gsub("^/+", "")
    end
  end
end

-- A URI without ".", ".." and empty parts.
local function tidy(uri)
  local head, rest = uri:match "^(.-://)(.*)$"
  local parts = {}
  for part in rest:gmatch "[^/]+" do
    if part == ".." then
      parts[#parts] = nil
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return head .. table.concat(parts, "/")
end

-- Returns the machine's own path, or nil and the URI.
function place.find(path)
  local scheme, host, rest = core.path.parse(path)
  if scheme == "file" and (host == "" or host == "localhost") then
    return rest
  elseif scheme ~= "" then
    return nil, path
  end
  local uri = find_uri(path)
  if not uri and working and path:find "^[^/]" then
    uri = tidy(working .. "/" .. path)
  end
  if uri then
    return nil, uri
  end
  return path
end

-- nil: the process's own.
function place.set_working(uri)
  working = uri and tidy(uri)
end

function place.working()
  return working
end

return place
