-- Where a path of a drop-in leads: to the machine's own files, or to a filesystem of modfs.
local core = require "modfs.core"

local place = {}

local working -- the URI that chdir led to; nil while the process's own directory holds

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

local function is_registered(scheme)
  for _, known in ipairs(core.schemes()) do
    if known == scheme then
      return true
    end
  end
  return false
end

-- Programs that take paths apart by Unix's rules turn mem://a into mem:/a, and put it behind the
-- directory they are in: /home/x/mem:/a, or mem:/dir/mem:/a. So the last scheme in a path counts,
-- unless a directory of that name is there. "file:" is one only behind another scheme.
local function find_schemes(path, head)
  local found = {}
  if not path:find(":", head ~= "" and #head + 2 or 1, true) then
    return found
  end
  for at, part, stop in path:gmatch "()([^/]+)()" do
    local scheme = part:match "^(%a[%w.+]*):$"
    if scheme and not (at == 1 and head ~= "") and is_registered(scheme)
      and (scheme ~= "file" or head ~= "" or #found > 0) then
      found[#found + 1] = { scheme = scheme, stop = stop }
    end
  end
  return found
end

-- What a path is without the schemes in it: the machine's own path, or nil and the URI.
local function read_head(path)
  local scheme, host, rest = core.path.parse(path)
  if scheme == "file" and (host == "" or host == "localhost") then
    return rest
  elseif scheme ~= "" then
    return nil, path
  elseif working and path:find "^[^/]" then
    return nil, tidy(working .. "/" .. path)
  end
  return path
end

-- What a path is by the n-th scheme in it; 0: by its head.
local function read_as(path, schemes, n)
  if n == 0 then
    return read_head(path)
  end
  local rest = path:sub(schemes[n].stop):gsub("^/+", "")
  if schemes[n].scheme == "file" then
    return "/" .. rest
  end
  return nil, schemes[n].scheme .. "://" .. rest
end

-- Whether the n-th scheme is the name of an entry that is there.
local function is_entry(path, schemes, n)
  local own, uri = read_as(path:sub(1, schemes[n].stop - 1), schemes, n - 1)
  return core.exists(own or uri) == true
end

-- Returns the machine's own path, or nil and the URI.
function place.find(path)
  local schemes = find_schemes(path, (core.path.parse(path)))
  local n = #schemes
  while n > 0 and is_entry(path, schemes, n) do
    n = n - 1
  end
  return read_as(path, schemes, n)
end

-- nil: the process's own.
function place.set_working(uri)
  working = uri and tidy(uri)
end

function place.working()
  return working
end

return place
