-- Fresh directories, made and removed by the operating system.
local shell = require "spec.support.shell"

local tmpdir = {}

local function make(parent)
  return shell.output("mktemp -d", parent .. "/modfs-spec.XXXXXX")
end

function tmpdir.new()
  return make(os.getenv "TMPDIR" or "/tmp")
end

-- For many thousand entries: in memory, where the machine has a place for that.
function tmpdir.large()
  local has_memory = shell.run "test -w /dev/shm" == 0
  return has_memory and make "/dev/shm" or tmpdir.new()
end

function tmpdir.remove(path)
  shell.run("rm -rf --", path)
end

-- What is in a directory, at any depth, one name a line; "" for nothing.
function tmpdir.list(path)
  return shell.output("cd " .. shell.quote(path) .. " && find . -mindepth 1 | LC_ALL=C sort")
end

-- Content of a file as the C library reads it; nil when it is missing.
function tmpdir.content(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local content = file:read("*a")
  file:close()
  return content
end

function tmpdir.write(path, content)
  local file = assert(io.open(path, "wb"))
  file:write(content)
  assert(file:close())
end

return tmpdir
