-- Random command lines for a random tree. Each is an array of words, with fields:
--   theirs   other words for the system's program
--   changes  whether it changes the tree
--   sorted   whether the order of its lines is the directory's, and so nobody's
--   verbose  whether modfs ends it with a line of totals
local random_tree = require "spec.support.random_tree"

local pick = random_tree.pick
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local command_lines = {}

-- One generator for one tree: the paths that were there, and those that lines have made since.
local line_class = {}
line_class.__index = line_class

function line_class:chance(one_of)
  return self.draw(one_of) == 1
end

function line_class:any(...)
  return pick(self.draw, { ... })
end

-- An entry of a kind: "folders", "files", "links" or any of them.
function line_class:entry(kind)
  local list = self.tree[kind or self:any("folders", "files", "files", "links", "new")] or {}
  return #list > 0 and pick(self.draw, list) or "."
end

-- What follows a name means a directory, so only one that is a directory has it: modfs takes . and
-- slashes away from the text of a path.
local function spelled(self, path)
  local way = self.draw(16)
  if way == 1 then
    return "./" .. path
  elseif way == 2 then
    return (path:gsub("/", "//", 1))
  elseif way == 3 then
    local folder = self:entry "folders"
    return folder:find "[./]" and path or folder .. "/../" .. path
  elseif way <= 5 and self.is_folder[path] then
    return path .. (way == 4 and "/" or "/.")
  end
  return path
end

-- A path as somebody may type it; some are not there.
function line_class:path(kind)
  if self:chance(14) then
    return self:any("none", "none/x", "no\nne", "none/")
  end
  return spelled(self, self:entry(kind))
end

function line_class:paths(most, kind)
  local paths = {}
  for i = 1, self.draw(most + 1) - 1 do
    paths[i] = self:path(kind)
  end
  return paths
end

-- A path for something that is made.
function line_class:new_path()
  local path = pick(self.draw, random_tree.names)
  if self:chance(2) then
    path = self:entry "folders" .. "/" .. path
  end
  table.insert(self.tree.new, path)
  return path
end

