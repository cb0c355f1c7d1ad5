-- The options that choose entries of trees: --include, --exclude and --exclude-from.
local choosing = {}

-- what: what is left out, for the help: "copy".
function choosing.configure(parser, what)
  parser:option("--exclude", ("Do not %s what matches; as in .gitignore."):format(what))
    :argname("PATTERN"):count "*"
  parser:option("--exclude-from", "The same with the patterns in a file, one a line.")
    :argname "FILE"
  parser:option("--include", ("Of files, %s only what matches."):format(what))
    :argname("PATTERN"):count "*"
end

local function patterns(list)
  return list and #list > 0 and list or nil
end

-- The options of a function on trees for the words of a command, added to those that are given.
function choosing.options(words, given)
  local all = given or {}
  all.exclude, all.include = patterns(words.exclude), patterns(words.include)
  all.exclude_from = words.exclude_from
  return all
end

-- Whether something may be left out.
function choosing.is_wanted(words)
  return next(choosing.options(words)) ~= nil
end

return choosing
