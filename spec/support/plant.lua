-- A tree of files with odd names, made by the operating system: plant(root, files, seed).
-- What the tools that people trust stumble over stands in the names; content is the file's number.
local shell = require "spec.support.shell"

local odd = {
  "plain", "with space", "new\nline", "tab\t", "quote'", 'double"', "star*", "what?", "[set]",
  "back\\slash",
  "-dash", ".hidden", "..two", "...", "~home", "$var", "`cmd`", "semi;colon", "a&b", "(round)",
  "{curly}", "caf\195\169", "latin\233", "\255\254", "\1control", "\127del", "#hash", "!bang",
  "%25", "a=b",
  "end ", " start", "x,y", "|pipe", "<in>", "^caret", "@at", "+plus", "\226\130\172",
}

local function long(n)
  return ("n"):rep(200) .. n
end

-- Directories of a tree of count files: some wide, some deep, some empty.
local function folders(root, count)
  local list = { root }
  for i = 1, math.max(4, math.floor(count / 25)) do
    local parent = list[1 + (i * 7) % #list]
    list[#list + 1] = ("%s/%s%d d"):format(parent, odd[1 + i % #odd], i)
  end
  return list
end

local function make_all(list)
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(table.concat(list, "\0"), "\0")
  file:close()
  shell.output("xargs -0 mkdir -p -- <" .. name)
  os.remove(name)
end

local function write(path, content)
  local file = assert(io.open(path, "wb"))
  file:write(content)
  file:close()
end

return function(root, count)
  local list = folders(root, count)
  make_all(list)
  for i = 1, count do
    local folder = list[1 + (i * 31) % math.max(1, #list - 2)] -- the last two stay empty
    local name = i % 97 == 0 and long(i) or odd[1 + i % #odd] .. i .. (i % 3 == 0 and ".txt" or "")
    write(folder .. "/" .. name, i % 5 == 0 and "" or tostring(i):rep(1 + i % 40))
  end
  return list
end