local function append(list, more)
  for _, word in ipairs(more) do
    list[#list + 1] = word
  end
  return list
end

-- Some of the letters, in one word or in several.
function line_class:flags(words, letters, rarity)
  local chosen = {}
  for letter in letters:gmatch "." do
    if self:chance(rarity or 3) then
      table.insert(chosen, self.draw(#chosen + 1), letter)
    end
  end
  if #chosen > 0 and self:chance(2) then
    words[#words + 1] = "-" .. table.concat(chosen)
  else
    for _, letter in ipairs(chosen) do
      words[#words + 1] = "-" .. letter
    end
  end
  return words
end

-- The operands, behind -- where one of them looks like an option.
function line_class:operands(words, paths)
  local dashed = self:chance(8)
  for _, path in ipairs(paths) do
    dashed = dashed or path:find "^%-" ~= nil
  end
  if dashed then
    words[#words + 1] = "--"
  end
  return append(words, paths)
end

local function with_program(words, ...)
  local theirs = { ... }
  for i = 2, #words do
    theirs[#theirs + 1] = words[i]
  end
  words.theirs = theirs
  return words
end

-- Lines that only read ---------------------------------------------------------------------------

local reads = {}

function reads.ls(self)
  local words = self:flags({ "ls" }, "aARtSr1dpF", 4)
  if self:chance(5) then
    append(words, { self:any("-l", "-l", "-ln", "-lh") })
    words.without = "\ntotal [%d.]+%a?%f[\n]"
  end
  self:operands(words, self:paths(3))
  return with_program(words, "ls", "--time-style=long-iso")
end

-- A pattern that may match a name: with some of its characters replaced.
local function pattern(self)
  local name = pick(self.draw, random_tree.names):sub(1, 20)
  local way = self.draw(9)
  if way == 1 then
    return "*"
  elseif way == 2 then
    return name
  elseif way == 3 then
    return "*" .. name:sub(-1)
  elseif way == 4 then
    return name:sub(1, 1) .. "*"
  elseif way == 5 then
    return self:any("[a-m]*", "[!a-m]*", "*[[:digit:]]*", "[^.]*", "*[]x]*", "[a", "[[:upper:]]*",
      "*\\?", "\\*", "?*.*")
  elseif way == 6 then
    return name:gsub("^.", "?") .. ""
  elseif way == 7 then
    return "*" .. name:sub(2, 3) .. "*"
  end
  return ("?"):rep(self.draw(4))
end

local FORMATS = { "%p\\n", "%f|", "%P %s %y\\n", "%h:%f\\n", "%m %M %p\\n", "%d %P\\0",
  "%u %g %U %G\\n",
  "%T@ %p\\n", "%l<%p>\\n", "%T+ %f\\n", "%-8s%5m|%p\\n", "%%\\t%H\\n", "%TY-%Tm-%Td %TH:%TM\\n" }

local tests

local function number(self, ...)
  return self:any("", "+", "-") .. self:any(...)
end

-- find takes no paths that look like its own words.
local function plain(path)
  return path:find "^[-(),!]" and "./" .. path or path
end

tests = {
  function(self) return { self:any("-name", "-name", "-iname"), pattern(self) } end,
  function(self) return { self:any("-path", "-ipath", "-wholename"), "*" .. pattern(self) } end,
  function(self) return { "-type", self:any("f", "d", "l", "f,d", "d,l") } end,
  function() return { "-empty" } end,
  function(self)
    return { "-size", number(self, "0", "1", "2", "10c", "512c", "1k", "1w", "1M") }
  end,
  function(self) return { "-mtime", number(self, "0", "9000", "5000") } end,
  function(self) return { "-newer", self:entry() } end,
  function(self) return { "-perm", self:any("644", "-600", "/111", "/022", "-0", "755") } end,
  function(self) return { self:any("-true", "-false") } end,
  function(self) return { self:any("-user", "-group"), self:any("root", "0", "nobody") } end,
  function(self) return { self:any("-mindepth", "-maxdepth"), tostring(self.draw(4) - 1) } end,
  function(self) return { "-newermt", self:any("2001-09-09", "@1500000000") } end,
}

local function expression(self, depth)
  local way = depth > 0 and self.draw(8) or 1
  if way == 5 then
    return append({ "!" }, expression(self, depth - 1))
  elseif way == 6 then
    local words = append({ "(" }, expression(self, depth - 1))
    words[#words + 1] = self:any("-o", "-or", "-a")
    return append(append(words, expression(self, depth - 1)), { ")" })
  elseif way == 7 then
    return append(expression(self, depth - 1), expression(self, depth - 1))
  elseif way == 8 then
    return append(append(expression(self, depth - 1), { self:any("-o", "-a") }),
      expression(self, depth - 1))
  end
  return pick(self.draw, tests)(self)
end

function reads.find(self)
  local words = { "find" }
  for _, path in ipairs(self:paths(2)) do
    words[#words + 1] = plain(path)
  end
  if self:chance(6) then
    words[#words + 1] = "-depth"
  end
  append(words, self:chance(8) and {} or expression(self, 3))
  local action = self.draw(8)
  if action == 1 then
    words[#words + 1] = "-print0"
  elseif action <= 4 then
    append(words, { "-printf", pick(self.draw, FORMATS) })
  elseif action == 5 then
    append(words, { "-prune", "-o", "-print" })
  elseif action == 6 then
    append(words, { "-exec", "printf", "%s|", "{}", self:any("+", ";") })
  end
  words.sorted = true
  return words
end

function reads.du(self)
  local words = self:flags({ "du", self:any("-b", "-b", "-b", "-bs") }, "achk", 5)
  if self:chance(5) and words[2] == "-b" then
    append(words, self:any({ "-d", "1" }, { "--max-depth=0" }, { "-d2" }))
  end
  words.sorted = true
  return self:operands(words, self:paths(3))
end

function reads.stat(self)
  local format = self:any("%n", "%N", "%s %F", "%a %A %f", "%h %u %g %U %G", "%Y", "%y",
    "%%|%5a|%-12s|",
    "%n %s\\n",
    "%010s|%.3n|%#a|%-8s|%08a|")
  local words = { "stat", "-c", format }
  if self:chance(6) then
    words = { "stat", "--printf", format .. self:any("\\n", "\\0", "\\t\\101\\x41\\\\") }
  end
  local paths = self:paths(3)
  return self:operands(words, #paths > 0 and paths or { "." })
end

local function count(self)
  return self:any("0", "1", "2", "3", "10", "-1", "-2", "+0", "+1", "+2", "+5", "1k", "5000",
    "99999")
end

-- head knows no +N.
local function end_of(program)
  return function(self)
    local words = { program }
    if self:chance(5) then
      words[2] = self:any("-1", "-3", "-10")
    elseif not self:chance(4) then
      local option, value = self:any("-n", "-c", "--lines=", "--bytes="), count(self)
      value = program == "head" and value:gsub("%+", "") or value
      append(words, option:find "=" and { option .. value } or { option, value })
    end
    self:flags(words, "qv", 6)
    local paths = self:paths(3, self:any("files", "files", "links", false) or nil)
    return self:operands(words, #paths > 0 and paths or { self:entry "files" })
  end
end

reads.head, reads.tail = end_of "head", end_of "tail"

function reads.cat(self)
  return self:operands(self:flags({ "cat" }, "n", 2), self:paths(3, "files"))
end

function reads.sum(self)
  local name = self:any("sha256", "sha512", "md5")
  local words = { "sum", "--" .. name }
  self:operands(words, { self:path "files", self:path() })
  words.theirs = { name .. "sum", unpack(words, 3) }
  return words
end

function reads.readlink(self)
  local words = self:flags({ "readlink" }, "nz", 5)
  if self:chance(2) then
    words[#words + 1] = self:any("-f", "-e", "-m")
  end
  local paths = self:paths(2, self:any("links", "links", false) or nil)
  return self:operands(words, #paths > 0 and paths or { self:path "links" })
end

function reads.diff(self)
  local words = self:operands({ "diff", "-r" }, { self:path(), self:path() })
  return with_program(words, "diff", "-q", "--no-dereference")
end

-- Lines that change something --------------------------------------------------------------------

local changes = {}

-- What is copied or moved, and where to.
local function from_and_to(self, words)
  local sources, way = { self:path() }, self.draw(6)
  if self:chance(5) then
    sources[2] = self:path()
  end
  if way == 1 then
    append(words, { "-t", self:path "folders" })
    return self:operands(words, sources)
  end
  sources[#sources + 1] = way <= 3 and self:path "folders" or way == 4 and self:path()
    or self:new_path()
  return self:operands(words, sources)
end

local function verbose(words)
  for i = 2, #words do
    if words[i] == "--" then
      break
    end
    words.verbose = words.verbose or words[i]:find "^%-%l*v" ~= nil
  end
  words.sorted = words.verbose
  return words
end

function changes.cp(self)
  local words = self:chance(5) and { "cp" } or { "cp", self:any("-r", "-R", "-a", "-r") }
  return verbose(from_and_to(self, self:flags(words, "nfv", 4)))
end

function changes.mv(self)
  return verbose(from_and_to(self, self:flags({ "mv" }, "nfv", 4)))
end

function changes.rm(self)
  local words = self:flags({ "rm" }, "rfvd", 3)
  local paths = self:paths(3)
  return verbose(self:operands(words, #paths > 0 and paths or { self:path() }))
end

function changes.mkdir(self)
  local paths = { self:new_path() }
  if self:chance(2) then
    paths[1] = paths[1] .. self:any("/x", "/x/y", "//z/", "/")
  end
  if self:chance(3) then
    paths[2] = self:path()
  end
  return self:operands(self:flags({ "mkdir" }, "pv", 2), paths)
end

function changes.touch(self)
  local words = self:flags({ "touch" }, "c", 4)
  if self:chance(2) then
    append(words, self:any({ "-d", "2020-02-03" }, { "-d", "@1234567890" }, { "-r", self:entry() }))
  end
  return self:operands(words, { self:chance(2) and self:new_path() or self:path() })
end

function changes.ln(self)
  local words = self:flags({ "ln", "-s" }, "fv", 4)
  local path = self:chance(3) and self:path() or self:new_path()
  table.insert(self.tree.links, path)
  return self:operands(words, { self:chance(3) and "no/such" or self:path(), path })
end

local read_names = { "ls", "ls", "ls", "find", "find", "find", "find", "du", "du", "stat", "head",
  "tail", "cat", "sum", "readlink", "diff" }
local change_names = { "cp", "cp", "cp", "mv", "mv", "rm", "rm", "mkdir", "touch", "ln" }

-- lines(draw, tree, number_of_lines, changing) -> lines that only read, or that change the tree.
function command_lines.lines(draw, tree, number_of_lines, changing)
  tree.new = tree.new or {}
  local self = setmetatable({ draw = draw, tree = tree, is_folder = {} }, line_class)
  for _, path in ipairs(tree.folders) do
    self.is_folder[path] = true
  end
  local lines = {}
  for i = 1, number_of_lines do
    local made = changing and changes or reads
    local line = made[pick(draw, changing and change_names or read_names)](self)
    line.changes = changing
    lines[i] = line
  end
  return lines
end

return command_lines
