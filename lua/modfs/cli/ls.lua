-- modfs ls [-a] [-l] [-h] [-R] [-t | -S] [-r] [-d] [-F | -p] [--color[=WHEN]] [--json] [PATH...]
local command = require "modfs.cli.command"
local describe_entry = require("modfs.cli.entry").describe
local later = require "modfs.cli.later"
local modfs = require "modfs"

local colors = later "modfs.cli.colors"
local details = later "modfs.cli.details"
local grid = later "modfs.cli.grid"
local modes = later "modfs.cli.modes"
local quote = later "modfs.cli.quote"
local resolve = later "modfs.cli.resolve"
local shell = later "modfs.inspect.shell"
local system = later "modfs.cli.system"

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
    if options.details and (name == "." or name == "..") then
      entry = task:check(describe(resolve(path .. "/" .. name, "none") or below, name))
    elseif options.details then
      entry = task:check(describe(below, name))
    end
    entries[#entries + 1] = entry
  end
  return sort(entries, options)
end

-- Whether what is in it is listed, and not the entry itself. With -l and -F a link is shown itself.
local function is_listed(path, options)
  if options.directory or modfs.isdir(path) ~= true then
    return false
  end
  local shows_links = options.long or options.mark == "kind"
  local info = shows_links and not path:find "/$" and modfs.lstat(path)
  return not info or info.kind ~= "link"
end

-- A directory that is listed: to be sorted by what it is itself, though its path may be a link.
local function listed_folder(path, options, task)
  if options.long then
    return task:check(describe(path, path))
  end
  local info = options.order and task:check(modfs.stat(path)) or {}
  return { name = path, path = path, length = info.length, mtime_nsec = info.mtime_nsec }
end

-- The paths of the command line: entries, and directories to list.
local function gather(paths, options, task)
  local files, folders = {}, {}
  for _, path in ipairs(paths) do
    local listed = is_listed(path, options)
    local entry
    if listed then
      entry = listed_folder(path, options, task)
    else
      entry = task:check(describe(path, path))
    end
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

local function is_executable(info)
  local mode = info.kind == "file" and info.mode or 0
  return modes.has(mode, 64) or modes.has(mode, 8) or modes.has(mode, 1)
end

-- What -F or -p puts behind the name of an entry.
local function mark_of(info, options)
  if not options.mark then
    return ""
  elseif info.kind == "directory" then
    return "/"
  elseif options.mark == "slash" then
    return ""
  end
  return info.kind == "link" and "@" or is_executable(info) and "*" or ""
end

-- With -l -F the mark of a link stands behind its target, and is that of what it leads to.
local function name_mark(entry, options)
  return options.long and entry.kind == "link" and "" or mark_of(entry, options)
end

-- The names as a terminal or a program gets them, with margins, and text_of(i): the same colored.
local function names_of(entries, options, task)
  local names, blank = {}, margin(entries, options, task)
  for i, entry in ipairs(entries) do
    local name = quoted(entry.name, task)
    names[i] = (name == entry.name and blank or "") .. name .. name_mark(entry, options)
  end
  return names, function(i)
    local name, mark = quoted(entries[i].name, task), name_mark(entries[i], options)
    local text = options.colors and options.colors:paint(entries[i], name) or name
    return names[i]:sub(1, #names[i] - #name - #mark) .. text .. mark
  end
end

-- How wide the terminal is; without one that tells, as wide as COLUMNS says.
local function line_width()
  local told = shell.output "stty size </dev/tty":match " (%d+)$"
  told = told ~= "0" and told or os.getenv "COLUMNS"
  return tonumber(told or 80) or 80
end

-- Where a link leads, and what it is there.
local function target_text(entry, options, task)
  if not entry.target then
    return ""
  end
  local info = options.mark == "kind" and modfs.stat(entry.path)
  return " -> " .. quoted(entry.target, task) .. (info and mark_of(info, options) or "")
end

-- others: what else has a part in the widths of the columns.
local function show_details(entries, others, options, task, text_of)
  local all = {}
  for _, part in ipairs { entries, others } do
    for _, entry in ipairs(part) do
      all[#all + 1] = entry
    end
  end
  local lines = details.lines(all, options)
  for i, entry in ipairs(entries) do
    task:write(lines[i], text_of(i), target_text(entry, options, task), "\n")
  end
end

local function show(entries, others, options, task)
  local names, text_of = names_of(entries, options, task)
  if options.long then
    return show_details(entries, others, options, task, text_of)
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
  show(files, folders, options, task)
  for _, folder in ipairs(folders) do
    list(folder, options, task, function(at, entries)
      if headed then
        task:write(before, quoted(at.path, task), ":\n")
        before = "\n"
      end
      show(entries, {}, options, task)
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

local function has_colors(options, task)
  local may_have = not options.json and (options.color or task:is_terminal())
  return may_have and colors.wanted(options.color or "auto", task)
end

local function run(options, task)
  options.long = options.long or options.numeric
  options.colors = has_colors(options, task) and colors.new(os.getenv "LS_COLORS")
  options.details = options.long or options.json or options.order or options.colors
    or options.recursive or options.mark
  options.columns = not (options.long or options.one or options.json) and task:is_terminal()
    and line_width()
  local paths = task:expand(#options.paths > 0 and options.paths or { "." })
  options.count = #paths
  local files, folders = gather(paths, options, task)
  local output = options.json and print_json or show_all
  output(files, folders, options, task)
end

-- Of -t and -S, of -a and -A, and of -F and -p, the last one counts.
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
    parser:flag("-F --classify", "Put / behind directories, @ behind links, * behind programs.")
      :target("mark"):action(set("mark", "kind"))
    parser:flag("-p", "Put / behind directories."):target("mark"):action(set("mark", "slash"))
    parser:flag("-1", "One name a line, as always but on a terminal."):target "one"
    parser:option("--color", "Color names by LS_COLORS: always, never or auto (the default: on a "
      .. "terminal, unless NO_COLOR is set)."):argname("WHEN"):choices { "always", "auto", "never" }
    parser:flag("--json", "Print an array of objects.")
  end,
  run = run,
})
