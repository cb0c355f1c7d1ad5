-- modfs find PATH... [-name PATTERN] [-type f|d|l] [-0] [--json]
local command = require "modfs.cli.command"
local modfs = require "modfs"

local kinds = { f = "file", d = "directory", l = "link" }

local function strip(path)
  local stripped = path:gsub("/+$", "")
  return (stripped == "" or stripped:find ":$") and path or stripped
end

local function fits(path, name, is_directory, options)
  if options.name and not modfs.path.match(name, options.name) then
    return false
  elseif not options.type then
    return true
  elseif is_directory or options.type == "d" then
    return is_directory and options.type == "d"
  end
  local info = modfs.lstat(path)
  return info ~= nil and info.kind == kinds[options.type]
end

local function search(root, options, task, visit)
  local info = task:check(modfs.lstat(root))
  local is_directory = info and info.kind == "directory"
  if info and fits(root, modfs.path.basename(strip(root)), is_directory, options) then
    visit(root)
  end
  if not is_directory then
    return
  end
  local function onerror(message)
    task:fail(message)
  end
  for folder, folders, files in modfs.walk(root, { onerror = onerror }) do
    for _, names in ipairs { folders, files } do
      for _, name in ipairs(names) do
        local path = modfs.path.join(folder, name)
        if fits(path, name, names == folders, options) then
          visit(path)
        end
      end
    end
  end
end

local find = command.define("find", {
  summary = "Lists directories recursively.",
  configure = function(parser)
    parser:argument("paths", "Directories to search."):args "+"
    parser:option("-n --name", "Only names that match this pattern."):argname "PATTERN"
    parser:option("-t --type", "Only files (f), directories (d) or links (l).")
      :choices { "f", "d", "l" }
    parser:flag("-0 --null", "End each path with a zero byte, not a newline.")
    parser:flag("--json", "Print an array of paths.")
  end,
  run = function(options, task)
    local all = {}
    for _, root in ipairs(task:expand(options.paths)) do
      search(root, options, task, function(path)
        if options.json then
          all[#all + 1] = path
        else
          task:write_name(path)
          task:write(options.null and "\0" or "\n")
        end
      end)
    end
    if options.json then
      task:print_json(all)
    end
  end,
})

-- find(1) has words behind one dash, which would be read as letters: -name is --name.
local function spell(arguments)
  local words, form = {}, "^%-%a%a%a+$"
  for i, word in ipairs(arguments) do
    form = word ~= "--" and form
    words[i] = form and word:gsub(form, "-%0") or word
  end
  return words
end

local main = find.main

function find.main(arguments, context)
  return main(spell(arguments), context)
end

return find
