-- What cp, mv and sync keep of links, times, modes and owners, by the letters of GNU's programs.
local copying = require "modfs.cli.later" "modfs.cli.copying"

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
    how.preserve = copying.everything(dst, options.archive)
  else
    how.preserve = {}
  end
  return how
end

return keeping
