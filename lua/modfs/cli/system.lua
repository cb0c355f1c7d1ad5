-- The machine's own directories, which no command copies or deletes as a whole.
local modfs = require "modfs"
local resolve = require "modfs.cli.resolve"

local system = {}

-- The machine's own path in its shortest form; nil for other schemes.
function system.plain(path)
  local scheme, _, rest = modfs.path.parse(path)
  rest = scheme == "file" and "/" .. rest or rest
  return (scheme == "" or scheme == "file") and modfs.path.clean(rest) or nil
end

-- Without links; what cannot be resolved keeps its name.
local function real(path)
  local own = system.plain(path)
  return own and (resolve(own, "all") or own)
end

local function is_within(path, folder)
  return (path .. "/"):sub(1, #folder + 1) == folder .. "/"
end

-- What the kernel shows as files has no end, and / has all of it; /dev/shm has files of people.
local function is_endless(path)
  if path == "/" or is_within(path, "/proc") or is_within(path, "/sys") then
    return true
  end
  return is_within(path, "/dev") and not is_within(path, "/dev/shm")
end

local function refuse(message, path)
  return nil, ("FAILED_PRECONDITION: %s: %s"):format(path, message), "FAILED_PRECONDITION"
end

-- Whether a directory may be copied with all that is in it; else nil and why not.
function system.may_copy(path)
  local own = real(path)
  if own and is_endless(own) then
    return refuse("it contains system files that have no end (/dev, /proc, /sys); name the "
      .. "directories to copy", path)
  end
  return true
end

-- Whether it may be deleted with all that is in it; else nil and why not.
function system.may_delete(path)
  if real(path) == "/" then
    return refuse("the root directory of this machine is not deleted", path)
  end
  return true
end

return system
