-- Prints the types of modfs for editors with the Lua language server, from docs/reference.md. The
-- build writes them to build/meta/modfs.lua, and the installation to modfs/meta/modfs.lua.
-- Fails when the reference and scripts/meta/types.lua do not know the same functions.
local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
local signatures = require "meta.signatures"
local types = require "meta.types"

local file = assert(io.open(here .. "/../docs/reference.md"))
local found = signatures.read(file:read "*a")
file:close()

local problems = {}

local function type_of(full, name)
  local exception = types.exceptions[full]
  local known = exception and exception[name] or types.parameters[name]
  if not known then
    problems[#problems + 1] = ("%s: no type for the parameter %s"):format(full, name)
  end
  return known or "any"
end

local function split(results)
  local list, depth, from = {}, 0, 1
  for i = 1, #results + 1 do
    local sign = results:sub(i, i)
    depth = depth + (sign:find "[(<]" and 1 or sign:find "[)>]" and -1 or 0)
    if depth == 0 and (sign == "," or sign == "") then
      list[#list + 1] = results:sub(from, i - 1):match "^%s*(.-)%s*$"
      from = i + 1
    end
  end
  return list
end

-- What may fail returns nil, a message and a code instead.
local function results_of(full, class)
  local text = types.results[full]
  if not text then
    problems[#problems + 1] = full .. ": its results are not in scripts/meta/types.lua"
    return {}
  end
  local always = text:match "^always (.*)$"
  local list = split((always or text):gsub("%f[%w]self%f[%W]", class))
  if not always then
    list[1] = list[1]:gsub("%?$", "") .. "?"
    list[2] = list[2] and list[2]:gsub("%?$", "") .. "|string?" or "string? message"
    list[3] = list[3] and list[3]:gsub("%?$", "") .. "|string?" or "string? code"
  end
  return list
end

-- Nothing can be named behind "...".
local function form_of(full, form)
  local names, lines = {}, {}
  for i, parameter in ipairs(form) do
    local is_rest = parameter.name == "..."
    names[i] = parameter.name
    lines[i] = ("---@param %s%s %s"):format(parameter.name,
      parameter.optional and not is_rest and "?" or "", type_of(full, parameter.name))
    if is_rest then
      break
    end
  end
  return names, lines
end

local function overload(full, form, results)
  local parts = {}
  for i, parameter in ipairs(form) do
    parts[i] = ("%s%s: %s"):format(parameter.name, parameter.optional and "?" or "",
      type_of(full, parameter.name))
  end
  return ("---@overload fun(%s): %s"):format(table.concat(parts, ", "),
    (table.concat(results, ", "):gsub("(string%?) %l+", "%1")))
end

local function print_declaration(it, class, words, names, lines, results)
  print(table.concat(words, "\n"))
  print(table.concat(lines, "\n") .. (#lines > 0 and "\n" or "")
    .. "---@return " .. table.concat(results, "\n---@return "))
  print(("function %s%s%s(%s) end"):format(class:gsub("^modfs%.(%u)", "%1"),
    it.method and ":" or ".", it.name, table.concat(names, ", ")))
end

local function print_function(full)
  local it = found[full]
  local results = results_of(full, it.class)
  local names, lines = form_of(full, it.forms[1])
  local words = { "", it.words ~= "" and "---" .. it.words or nil }
  for i = 2, #it.forms do
    words[#words + 1] = overload(full, it.forms[i], results)
  end
  print_declaration(it, it.class, words, names, lines, results)
end

-- The form of a function that returns a Job: the last of its options may have a timeout.
local function print_job(full, class)
  local it = found[full]
  local names, lines = form_of(full, it.forms[1])
  local last = names[#names]
  if last == "options" then
    lines[#lines] = lines[#lines] .. "|modfs.JobOptions"
  elseif last ~= "..." then
    names[#names + 1] = "options"
    lines[#lines + 1] = "---@param options? modfs.JobOptions"
  end
  local text = ("---as %s%s%s"):format(it.class, it.method and ":" or ".", it.name)
  print_declaration(it, class, { "", text }, names, lines,
    { "modfs.Job # " .. table.concat(results_of(full, it.class), ", ") })
end

local function print_fields(class)
  local names = {}
  for name in pairs(class) do
    names[#names + 1] = type(name) == "string" and name or nil
  end
  table.sort(names)
  for _, name in ipairs(names) do
    print(("---@field %s %s"):format(name, class[name]))
  end
end

local function print_class(class)
  local full = class[1]:match "^[^:]+"
  print("\n---@class " .. class[1])
  print_fields(class)
  for _, operator in ipairs(full == "modfs.async" and types.with_jobs or {}) do
    local object = operator:match "^[^:]+"
    print(("---@operator call(%s): %s"):format(object, (object:gsub("^modfs%.", "modfs.Async"))))
  end
  local name = full:gsub("^modfs%.(%u)", "%1")
  print((full:find "%." and not full:find "%.%u" and "%s = {}" or "local %s = {}"):format(name))
  for _, one in ipairs(found) do
    if found[one].class == full then
      print_function(one)
    end
  end
end

local function each_of(class, excluded, visit)
  for _, full in ipairs(found) do
    local it = found[full]
    if it.class == class and not excluded[it.name] then
      visit(full, it)
    end
  end
end

-- The functions of a module, as those of modfs.async.
local function print_jobs_of(class)
  local name = class:gsub("^modfs", "modfs.async")
  if class ~= "modfs" then
    print(("\n---@class %s\n%s = {}"):format(name, name))
  end
  each_of(class, types.without_jobs, function(full, it)
    if not it.method then
      print_job(full, name)
    end
  end)
end

local function async_name(class)
  return (class:gsub("^modfs%.", "modfs.Async"))
end

-- What async(object) returns: the methods of its class.
local function print_methods_of(class, parent)
  local name = async_name(class)
  print(("\n---@class %s%s\nlocal %s = {}"):format(name,
    parent and ": " .. async_name(parent) or "", name:match "%w+$"))
  each_of(class, { lines = true }, function(full, it)
    if it.method then
      print_job(full, name)
    end
  end)
  if found[class .. ":lines"] then
    local lines = found[class .. ":lines"]
    local names, described = form_of(class .. ":lines", lines.forms[1])
    print_declaration(lines, name, { "", "---reads ahead" }, names, described,
      results_of(class .. ":lines", class))
  end
end

print "---@meta modfs"
print "-- Written by scripts/meta.lua from docs/reference.md and scripts/meta/types.lua."
print "-- luacheck: ignore"
print "\n---@alias modfs.Bytes string|modfs.Buffer|modfs.Region"
for _, class in ipairs(types.classes) do
  print_class(class)
end
for _, class in ipairs(types.modules_with_jobs) do
  print_jobs_of(class)
end
for _, class in ipairs(types.with_jobs) do
  print_methods_of(class:match "^[^:]+", class:match ": (.+)$")
end
print "\nreturn modfs"

for full in pairs(types.results) do
  if not found[full] then
    problems[#problems + 1] = full .. ": not in docs/reference.md"
  end
end
table.sort(problems)
io.stderr:write(table.concat(problems, "\n"), #problems > 0 and "\n" or "")
os.exit(#problems == 0 and 0 or 1)
