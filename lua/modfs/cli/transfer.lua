-- Copying for cp and mv: files, trees and the standard streams, with what nobody means refused.
local input = require "modfs.cli.input"
local modfs = require "modfs"
local progress = require "modfs.cli.progress"

local CHUNK = 1024 * 1024

-- What the kernel shows as files has no end, and / has all of it.
local endless = { ["/"] = true, ["/dev"] = true, ["/proc"] = true, ["/sys"] = true }

local transfer = {}

local function strip(path)
  local stripped = path:gsub("/+$", "")
  return (stripped == "" or stripped:find ":$") and path or stripped
end

-- The machine's own path in its shortest form; nil for other schemes.
local function plain(path)
  local scheme, _, rest = modfs.path.parse(path)
  return (scheme == "" or scheme == "file") and modfs.path.clean(rest) or nil
end

function transfer.is_root(path)
  return plain(path) == "/"
end

-- Where src goes: into dst when that is a directory.
function transfer.target(src, dst)
  if modfs.isdir(dst) then
    return modfs.path.join(dst, modfs.path.basename(strip(src)))
  end
  return dst
end

local function pour(from, to)
  while true do
    local data, message = from:read(CHUNK)
    if data == nil then
      return message == nil or nil, message
    end
    local done, why = to:write(data)
    if not done then
      return nil, why
    end
  end
end

-- From standard input. What is not whole replaces nothing, where there is a way.
function transfer.take(task, dst)
  local out = modfs.open(dst, "w", { atomic = true, durable = false })
    or task:check(modfs.open(dst, "w"))
  if not out then
    return
  end
  local fine, done, message = pcall(pour, input, out)
  if fine and done then
    done, message = out:close()
  else
    out:abort()
  end
  if not fine then
    error(done, 0)
  end
  task:check(done or nil, message)
end

-- To standard output.
function transfer.give(task, src)
  local file = task:check(modfs.open(src))
  if not file then
    return
  end
  local done, message = pour(file, { write = function(_, data)
    task:write(data)
    return true
  end })
  file:close()
  task:check(done, message)
end

local function check_tree(task, src, dst)
  local from = plain(src)
  if endless[from] then
    task:fail(("FAILED_PRECONDITION: %s: it holds the system's own files, which have no end "
      .. "(/dev, /proc, /sys); name the folders that are meant"):format(src))
    return false
  end
  local inner, outer = strip(plain(dst) or dst) .. "/", strip(from or src) .. "/"
  if inner:sub(1, #outer) == outer then
    task:fail(("INVALID_ARGUMENT: %s: cannot be copied into itself, %s"):format(src, dst))
    return false
  end
  return true
end

-- A copy with a bar: copytree or copy, and what it returns.
local function shown(copy, src, dst)
  local bar = progress.new()
  local report, message = copy(src, dst, { progress = function(...)
    bar:update(...)
  end })
  bar:finish()
  return report, message
end

function transfer.file(task, src, dst)
  return task:check(shown(modfs.copy, src, dst))
end

-- Whether all of it was copied.
function transfer.tree(task, src, dst)
  if not check_tree(task, src, dst) then
    return false
  end
  local report, message = shown(modfs.copytree, src, dst)
  if not task:check(report, message) then
    return false
  end
  for _, failure in ipairs(report.errors) do
    task:fail(failure.message)
  end
  return #report.errors == 0
end

-- Whether it is a file that ends; a device may not.
function transfer.is_regular(task, src)
  local info = task:check(modfs.lstat(src))
  if info and info.kind == "other" then
    task:fail(("FAILED_PRECONDITION: %s: a device, pipe or socket is not copied; `modfs cat` "
      .. "reads it"):format(src))
  end
  return info and info.kind ~= "other"
end

return transfer
