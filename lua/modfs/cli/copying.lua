-- Copying and moving single files with what cp and mv keep of them.
local modfs = require "modfs"
local place = require "modfs.place"

local copying = {}

-- Only root can give files away, and only a disk has owners. Elsewhere what the target keeps. With
-- is_all also extended attributes, where they can be kept.
function copying.everything(dst, is_all)
  local process = modfs.stat "/proc/self"
  local is_root = process ~= nil and process.owner == 0
  local preserve = is_root and place.find(dst) and { "mtime", "mode", "owner" }
    or { "mtime?", "mode?" }
  preserve[#preserve + 1] = is_all and "xattrs?" or nil
  return preserve
end

local function is_same(a, b)
  return a ~= nil and b ~= nil and a.inode ~= nil and a.inode == b.inode and a.device == b.device
end

-- Makes dst the same link as src, in place of what is there but a directory. Returns false where
-- one of the two has no links.
function copying.link(src, dst)
  local text, message, code = modfs.readlink(src)
  local there = text and modfs.lstat(dst)
  if is_same(there or nil, modfs.lstat(src)) then
    return true
  end
  if there and there.kind ~= "directory" then
    text, message, code = modfs.remove(dst) and text, message, code
  end
  if text then
    text, message, code = modfs.symlink(text, dst)
  end
  if code == "UNIMPLEMENTED" then
    return false
  end
  return text, message, code
end

-- Copies a file with its attributes. options: those of copytree.
function copying.copy(src, dst, options, is_all)
  options.preserve = copying.everything(dst, is_all)
  local report, message, code = modfs.copytree(src, dst, options)
  local first = report and report.errors[1]
  if first then
    return nil, first.message, first.code
  end
  return report and true or nil, message, code
end

-- Moves a file or a link, also to another filesystem, with all its attributes.
function copying.move(src, dst, copy)
  local is_local = place.find(src) and place.find(dst)
  if is_local or modfs.path.parse(src) == modfs.path.parse(dst) then
    return modfs.rename(src, dst)
  end
  local done, message, code = false, nil, nil
  if modfs.islink(src) then
    done, message, code = copying.link(src, dst)
  end
  if done == false then
    done, message, code = copy(src, dst, true)
  end
  if not done then
    return nil, message, code
  end
  return modfs.remove(src)
end

return copying
