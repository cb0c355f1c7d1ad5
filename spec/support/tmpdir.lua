-- Fresh directories, made and removed by the operating system.
local shell = require "spec.support.shell"

local tmpdir = {}

function tmpdir.new()
  return shell.output("mktemp -d", (os.getenv "TMPDIR" or "/tmp") .. "/modfs-spec.XXXXXX")
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
