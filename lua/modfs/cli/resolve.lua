-- Paths without links, ., .. and empty parts, as realpath(1) makes them, on every filesystem.
local modfs = require "modfs"

local MOST_LINKS = 40

-- What precedes the names of a path, and the names; of a plain path the names from / on.
local function take_apart(path)
  local scheme, host, rest = modfs.path.parse(path)
  if scheme == "" then
    if not path:find "^/" then
      rest = modfs.path.absolute "." .. "/" .. rest
    end
    return "/", rest
  elseif scheme == "file" then
    return "file:///", rest
  end
  return scheme .. "://", host .. rest
end

-- Puts the parts of a path before those that are left; "" and "." at its end count, as they need a
-- directory before them.
local function prepend(path, left)
  local parts = {}
  for part in (path .. "/"):gmatch "([^/]*)/" do
    parts[#parts + 1] = part
  end
  for i = #parts, 1, -1 do
    left[#left + 1] = parts[i]
  end
end

local function fail(message, code)
  return nil, message, code
end

local function refusal(path, message)
  return fail(("FAILED_PRECONDITION: readlink %s: %s"):format(path, message),
    "FAILED_PRECONDITION")
end

-- Whether only names may follow that mean the directory itself.
local function is_last(left)
  for _, part in ipairs(left) do
    if part ~= "" then
      return false
    end
  end
  return true
end

-- Goes on with where a link leads.
local function follow(self, target)
  self.links = self.links + 1
  if target:find "^/" then
    self.names = {}
  end
  prepend(target, self.left)
end

-- One name; true, or a failure.
local function step(self, name)
  local names = self.names
  names[#names + 1] = name
  local path = self.head .. table.concat(names, "/")
  local info, message, code = modfs.lstat(path)
  if not info then
    local allowed = self.missing == "all" or code == "NOT_FOUND" and self.missing == "last"
      and is_last(self.left)
    return allowed or fail(message, code)
  elseif info.kind == "link" and self.links < MOST_LINKS then
    names[#names] = nil
    local target, why, kind = modfs.readlink(path)
    if not target then
      return fail(why, kind)
    end
    follow(self, target)
  elseif info.kind == "link" then
    return self.missing == "all" or refusal(path, "too many levels of symbolic links")
  elseif info.kind ~= "directory" and #self.left > 0 and self.missing ~= "all" then
    return refusal(path, "it is not a directory")
  end
  return true
end

-- resolve(path, missing) -> the path, or a failure. missing: what need not be there: "none",
-- "last", which is the last name, or "all".
local function resolve(path, missing)
  local head, rest = take_apart(path)
  local self = { head = head, names = {}, left = {}, links = 0, missing = missing }
  prepend(rest, self.left)
  while #self.left > 0 do
    local name = table.remove(self.left)
    if name == ".." then
      self.names[#self.names] = nil
    elseif name ~= "" and name ~= "." then
      local fine, message, code = step(self, name)
      if not fine then
        return nil, message, code
      end
    end
  end
  return head .. table.concat(self.names, "/")
end

return resolve
