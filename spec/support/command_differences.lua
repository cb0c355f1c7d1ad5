local beside = require "spec.support.beside"

-- Where the commands do not what the system's programs do: each with the words of docs/reference.md
-- for it, and excuses(line, theirs, ours): whether that is what differs. theirs and ours have
-- status, out, err and perhaps picture.
local differences = {}

local function add(text, excuses)
  differences[#differences + 1] = { text = text, excuses = excuses }
end

-- Whether the trees are the same, and so is what was printed.
local function same_work(theirs, ours)
  return theirs.out == ours.out and theirs.picture == ours.picture
end

add("ends with status 2", function(_, theirs, ours)
  return ours.status == 2 and theirs.status ~= 0 and ours.out == ""
end)

add("a name that is missing ends with status 1", function(line, theirs, ours)
  return line[1] == "ls" and theirs.status == 2 and ours.status == 1 and same_work(theirs, ours)
end)

add("`-3` is `-n 3`, also for several files", function(line, theirs, ours)
  return line[1] == "tail" and theirs.err:find "invalid context" ~= nil and ours.status < 2
end)

add("A directory is a failure without a heading", function(line, theirs, ours)
  return (line[1] == "head" or line[1] == "tail") and ours.err:find "is a directory" ~= nil
    and theirs.status <= ours.status
end)

-- Without the quotes that enclose nothing; lines that were sorted with them are sorted again.
local function unquoted(line, text)
  text = text:gsub("''", "")
  return line.sorted and beside.sorted(text) or text
end

add("GNU's programs add two quotes that mean nothing", function(line, theirs, ours)
  return theirs.status == ours.status and theirs.picture == ours.picture
    and unquoted(line, theirs.out) == unquoted(line, ours.out) and theirs.out ~= ours.out
end)

add("of a directory into itself", function(line, theirs, ours)
  return (line[1] == "cp" or line[1] == "mv") and theirs.err:find "into itself" ~= nil
    and ours.status == 1
end)

local NEVER_REPLACED = "a directory that is there is never replaced, not even an empty one"

add(NEVER_REPLACED, function(line, theirs, ours)
  return line[1] == "mv" and ours.status == 1 and ours.err:find "already exists" ~= nil
    and theirs.status == 0
end)

add("when all of it was copied", function(line, theirs, ours)
  return line[1] == "cp" and line.verbose and theirs.status == 1 and ours.status == 1
    and theirs.picture == ours.picture
end)

-- Whether a picture has a link at a path.
local function has_link(picture, path)
  return picture ~= nil and picture:find(" ./" .. path .. " -> ", 1, true) ~= nil
end

add("`link/..` is the directory that has `link`", function(line, theirs)
  for _, word in ipairs(line) do
    local folder = word:match "^(.-)/%.%./"
    if folder and has_link(theirs.picture, folder:gsub("//+", "/")) then
      return true
    end
  end
  return false
end)

return differences
