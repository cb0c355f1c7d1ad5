-- modfs.tempname and modfs.tempdir.
local core = require "modfs.core"
local options = require "modfs.options"
local step = require "modfs.step"

local function folder()
  local chosen = os.getenv "TMPDIR"
  return (chosen and chosen ~= "" and chosen or "/tmp"):gsub("/+$", "")
end

local function random_name()
  local source = assert(core.open "/dev/urandom")
  local bytes = assert(source:pread(0, 10))
  source:close()
  return (bytes:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

local function check_part(value, otherwise, arg)
  if value ~= nil and type(value) ~= "string" and type(value) ~= "number" then
    local what = "bad argument #%d to 'tempname' (string expected, got %s)"
    error(what:format(arg, type(value)), 3)
  end
  return tostring(value or otherwise)
end

-- A name that nothing has. A prefix with a slash in it says where, a bare one lies in TMPDIR.
local function tempname(prefix, suffix, surplus)
  options.check_none(surplus, "tempname", 3)
  prefix, suffix = check_part(prefix, "modfs-", 1), check_part(suffix, "", 2)
  if not prefix:find("/", 1, true) then
    prefix = folder() .. "/" .. prefix
  end
  local name
  repeat
    name = prefix .. random_name() .. suffix
    local taken, message, code = step.call(core.exists, name)
    if taken == nil then
      return nil, (message:gsub("exists", "tempname", 1)), code
    end
  until not taken
  return name
end

-- A fresh, empty directory, for its owner alone where the filesystem has permissions.
local function tempdir(surplus)
  options.check_none(surplus, "tempdir", 1)
  while true do
    local name = tempname()
    local made, message, code = step.call(core.mkdir, name, { private = true })
    if made then
      return name
    elseif code ~= "ALREADY_EXISTS" then
      return nil, message, code
    end
  end
end

return { tempname = tempname, tempdir = tempdir }
