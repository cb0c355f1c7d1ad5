-- modfs find [PATH...] [EXPRESSION]
local choosing = require "modfs.cli.choosing"
local command = require "modfs.cli.command"
local expression = require "modfs.cli.find_expression"
local modfs = require "modfs"
local system = require "modfs.cli.system"

-- An entry has folder, with its slash, and name; its path is put together when it is needed.
local methods = {}

local entry_class = {
  __index = function(entry, key)
    if key == "path" then
      entry.path = entry.folder .. entry.name
      return entry.path
    end
    return methods[key]
  end,
}

-- What modfs.lstat tells, asked for once; nil after a failure, which is told.
function methods:info()
  if self.told == nil then
    self.told = self.task:check(modfs.lstat(self.path)) or false
  end
  return self.told or nil
end

function methods:kind()
  return self.known or (self:info() or {}).kind
end

local function strip(path)
  local stripped = path:gsub("/+$", "")
  return (stripped == "" or stripped:find ":$") and path or stripped
end

local function depth_of(root, path)
  return select(2, path:sub(#root:gsub("/+$", "") + 1):gsub("/+[^/]", ""))
end

-- Asks the expression about an entry, and does what it says.
local function visit(search, path, depth, kind, name)
  local entry = setmetatable({ path = path, name = name or modfs.path.basename(strip(path)),
    root = search.root, depth = depth, known = kind, task = search.task }, entry_class)
  if depth >= search.min and depth <= search.max and search.test(entry, search)
    and not search.acts then
    search.print(path)
  end
  return entry
end

local function clear(list)
  for i = #list, 1, -1 do
    list[i] = nil
  end
end

-- Prints the names of a directory, many at once. Returns the index of the first that may have to be
-- printed otherwise.
local function print_all(task, folder, names)
  local separator = "\n" .. folder
  for first = 1, #names, 1000 do
    local last = math.min(first + 999, #names)
    if folder:find "%c" or table.concat(names, "", first, last):find "%c" then
      return first
    end
    task:write(folder, table.concat(names, separator, first, last), "\n")
  end
  return #names + 1
end

-- What visit does, for all names in a directory with one entry.
local function visit_names(search, folder, names, depth, kind)
  if depth < search.min or depth > search.max then
    return
  end
  folder = folder:find "/$" and folder or folder .. "/"
  local test = search.test
  local first = search.prints_all and print_all(search.task, folder, names) or 1
  local entry = setmetatable({ folder = folder, root = search.root, depth = depth,
    task = search.task }, entry_class)
  for i = first, #names do
    if search.done then
      return
    end
    entry.name, entry.path, entry.told, entry.known = names[i], nil, nil, kind
    if test(entry, search) and not search.acts then
      search.print(entry.path)
    end
  end
end

-- A directory, and what is in it; directories in it come later, or now where none lies deeper.
local function enter(search, folder, folders, files, depth)
  local pruned = visit(search, folder, depth, "directory").pruned
  if pruned or depth >= search.max then
    clear(folders)
  else
    visit_names(search, folder, files, depth + 1)
    if depth + 1 == search.max then
      visit_names(search, folder, folders, depth + 1, "directory")
      clear(folders)
    end
  end
end

local function leave(search, folder, _, files, depth)
  if depth < search.max then
    visit_names(search, folder, files, depth + 1)
  end
  visit(search, folder, depth, "directory")
end

local function walk(search, root)
  local function onerror(message, _, path)
    local depth = depth_of(root, path)
    local pruned = not search.bottomup and visit(search, path, depth, "directory").pruned
    if not pruned and depth < search.max then
      search.task:fail(message)
    end
    if search.bottomup then
      visit(search, path, depth, "directory")
    end
  end
  local step = search.bottomup and leave or enter
  local how = choosing.options(search, { onerror = onerror, bottomup = search.bottomup })
  how.include = how.include or search.names
  for folder, folders, files in modfs.walk(root, how) do
    step(search, folder, folders, files, depth_of(root, folder))
    if search.done then
      break
    end
  end
end

local function begin(search, root)
  search.root = root
  local info = search.task:check(modfs.lstat(root))
  if not info then
    return
  elseif info.kind ~= "directory" then
    visit(search, root, 0)
  elseif not search.deletes or search.task:check(system.may_delete(root)) then
    walk(search, root)
  end
end

local function run(search, task)
  local all = {}
  search.task, search.now = task, os.time()
  function search.print(path, ending)
    if search.json then
      all[#all + 1] = path
      return
    end
    ending = ending or search.null and "\0" or "\n"
    if path:find "%c" then
      task:write_name(path)
      path = ""
    end
    task:write(path, ending)
  end
  local paths = task:expand(#search.paths > 0 and search.paths or { "." })
  for _, root in ipairs(paths) do
    if not search.done then
      begin(search, root)
    end
  end
  for _, flush in ipairs(search.finals) do
    flush(search)
  end
  if search.json then
    task:print_json(all)
  end
end

return command.define("find", {
  summary = "Lists directories recursively.",
  description = [[
Lists directories recursively: what the expression holds for.

Tests: -name -iname -path -ipath PATTERN, -type f|d|l[,...], -empty,
  -size [+-]N[cwbkMG], -mtime [+-]DAYS, -mmin [+-]MINUTES, -newer FILE,
  -newermt TIME, -perm [-/]MODE, -user NAME, -group NAME, -true, -false.
Actions: -print, -print0, -printf FORMAT, -prune, -quit, -delete (what is in
  a directory first), -exec COMMAND... {} ';' or -exec COMMAND... {} +.
Directives of a format: %p path, %f name, %h directory, %P path below the
  starting point %H, %d depth, %y type, %l target of a link, %s bytes, %m mode
  in octal, %M mode in letters, %n links, %i inode, %D device, %u %U owner as
  name and number, %g %G group, %t modification time, %T@ %T+ %TY %Tm %Td %TH
  %TM %TS its parts, %% a percent sign; %10s and %-10s fill up with blanks.
  Escapes: \n \t \0 \\ and others.
Depths: -maxdepth N, -mindepth N, -depth (what is in a directory first).
Tests that follow each other have to hold all; also: ! TEST, TEST -o TEST,
  TEST , TEST and parentheses.]],
  parse = expression.parse,
  configure = function(parser)
    parser:argument("paths", "Directories to search (default: the current one)."):args "*"
    parser:option("-n --name", "As -name."):argname "PATTERN"
    parser:option("-t --type", "As -type."):argname "TYPE"
    choosing.configure(parser, "find")
    parser:flag("-0 --null", "End each path with a zero byte, not a newline.")
    parser:flag("--json", "Print an array of paths.")
  end,
  run = run,
})
