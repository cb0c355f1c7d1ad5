-- require from any path: searchers beside Lua's own.
local compile = require "modfs.compile"
local modfs = require "modfs"
local options = require "modfs.options"
local refusal = require "modfs.refusal"

local function searchers()
  return package.searchers or package.loaders -- luacheck: ignore 143
end

-- Lua 5.4 puts the newline between what two searchers tried; the others leave it to them.
local before_first = tonumber(_VERSION:match "%d+%.%d+") >= 5.4 and "" or "\n\t"

local function substitute(template, name)
  return (template:gsub("%?", function() return name end))
end

-- Why a candidate is none; nil when it can be opened.
local function why_not(path)
  local file, message, code = modfs.open(path)
  if file then
    file:close()
    return nil
  end
  return ("no file '%s'%s"):format(path, code ~= "NOT_FOUND" and " (" .. message .. ")" or "")
end

-- package.searchpath over every filesystem.
local function searchpath(name, path, separator, replacement)
  separator, replacement = separator or ".", replacement or "/"
  if separator ~= "" then
    name = name:gsub(separator:gsub("%p", "%%%0"), (replacement:gsub("%%", "%%%%")))
  end
  local tried = {}
  for template in path:gmatch "[^;]+" do
    local file = substitute(template, name)
    local why = why_not(file)
    if not why then
      return file
    end
    tried[#tried + 1] = why
  end
  return nil, table.concat(tried, "\n\t")
end

-- Fails with Lua's own text.
local function load_module(name, file, opts)
  local content, why = modfs.read(file)
  local chunk
  if content then
    chunk, why = compile(content, file, opts.mode, opts.env ~= nil, opts.env)
  end
  if not chunk then
    error(("error loading module '%s' from file '%s':\n\t%s"):format(name, file, why), 0)
  end
  return chunk, file
end

local function new_searcher(path, opts)
  return function(name)
    local file, tried = searchpath(name, path)
    if not file then
      return before_first .. tried
    end
    return load_module(name, file, opts)
  end
end

-- Takes the options off the end of the templates.
local function split(...)
  local templates = { ... }
  local opts = type(templates[#templates]) == "table" and table.remove(templates) or nil
  for i = 1, math.max(1, select("#", ...) - (opts and 1 or 0)) do
    options.check_path(templates[i], "install", i, 1)
  end
  opts = options.check(opts, { mode = "string", env = "table" }, "install", #templates + 1, 1)
  local mode = options.check_mode(opts.mode, "install", #templates + 1)
  return templates, { mode = mode, env = opts.env }
end

-- Templates as in package.path, asked after Lua's own searchers. Returns the searcher.
local function install(...)
  local templates, opts = split(...)
  local searcher = new_searcher(table.concat(templates, ";"), opts)
  table.insert(searchers(), searcher)
  return searcher
end

-- Whether it was installed.
local function uninstall(searcher)
  if type(searcher) ~= "function" then
    error("bad argument #1 to 'uninstall' (function expected)", 2)
  end
  for i, candidate in ipairs(searchers()) do
    if candidate == searcher then
      table.remove(searchers(), i)
      return true
    end
  end
  return false
end

local search = refusal.entry(function(...)
  local answer, number, text = refusal.no_strings(2, 2, ...)
  if answer then
    return answer, number, text
  end
  local name, path, separator, replacement = ...
  return searchpath(tostring(name), tostring(path), separator and tostring(separator),
    replacement and tostring(replacement))
end)

return { install = install, uninstall = uninstall, searchpath = search }
