-- modfs ls [-a] [-l] [-h] [-R] [-t | -S] [-r] [-d] [--color[=WHEN]] [--json] [PATH...]
local colors = require "modfs.cli.colors"
local command = require "modfs.cli.command"
local details = require "modfs.cli.details"
local describe_entry = require("modfs.cli.entry").describe
local grid = require "modfs.cli.grid"
local modfs = require "modfs"
local quote = require "modfs.cli.quote"
local shell = require "modfs.inspect.shell"
local system = require "modfs.cli.system"

local function describe(path, name)
  local info, message = describe_entry(path)
  if not info then
    return nil, message
  end
  return { name = name, path = path, kind = info.kind, length = info.length, mtime = info.mtime,
    mtime_nsec = info.mtime_nsec, mode = info.mode, owner = info.owner, group = info.group,
    links = info.links, target = info.target }
end

-- Order -----------------------------------------------------------------------------------

local function by_name(a, b)
  return a.name < b.name
end

-- The largest value first.
local function by(field)
  return function(a, b)
    if a[field] == b[field] then
      return by_name(a, b)
    end
    return a[field] > b[field]
  end
end

local orders = { time = by "mtime_nsec", size = by "length" }

local function sort(entries, options)
  table.sort(entries, orders[options.order] or by_name)
  for i = 1, options.reverse and #entries / 2 or 0 do
    entries[i], entries[#entries + 1 - i] = entries[#entries + 1 - i], entries[i]
  end
  return entries
end

-- What is there ----------------------------------------------------------------------------

-- Names begin with . and .. where those are entries of the directory: on this machine.
local function names_in(path, options, task)
  local names = options.hidden == "all" and system.plain(path) and { ".", ".." } or {}
  for _, name in ipairs(task:check(modfs.listdir(path)) or {}) do
    if options.hidden or name:sub(1, 1) ~= "." then
      names[#names + 1] = name
    end
  end
  return names
end

local function entries_in(path, options, task)
  local entries = {}
  for _, name in ipairs(names_in(path, options, task)) do
    local below = modfs.path.join(path, name)
    local entry = { name = name, path = below }
    if options.details then
      entry = task:check(describe(below, name))
    end
    entries[#entries + 1] = entry
  end
  return sort(entries, options)
end

-- Whether what is in it is listed, and not the entry itself. With -l a link is shown itself.
local function is_listed(path, options)
  if options.directory or modfs.isdir(path) ~= true then
    return false
  end
  local info = options.long and not path:find "/$" and modfs.lstat(path)
  return not info or info.kind ~= "link"
end

-- The paths of the command line: entries, and directories to list.
local function gather(paths, options, task)
  local files, folders = {}, {}
  for _, path in ipairs(paths) do
    local listed = is_listed(path, options)
    local entry = listed and not options.order and { name = path, path = path }
      or task:check(describe(path, path))
    table.insert(listed and folders or files, entry)
  end
  return sort(files, options), sort(folders, options)
end

-- Calls visit with a directory and its entries, and with -R those below it.
local function list(folder, options, task, visit)
  local entries = entries_in(folder.path, options, task)
  visit(folder, entries)
  for _, entry in ipairs(options.recursive and entries or {}) do
    if entry.kind == "directory" and entry.name ~= "." and entry.name ~= ".." then
      list(entry, options, task, visit)
    end
  end
end

-- Output -----------------------------------------------------------------------------------

local function quoted(name, task)
  return task:is_terminal() and quote.shell(name) or name
end

-- In columns all names begin below each other, whether or not they are quoted.
local function margin(entries, options, task)
  for _, entry in ipairs((options.long or options.columns) and entries or {}) do
    if quoted(entry.name, task) ~= entry.name then
      return " "
    end
  end
  return ""
end

-- The names as a terminal or a program gets them, with margins, and text_of(i): the same colored.
local function names_of(entries, options, task)
  local names, blank = {}, margin(entries, options, task)
  for i, entry in ipairs(entries) do
    local name = quoted(entry.name, task)
    names[i] = (name == entry.name and blank or "") .. name
  end
  return names, function(i)
    local name = quoted(entries[i].name, task)
    local text = options.colors and options.colors:paint(entries[i], name) or name
    return names[i]:sub(1, #names[i] - #name) .. text
  end
end

-- How wide the terminal is; without one that tells, as wide as COLUMNS says.
local function line_width()
  local told = shell.output "stty size </dev/tty":match " (%d+)$"
  told = told ~= "0" and told or os.getenv "COLUMNS"
  return tonumber(told or 80) or 80
end

local function show_details(entries, options, task, text_of)
  for i, line in ipairs(details.lines(entries, options)) do
    local target = entries[i].target
    task:write(line, text_of(i), target and " -> " .. quoted(target, task) or "", "\n")
  end
end

local function show(entries, options, task)
  local names, text_of = names_of(entries, options, task)
  if options.long then
    return show_details(entries, options, task, text_of)
  elseif options.columns then
    for _, line in ipairs(grid.lines(names, options.columns, not options.colors, text_of)) do
      task:write(line, "\n")
    end
    return
  end
  for i = 1, #names do
    task:write(text_of(i), "\n")
  end
end

local function show_all(files, folders, options, task)
  local before = #files > 0 and "\n" or ""
  local headed = options.recursive or options.count > 1
  show(files, options, task)
  for _, folder in ipairs(folders) do
    list(folder, options, task, function(at, entries)
      if headed then
        task:write(before, quoted(at.path, task), ":\n")
        before = "\n"
      end
      show(entries, options, task)
    end)
  end
end

local function print_json(files, folders, options, task)
  local all = files
  for _, folder in ipairs(folders) do
    list(folder, options, task, function(_, entries)
      for _, entry in ipairs(entries) do
        all[#all + 1] = entry
      end
    end)
  end
  task:print_json(all)
end

local function run(options, task)
  options.long = options.long or options.numeric
  options.colors = not options.json and colors.wanted(options.color, task)
    and colors.new(os.getenv "LS_COLORS")
  options.details = options.long or options.json or options.order or options.colors
    or options.recursive
  options.columns = not (options.long or options.one or options.json) and task:is_terminal()
    and line_width()
  local paths = task:expand(#options.paths > 0 and options.paths or { "." })
  options.count = #paths
  local files, folders = gather(paths, options, task)
  local output = options.json and print_json or show_all
  output(files, folders, options, task)
end

-- Of -t and -S, and of -a and -A, the last one counts.
local function set(name, value)
  return function(options)
    options[name] = value
  end
end

-- A value of --color is optional, and only behind "=".
local function spell(arguments)
  local words, ended = {}, false
  for i, word in ipairs(arguments) do
    ended = ended or word == "--"
    words[i] = word == "--color" and not ended and "--color=always" or word
  end
  return words
end

return command.define("ls", {
  summary = "Lists directories.",
  spell = spell,
  configure = function(parser)
    parser:argument("paths", "Directories, files or patterns (default: the current one)."):args "*"
    parser:flag("-a --all", "List names that begin with a dot, too."):target("hidden")
      :action(set("hidden", "all"))
    parser:flag("-A --almost-all", "The same without . and .."):target("hidden")
      :action(set("hidden", "almost all"))
    parser:flag("-l --long", "Print mode, links, owner, group, length and modification time, too.")
    parser:flag("-n --numeric", "As -l, with owners and groups as numbers.")
    parser:flag("-h --human", "With -l: sizes with units, 4.2K.")
    parser:flag("-R --recursive", "List directories in directories, too.")
    parser:flag("-d --directory", "List directories themselves, not what is in them.")
    parser:flag("-t", "Newest first."):target("order"):action(set("order", "time"))
    parser:flag("-S", "Largest first."):target("order"):action(set("order", "size"))
    parser:flag("-r --reverse", "Reverse the order.")
    parser:flag("-1", "One name a line, as always but on a terminal."):target "one"
    parser:option("--color", "Color names by LS_COLORS: always, never or auto (the default: on a "
      .. "terminal, unless NO_COLOR is set)."):argname("WHEN"):choices { "always", "auto", "never" }
    parser:flag("--json", "Print an array of objects.")
  end,
  run = run,
})
