-- Functions stay clear: cyclomatic complexity at most 12 (by pmccabe, a switch counting once) and
-- at most five parameters, in src and plugins. A slot, or a public function, has the parameters
-- that its header fixes. A file has at most 500 lines. Prints the figures of docs/house.md.
local most_complexity, most_parameters, most_lines = 12, 5, 500

-- Functions beyond a limit, by file and name, with the reason.
local exceptions = {}

local function except(reason, list)
  for _, name in ipairs(list) do
    exceptions[name] = reason
  end
end

except("takes the slot's parameters and what it adds", {
  "plugins/reference/copy.c copy_later",
  "plugins/reference/copy.c reference_copy_dtoh",
  "plugins/reference/copy.c reference_copy_htod",
  "plugins/reference/copy.c reference_copy_dtod",
  "plugins/reference/fill.c reference_fill_bytes",
  "plugins/reference/fill.c reference_fill_words",
})

except("has the signature of libc", {
  "src/check/shim/files.c mmap",
  "src/check/shim/files.c mmap64",
})

except("names source and target, each by filesystem and path", {
  "src/core/fs/copy.c copy_names",
  "src/core/fs/copy.c transfer",
  "src/core/fs/copy.c copy_listed",
  "src/core/fs/fs.c fs_leave_two",
  "src/core/fs/fs.c call_with_two_paths",
  "src/core/tree/tree.c tree_new",
  "src/core/tree/tree_target.c new_pair",
  "src/core/tree/tree_target.c tree_new_pair",
})

except("takes steps one after the other, each while the status is OK", {
  "src/core/host/loader.c ask_plugin",
})

local places = { "^src/.*%.c$", "^plugins/.*%.c$" }

local function each_file(project, visit)
  for _, pattern in ipairs(places) do
    for path in project:files(pattern) do
      visit(path)
    end
  end
end

local function without_comments(text)
  return (text:gsub("/%*.-%*/", function(comment)
    return comment:gsub("[^\n]", " ")
  end))
end

local function count_parameters(list)
  list = list:sub(2, -2):gsub("%b()", "")
  if list:find "^%s*$" or list:find "^%s*void%s*$" then
    return 0
  end
  return 1 + select(2, list:gsub(",", ""))
end

-- slots[name][count]: a slot or function of that name in the public headers has so many parameters.
local function find_slots(project)
  local slots = {}
  local function add(name, list)
    slots[name] = slots[name] or {}
    slots[name][count_parameters(list)] = true
  end
  for path in project:files "^include/modfs/.*%.h$" do
    local text = without_comments(project:read(path))
    for name, list in text:gmatch "%(%*([%w_]+)%)(%b())" do
      add(name, list)
    end
    for name, list in text:gmatch "%f[%w_](modfs_[%w_]+)(%b())%s*;" do
      add(name, list)
    end
  end
  return slots
end

local function fills_slot(slots, name, count)
  local rest = name
  while rest do
    if slots[rest] and slots[rest][count] then
      return true
    end
    rest = rest:match "^[^_]*_(.*)$"
  end
  return false
end

