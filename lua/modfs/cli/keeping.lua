-- What cp, mv and sync keep of links, times, modes and owners, by the letters of GNU's programs.
local modfs = require "modfs"
local place = require "modfs.place"

local keeping = {}

local function sets(target, value)
  return function(args)
    args[target] = value
  end
end

-- The options of cp; the last of them decides.
function keeping.configure(parser)
  parser:flag("-p --preserve", "Keep times and modes, and owners where root copies local files.")
  parser:flag("-L --dereference", "Copy what symbolic links lead to.")
    :target "links":action(sets("links", "follow"))
  parser:flag("-P --no-dereference", "Copy symbolic links themselves, as -r does.")
    :target "links":action(sets("links", "keep"))
  parser:flag("-d", "The same."):target "links":action(sets("links", "keep"))
end

-- Only root can give files away, and only a disk has owners. Elsewhere what the target keeps. With
-- is_all also extended attributes, where they can be kept.
function keeping.everything(dst, is_all)
  local process = modfs.stat "/proc/self"
  local is_root = process ~= nil and process.owner == 0
  local preserve = is_root and place.find(dst) and { "mtime", "mode", "owner" }
    or { "mtime?", "mode?" }
  preserve[#preserve + 1] = is_all and "xattrs?" or nil
  return preserve
end

-- Whether cp copies links themselves.
function keeping.keeps_links(options)
  if options.links then
    return options.links == "keep"
  end
  return (options.recursive or options.archive) and true or false
end

-- Whether cp keeps times and modes; else new files have the time of the copy and, by the umask, the
-- mode of the source.
function keeping.is_wanted(options)
  return (options.preserve or options.archive) and true or false
end

-- Adds to how, the options of copytree, what cp's say.
function keeping.add(options, dst, how)
  how.links = keeping.keeps_links(options) and "keep" or "follow"
  if keeping.is_wanted(options) then
    how.preserve = keeping.everything(dst, options.archive)
  else
    how.preserve = {}
  end
  return how
end

local function is_same(a, b)
  return a ~= nil and b ~= nil and a.inode ~= nil and a.inode == b.inode and a.device == b.device
end

-- Makes dst the same link as src, in place of what is there but a directory. Returns false where
-- one of the two has no links.
function keeping.link(src, dst)
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
function keeping.copy(src, dst, options, is_all)
  options.preserve = keeping.everything(dst, is_all)
  local report, message, code = modfs.copytree(src, dst, options)
  local first = report and report.errors[1]
  if first then
    return nil, first.message, first.code
  end
  return report and true or nil, message, code
end

-- Moves a file or a link, also to another filesystem, with all its attributes.
function keeping.move(src, dst, copy)
  local is_local = place.find(src) and place.find(dst)
  if is_local or modfs.path.parse(src) == modfs.path.parse(dst) then
    return modfs.rename(src, dst)
  end
  local done, message, code = false, nil, nil
  if modfs.islink(src) then
    done, message, code = keeping.link(src, dst)
  end
  if done == false then
    done, message, code = copy(src, dst, true)
  end
  if not done then
    return nil, message, code
  end
  return modfs.remove(src)
end

return keeping
