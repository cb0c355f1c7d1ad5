-- Builds of our plugins with one change each, in a copy of the project, BUILD/mutants/tree, of
-- which BUILD/mutants/host keeps the unchanged build.
--   builds.open(place, seed, jobs) -> the copy, built
--   copy:candidates(plugin) -> the changes of its sources, in random order
--   copy:build(plugin, candidate, file) -> true, or false and why the change is not counted
-- A plugin is { name, folders = of its sources, without = sources that are not changed, target =
-- its file, command = how it is built where that is not by the project's Makefile }; a candidate {
-- path, number, text }, to which build adds old, the line as it was.
local random = require "spec.support.random"
local shell = require "modfs.inspect.shell"

local builds = {}
builds.__index = builds

-- No debug information, so that equal code is an equal file.
local flags = "CFLAGS=-O2 WARN=-w BUILD=build"

local function succeeds(command)
  local status = os.execute(command)
  return status == true or status == 0
end

local function content(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  assert(file:close())
end

local copying = "rm -rf %s && mkdir -p %s && git ls-files -z | xargs -0 cp --parents -t %s "
  .. "2>/dev/null; cd %s && make -s -j%d %s all >/dev/null 2>&1 && rm -rf ../host && "
  .. "cp -r build ../host"

function builds.open(place, seed, jobs)
  local tree = place .. "/tree"
  assert(succeeds(copying:format(tree, tree, tree, tree, jobs, flags)),
    "the copy in " .. tree .. " does not build")
  return setmetatable({ tree = tree, seed = seed, python = place .. "/python", seen = {},
    recipes = {} }, builds)
end

function builds:run(command)
  return succeeds(("cd %s && %s >/dev/null 2>&1"):format(self.tree, command))
end

local listing = "cd %s && PYTHONPATH=%s python3 scripts/mutants/candidates.py %s"

function builds:candidates(plugin)
  local sources, list = table.concat(plugin.folders, "/*.c ") .. "/*.c", {}
  for line in shell.output(listing:format(self.tree, self.python, sources)):gmatch "[^\n]+" do
    local path, number, text = line:match "^(%S+)\t(%d+)\t(.*)$"
    if not (" " .. plugin.without .. " "):find(" " .. path:match "([^/]+)%.c$" .. " ", 1, true) then
      list[#list + 1] = { path = path, number = tonumber(number), text = (text:gsub("\v", "\n")) }
    end
  end
  local draw = random(self.seed)
  for i = #list, 2, -1 do
    local j = (draw(32768) * 32768 + draw(32768)) % i + 1
    list[i], list[j] = list[j], list[i]
  end
  return list
end

local function replace_line(text, number, line)
  local at = 0
  return (text:gsub("[^\n]*\n", function(old)
    at = at + 1
    return at == number and line .. "\n" or old
  end))
end

local function line_of(text, number)
  local at = 0
  for line in text:gmatch "([^\n]*)\n" do
    at = at + 1
    if at == number then
      return line
    end
  end
end

-- The lines that make runs to compile one source and to link the plugin; make itself is too slow to
-- be run for each change.
local function commands_of(self, plugin, path)
  if plugin.command then
    return plugin.command, "true", plugin.target
  end
  local text = shell.output(("cd %s && make -n -W %s V=1 %s %s"):format(self.tree, path, flags,
    plugin.target)):gsub("\\\n", " ")
  local compile = assert(text:match("[^\n]* %-c " .. path:gsub("%p", "%%%0") .. " [^\n]*"))
  return compile, assert(text:match "[^\n]* %-shared [^\n]*"), compile:match "%-o (%S+)"
end

local function sum_of(self, file)
  return shell.output(("md5sum <%s/%s"):format(self.tree, file))
end

-- How one source becomes the plugin: the commands, and the file that shows whether the code
-- differs.
local function recipe_of(self, plugin, path)
  local how = self.recipes[path]
  if not how then
    how = { source = content(self.tree .. "/" .. path) }
    how.compile, how.link, how.artefact = commands_of(self, plugin, path)
    how.sum = sum_of(self, how.artefact)
    assert(self:run(("cp %s %s.kept"):format(how.artefact, how.artefact)))
    self.recipes[path] = how
  end
  return how
end

-- Why a compiled change is not counted, or nil.
local function fault_of(self, how, path)
  local sum = sum_of(self, how.artefact)
  if sum == how.sum then
    return "compiles to the same code"
  elseif self.seen[path .. sum] then
    return "compiles to the code of another"
  end
  self.seen[path .. sum] = true
end

function builds:build(plugin, candidate, file)
  local how = recipe_of(self, plugin, candidate.path)
  local source = self.tree .. "/" .. candidate.path
  candidate.old = line_of(how.source, candidate.number)
  write(source, replace_line(how.source, candidate.number, candidate.text))
  local fault
  if not self:run(how.compile) then
    fault = "does not compile"
  else
    fault = fault_of(self, how, candidate.path)
  end
  if not fault and not self:run(how.link .. " && cp " .. plugin.target .. " " .. file) then
    fault = "does not link"
  end
  write(source, how.source)
  assert(self:run(("cp %s.kept %s"):format(how.artefact, how.artefact)))
  return not fault, fault
end

return builds
