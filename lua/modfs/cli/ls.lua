-- modfs ls [-l [-h]] [--json] [PATH...]
local command = require "modfs.cli.command"
local modfs = require "modfs"
local progress = require "modfs.cli.progress"

local function describe(path, name)
  local info, message = modfs.lstat(path)
  if not info then
    return nil, message
  end
  return { name = name, kind = info.kind, length = info.length, mtime = info.mtime }
end

local function list_folder(path, task)
  local entries = {}
  for _, name in ipairs(task:check(modfs.listdir(path)) or {}) do
    entries[#entries + 1] = task:check(describe(modfs.path.join(path, name), name))
  end
  return entries
end

local letters = { file = "-", directory = "d", link = "l", other = "?" }

local function show(entries, options, task)
  for _, entry in ipairs(entries) do
    if options.long then
      local size = options.human and progress.size(entry.length) or ("%d"):format(entry.length)
      task:write(("%s %12s %s "):format(letters[entry.kind], size,
        os.date("%Y-%m-%d %H:%M", math.floor(entry.mtime))))
    end
    task:write_name(entry.name)
    task:write "\n"
  end
end

local function gather(options, task)
  local files, folders = {}, {}
  for _, path in ipairs(task:expand(options.paths)) do
    if modfs.isdir(path) then
      folders[#folders + 1] = { path = path, entries = list_folder(path, task) }
    else
      files[#files + 1] = task:check(describe(path, path))
    end
  end
  return files, folders
end

local function run(options, task)
  if #options.paths == 0 then
    options.paths[1] = "."
  end
  local files, folders = gather(options, task)
  if options.json then
    for _, folder in ipairs(folders) do
      for _, entry in ipairs(folder.entries) do
        entry.path = modfs.path.join(folder.path, entry.name)
        files[#files + 1] = entry
      end
    end
    return task:print_json(files)
  end
  show(files, options, task)
  for i, folder in ipairs(folders) do
    if #folders > 1 or #files > 0 then
      task:write((i > 1 or #files > 0) and "\n" or "")
      task:write_name(folder.path)
      task:write ":\n"
    end
    show(folder.entries, options, task)
  end
end

return command.define("ls", {
  summary = "Lists directories.",
  configure = function(parser)
    parser:argument("paths", "Directories, files or patterns (default: the current one)."):args "*"
    parser:flag("-l --long", "Print kind, length in bytes and modification time, too.")
    parser:flag("-h --human", "With --long: sizes with units, 4.2 MB.")
    parser:flag("--json", "Print an array of objects.")
  end,
  run = run,
})
