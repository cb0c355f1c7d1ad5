-- A random tree on disk: odd names, empty and long files, deep directories, links that lead to
-- files, to directories, nowhere and in circles. The same for the same numbers.
local odd_tree = require "spec.support.odd_tree"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local random_tree = {}

local more_names = { "-n", "-rf", "-r", "--", "--help", "--json", "(", ")", ",", "a", "b", "c.txt",
  "C", "Z", "_", ".x", "...", "a.b.c", ("long"):rep(50), "\195\169t\195\169", "\240\159\152\128",
  "\r", "x ", "0", "10", "9" }

local contents = { "", "", "x", "one line\n", "no newline", "\n\n\n", "a\nb\n\nc", "zero\0byte\n",
  "cr\r\nlf\n", ("0123456789\n"):rep(60), ("long "):rep(900), ("\n"):rep(513), ("q"):rep(1024),
  ("line of text\n"):rep(6000) }

local modes = { "644", "600", "755", "640", "700" }
local times = { 1000000000, 1500000000, 86400, 1234567890 }
if rawget(math, "type") then -- elsewhere a time is the nearest double
  times = { 1000000000, 1000000000.5, 1234567890.123456, 1500000000, 86400, 1700000000.75 }
end

random_tree.names = {}
for _, list in ipairs { odd_tree.names, odd_tree.hidden, more_names } do
  for _, name in ipairs(list) do
    table.insert(random_tree.names, name)
  end
end

local function pick(draw, list)
  return list[draw(#list)]
end

random_tree.pick = pick

-- A path that is not taken yet, in a directory that is there.
local function fresh(tree, draw)
  local folder = pick(draw, tree.folders)
  local path
  repeat
    path = (folder == "." and "" or folder .. "/") .. pick(draw, random_tree.names)
    folder = pick(draw, tree.folders)
  until not tree.taken[path]
  tree.taken[path] = true
  return path
end

local function add_folders(tree, draw)
  for _ = 1, 2 + draw(5) do
    table.insert(tree.folders, fresh(tree, draw))
  end
  local path = draw(3) == 1 and fresh(tree, draw)
  for _ = 1, path and 5 + draw(30) or 0 do
    tree.taken[path] = true
    table.insert(tree.folders, path)
    path = path .. "/" .. pick(draw, { "d", "deep er", "it's" })
  end
end

local function target(tree, draw)
  local to = pick(draw, { "none", ".", "..", "a", "sub/none", "/no/such", false, false, false })
  if to then
    return to
  end
  local path = pick(draw, draw(2) == 1 and tree.files or tree.folders)
  return draw(2) == 1 and path or path:match "[^/]*$"
end

-- Shell lines that call a program for each group of paths.
local function grouped(lines, draw, values, paths, program)
  local groups = {}
  for _, path in ipairs(paths) do
    local value = pick(draw, values)
    groups[value] = groups[value] or {}
    table.insert(groups[value], shell.quote(path))
  end
  for i = 1, #values do
    local group = groups[values[i]]
    if group then
      lines[#lines + 1] = program:format(values[i]) .. " -- " .. table.concat(group, " ")
    end
  end
end

local function run(root, lines)
  local script = os.tmpname()
  tmpdir.write(script, table.concat(lines, "\n") .. "\n")
  shell.output(("cd %s && sh -e %s"):format(shell.quote(root), script))
  os.remove(script)
end

local function append(list, more)
  for _, value in ipairs(more) do
    list[#list + 1] = value
  end
  return list
end

-- plant(draw, root) makes a tree in an empty directory; draw(n) is a number from 1 to n. Returns
-- its folders (the first is "."), files and links, by their paths in it.
function random_tree.plant(draw, root)
  local tree = { folders = { "." }, files = {}, links = {}, taken = {} }
  add_folders(tree, draw)
  local lines = {}
  for i = 2, #tree.folders do
    lines[#lines + 1] = "mkdir -p -- " .. shell.quote(tree.folders[i])
  end
  run(root, lines)
  for i = 1, 5 + draw(20) do
    tree.files[i] = fresh(tree, draw)
    tmpdir.write(root .. "/" .. tree.files[i], pick(draw, contents))
  end
  lines = {}
  for i = 1, draw(7) - 1 do
    tree.links[i] = fresh(tree, draw)
    lines[i] = ("ln -s -- %s %s"):format(shell.quote(target(tree, draw)),
      shell.quote(tree.links[i]))
  end
  grouped(lines, draw, modes, tree.files, "chmod %s")
  local all = append(append(append({}, tree.folders), tree.files), tree.links)
  grouped(lines, draw, times, all, "touch -h -d @%.6f")
  run(root, lines)
  return tree
end

return random_tree
