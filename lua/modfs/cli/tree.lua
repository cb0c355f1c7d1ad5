-- modfs tree [-a] [-d] [-L N] [--json] [PATH...]
local command = require "modfs.cli.command"
local describe = require("modfs.cli.entry").describe
local modfs = require "modfs"

local BRANCH, LAST, BAR, GAP = "├── ", "└── ", "│   ", "    "

-- What is in a directory: a node for each, with the nodes in it.
local function read(path, depth, options, task)
  local nodes = {}
  for _, name in ipairs(task:check(modfs.listdir(path)) or {}) do
    if options.all or name:sub(1, 1) ~= "." then
      local below = modfs.path.join(path, name)
      local info = task:check(describe(below))
      local is_directory = info and info.kind == "directory"
      if is_directory or info and not options.directories then
        nodes[#nodes + 1] = { name = name, kind = info.kind, path = below,
          target = info.target,
          contents = is_directory and depth < options.level
            and read(below, depth + 1, options, task) or nil }
      end
    end
  end
  return nodes
end

local function count(nodes, counts)
  for _, node in ipairs(nodes) do
    local kind = node.kind == "directory" and "dirs" or "files"
    counts[kind] = counts[kind] + 1
    count(node.contents or {}, counts)
  end
  return counts
end

local function show(nodes, before, task)
  for i, node in ipairs(nodes) do
    local is_last = i == #nodes
    task:write(before, is_last and LAST or BRANCH)
    task:write_name(node.name)
    if node.target then
      task:write " -> "
      task:write_name(node.target)
    end
    task:write "\n"
    show(node.contents or {}, before .. (is_last and GAP or BAR), task)
  end
end

local function totals(roots, options)
  local counts = { dirs = 0, files = 0 }
  for _, root in ipairs(roots) do
    count(root.contents, counts)
  end
  local text = counts.dirs == 1 and "1 directory" or counts.dirs .. " directories"
  if options.directories then
    return text
  end
  return text .. (counts.files == 1 and ", 1 file" or (", %d files"):format(counts.files))
end

local function level(text)
  local number = text:find "^[1-9]%d*$" and tonumber(text)
  return number or nil, ("'%s' is not a number of levels: expected 1 or more"):format(text)
end

return command.define("tree", {
  summary = "Draws directories and what is in them.",
  configure = function(parser)
    parser:argument("paths", "Directories or patterns (default: the current one)."):args "*"
    parser:flag("-a --all", "Show names that begin with a dot, too.")
    parser:flag("-d --directories", "Show only directories.")
    parser:option("-L --level", "Go only so deep."):argname("N"):convert(level):default(math.huge)
    parser:flag("--json", "Print an array of objects.")
  end,
  run = function(options, task)
    local roots = {}
    for _, path in ipairs(task:expand(#options.paths > 0 and options.paths or { "." })) do
      if task:check(modfs.lstat(path)) then
        roots[#roots + 1] = { name = path, kind = "directory", path = path,
          contents = read(path, 1, options, task) }
      end
    end
    if options.json then
      return task:print_json(roots)
    end
    for _, root in ipairs(roots) do
      task:write_name(root.name)
      task:write "\n"
      show(root.contents, "", task)
    end
    task:write("\n", totals(roots, options), "\n")
  end,
})
