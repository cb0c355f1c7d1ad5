-- modfs diff [--exclude PATTERN] [--json] A B
local choosing = require "modfs.cli.choosing"
local command = require "modfs.cli.command"
local describe = require("modfs.cli.entry").describe
local kinds = require "modfs.cli.kinds"
local modfs = require "modfs"

local BLOCK = 256 * 1024

-- Whether two open files have the same content from here on; nil and why when one cannot be read.
local function same_rest(one, other)
  while true do
    local a, why = one:read(BLOCK)
    local b, reason = other:read(BLOCK)
    if why or reason then
      return nil, why or reason
    elseif a ~= b then
      return false
    elseif a == nil then
      return true
    end
  end
end

local function same_content(one, other)
  local a, why = modfs.open(one)
  if not a then
    return nil, why
  end
  local b, reason = modfs.open(other)
  if not b then
    a:close()
    return nil, reason
  end
  local same, message = same_rest(a, b)
  a:close()
  b:close()
  return same, message
end

local compare

-- A function that returns the names in a directory below a root. Where some are left out, all that
-- are chosen are found first.
local function lister(root, options, task)
  if not choosing.is_wanted(options) then
    return function(path) return task:check(modfs.listdir(path)) or {} end
  end
  local chosen = {}
  local how = choosing.options(options, { onerror = function(message) task:fail(message) end })
  for folder, folders, files in modfs.walk(root, how) do
    for _, name in ipairs(folders) do
      files[#files + 1] = name
    end
    chosen[folder] = files
  end
  return function(path) return chosen[path] or {} end
end

-- Names of a directory as keys.
local function names_in(path, list, all)
  local names = {}
  for _, name in ipairs(list(path)) do
    names[name] = true
    all[#all + 1] = name
  end
  return names
end

local function compare_folders(one, other, tell, task)
  local all = {}
  local in_one, in_other = names_in(one, task.lists[1], all), names_in(other, task.lists[2], all)
  table.sort(all)
  for i, name in ipairs(all) do
    if in_one[name] and in_other[name] then
      if name ~= all[i - 1] then
        compare(modfs.path.join(one, name), modfs.path.join(other, name), tell, task)
      end
    else
      local folder = in_one[name] and one or other
      tell({ kind = "only", path = modfs.path.join(folder, name) }, "Only in ", folder, ": ", name)
    end
  end
end

local function compare_files(one, other, a, b, tell, task)
  local same = a.length == b.length
  if same and a.length > 0 then
    same = task:check(same_content(one, other))
  end
  if same == false then
    tell({ kind = "content", path = one, other = other }, "Files ", one, " and ", other, " differ")
  end
end

function compare(one, other, tell, task)
  local a, b = task:check(describe(one)), task:check(describe(other))
  if not a or not b then
    return
  elseif a.kind ~= b.kind then
    tell({ kind = "type", path = one, other = other }, "File ", one, " is a ", kinds.noun(a),
      " while file ", other, " is a ", kinds.noun(b))
  elseif a.kind == "directory" then
    compare_folders(one, other, tell, task)
  elseif a.kind == "link" then
    if a.target ~= b.target then
      tell({ kind = "target", path = one, other = other }, "Symbolic links ", one, " and ", other,
        " differ")
    end
  elseif a.kind == "file" then
    compare_files(one, other, a, b, tell, task)
  end
end

-- A file is compared with that of its name in a directory.
local function pair(one, other)
  local first, second = (modfs.lstat(one) or {}).kind, (modfs.lstat(other) or {}).kind
  if first == "directory" and second and second ~= "directory" then
    return modfs.path.join(one, modfs.path.basename(other)), other
  elseif second == "directory" and first and first ~= "directory" then
    return one, modfs.path.join(other, modfs.path.basename(one))
  end
  return one, other
end

return command.define("diff", {
  summary = "Compares two directories with all that is in them, or two files.",
  description = [[
Compares two directories with all that is in them, or two files, also between
filesystems: prints what is only in one, or differs in content or kind, as
diff -rq does.]],
  statuses = "0 they are the same, 1 they differ, 2 something failed, or usage",
  configure = function(parser)
    parser:argument("one", "A directory or file.")
    parser:argument("other", "Another one.")
    parser:flag("-r --recursive", "Compare directories in directories, as always.")
    parser:flag("-q --brief", "Print only which files differ, as always.")
    parser:flag("--json", "Print an array of objects.")
    choosing.configure(parser, "compare")
  end,
  run = function(options, task)
    local all = {}
    local one, other = pair(options.one, options.other)
    task.lists = { lister(one, options, task), lister(other, options, task) }
    compare(one, other, function(difference, ...)
      all[#all + 1] = difference
      if not options.json then
        for _, text in ipairs { ... } do
          task:write_name(text)
        end
        task:write "\n"
      end
    end, task)
    if options.json then
      task:print_json(all)
    end
    task.status = task.status > 0 and 2 or #all > 0 and 1 or 0
  end,
})