-- functions: name, path, line, complexity, lines.
local function measure(project, report)
  local paths, functions = {}, {}
  each_file(project, function(path)
    paths[#paths + 1] = "'" .. path .. "'"
  end)
  if #paths == 0 then
    return functions
  end
  local command = ("cd '%s' && pmccabe %s 2>/dev/null"):format(project.root,
    table.concat(paths, " "))
  for _, line in ipairs(project.run(command)) do
    local complexity, first, lines, path, name =
      line:match "^(%d+)\t%d+\t%d+\t(%d+)\t(%d+)\t(.-)%(%d+%): ([%w_]+)$"
    if complexity then
      functions[#functions + 1] = { name = name, path = path, line = tonumber(first),
        complexity = tonumber(complexity), lines = tonumber(lines) }
    else
      report("pmccabe", "cannot read " .. line)
    end
  end
  if #functions == 0 then
    report("pmccabe", "counts no function: scripts/setup.sh test installs it")
  end
  return functions
end

local function share(part, whole)
  return whole > 0 and 100 * part / whole or 0
end

-- Static functions of a file whose name stands once more in it, before "(".
local function count_statics(text)
  local statics, once = 0, 0
  for name in text:gmatch "\nstatic [^\n;={}()]-([%w_]+)%b()%s*{" do
    local mentions, calls = 0, 0
    for after in text:gmatch("%f[%w_]" .. name .. "%f[^%w_]([^\n]?)") do
      mentions = mentions + 1
      calls = calls + (after == "(" and 1 or 0)
    end
    statics = statics + 1
    once = once + (mentions == 2 and calls == 2 and 1 or 0)
  end
  return statics, once
end

local function comment_lines(text)
  local count = 0
  for comment in text:gmatch "/%*.-%*/" do
    count = count + 1 + select(2, comment:gsub("\n", ""))
  end
  return count
end

local function say_functions(functions, say)
  local lines, worst = {}, { complexity = 0 }
  for _, f in ipairs(functions) do
    lines[#lines + 1] = f.lines
    worst = f.complexity > worst.complexity and f or worst
  end
  table.sort(lines)
  if #lines > 0 then
    say(("%d functions: lines median %d, 90 %% within %d, most %d; complexity at most %d (%s)")
      :format(
      #lines, lines[math.ceil(#lines / 2)], lines[math.ceil(#lines * 0.9)], lines[#lines],
      worst.complexity, worst.name))
  end
end

local function say_folders(project, say)
  local folders, order = {}, {}
  each_file(project, function(path)
    local name, text = path:match "^(.*)/", project:read(path)
    local folder = folders[name]
    if not folder then
      folder = { lines = 0, comments = 0, statics = 0, once = 0 }
      folders[name], order[#order + 1] = folder, name
    end
    local statics, once = count_statics(without_comments(text))
    folder.lines = folder.lines + select(2, text:gsub("\n", ""))
    folder.comments = folder.comments + comment_lines(text)
    folder.statics, folder.once = folder.statics + statics, folder.once + once
  end)
  for _, name in ipairs(order) do
    local folder = folders[name]
    say(("%-24s %5d lines, %4.1f %% comment, %4d statics, %3.0f %% called once"):format(name,
      folder.lines, share(folder.comments, folder.lines), folder.statics,
      share(folder.once, folder.statics)))
  end
end

return function(project, report, say)
  each_file(project, function(path)
    local _, lines = project:read(path):gsub("\n", "")
    if lines > most_lines then
      report(path, lines .. " lines: split it by what it talks to")
    end
  end)
  local slots, functions, met = find_slots(project), measure(project, report), {}
  for _, f in ipairs(functions) do
    local list = project:read(f.path):match("\n[%a_][^\n;]-%f[%w_]" .. f.name .. "(%b())%s*{")
      or ("\n" .. project:read(f.path)):match("\n[%a_][^\n;]-%f[%w_]" .. f.name .. "(%b())%s*{")
    local count = list and count_parameters(list) or 0
    local where, excepted = f.path .. ":" .. f.line, exceptions[f.path .. " " .. f.name]
    local complex = f.complexity > most_complexity
    local wide = count > most_parameters and not fills_slot(slots, f.name, count)
    if complex and not excepted then
      report(where, ("%s has a complexity of %d"):format(f.name, f.complexity))
    end
    if wide and not excepted then
      report(where, ("%s has %d parameters"):format(f.name, count))
    end
    if excepted and not complex and not wide then
      report(where, f.name .. " needs no exception any more")
    end
    met[f.path .. " " .. f.name] = true
  end
  for name in pairs(#functions > 0 and project:read("scripts/rules/sizes.lua") ~= "" and exceptions
    or {}) do
    if not met[name] then
      report("scripts/rules/sizes.lua", name .. " is excepted, but does not exist")
    end
  end
  say_functions(functions, say)
  say_folders(project, say)
end
