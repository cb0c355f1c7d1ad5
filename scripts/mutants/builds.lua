-- Builds of our plugins with one change each, in a copy of the project, BUILD/mutants/tree. A copy
-- of BUILD itself with the unchanged plugins of tree is BUILD/mutants/host.
--   builds.open(place, seed, jobs, plugins) -> the copy; of each plugin the target, built by make,
--     or by copy:run(command)
--   copy:candidates(plugin) -> the changes of its sources, in random order
--   copy:listed(plugin, list) -> those of a list like scripts/mutants/equivalent.lua; one of a line
--     that its source has more than once is made at the place of that number, place, or at each
--   copy:build(plugin, candidate, file) -> true, or false and why the change is not counted; adds
--     code, the checksum of the compiled code, to the candidate
--   copy:know(path, code): a build of that code was counted before
-- A plugin is { name, folders = of its sources, without = sources that are not changed, target =
-- its file, command = how it is built where that is not by the project's Makefile }; a candidate {
-- path, number, new = the changed line, old = the line as it was, source = the checksum of the
-- file }.
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

-- What an earlier run has built stays, but for what it may have left changed: the objects of which
-- there is a second file, KEPT, whose sources may have changed since.
local copying = [[
mkdir -p %s/build || exit
find %s -name '*.kept' -exec sh -c 'for kept; do rm -f "$kept" "${kept%%.kept}"; done' sh {} +
find %s -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
git ls-files -z --cached --others --exclude-standard | xargs -0 cp -p --parents -t %s 2>/dev/null
cd %s && make -s -j%d %s %s >/dev/null 2>&1 || exit
rm -rf ../host && mkdir ../host && cp -r ../../modfs ../host && cp -r build/modfs ../host]]

-- The targets of make.
local function targets_of(plugins)
  local list = { "build/stub/libtensorflow_framework.so.2" }
  for _, plugin in ipairs(plugins) do
    list[#list + 1] = not plugin.command and plugin.target or nil
  end
  return table.concat(list, " ")
end

function builds.open(place, seed, jobs, plugins)
  local tree = place .. "/tree"
  assert(succeeds(copying:format(tree, tree, tree, tree, tree, jobs, flags, targets_of(plugins))),
    "the copy in " .. tree .. " does not build")
  return setmetatable({ tree = tree, seed = seed, python = place .. "/python", seen = {},
    recipes = {}, sources = {} }, builds)
end

function builds:run(command)
  return succeeds(("cd %s && %s >/dev/null 2>&1"):format(self.tree, command))
end

local listing = "cd %s && PYTHONPATH=%s python3 scripts/mutants/candidates.py %s"

local function trimmed(line)
  return (line:match "^%s*(.-)%s*$":gsub("%s+", " "))
end

local function sum_of(self, file)
  return shell.output(("md5sum <%s/%s"):format(self.tree, file)):match "%x+"
end

-- A source: its text, its lines, its checksum.
local function source_of(self, path)
  local source = self.sources[path]
  if not source then
    source = { text = content(self.tree .. "/" .. path), sum = sum_of(self, path), lines = {} }
    for line in source.text:gmatch "([^\n]*)\n" do
      table.insert(source.lines, line)
    end
    self.sources[path] = source
  end
  return source
end

local function shuffle(list, draw)
  for i = #list, 2, -1 do
    local j = (draw(32768) * 32768 + draw(32768)) % i + 1
    list[i], list[j] = list[j], list[i]
  end
  return list
end

function builds:candidates(plugin)
  local sources, list = table.concat(plugin.folders, "/*.c ") .. "/*.c", {}
  for line in shell.output(listing:format(self.tree, self.python, sources)):gmatch "[^\n]+" do
    local path, number, text = line:match "^(%S+)\t(%d+)\t(.*)$"
    if not (" " .. plugin.without .. " "):find(" " .. path:match "([^/]+)%.c$" .. " ", 1, true) then
      local source = source_of(self, path)
      list[#list + 1] = { path = path, number = tonumber(number), new = (text:gsub("\v", "\n")),
        old = source.lines[tonumber(number)], source = source.sum }
    end
  end
  return shuffle(list, random(self.seed))
end

-- The numbers of the lines that are like old, with single blanks.
local function numbers_of(source, old)
  local numbers = {}
  for number, line in ipairs(source.lines) do
    numbers[#numbers + 1] = trimmed(line) == old and number or nil
  end
  return numbers
end

function builds:listed(plugin, list)
  local found = {}
  for _, folder in ipairs(plugin.folders) do
    for path in shell.output(("cd %s && ls %s/*.c"):format(self.tree, folder)):gmatch "%S+" do
      local source = source_of(self, path)
      for _, change in ipairs(list[path] or {}) do
        for place, number in ipairs(numbers_of(source, change[1])) do
          found[#found + 1] = (change.place or place) == place and { path = path, number = number,
            new = change[2], old = source.lines[number], source = source.sum } or nil
        end
      end
    end
  end
  return found
end

function builds:know(path, code)
  self.seen[path .. code] = true
end

local function replace_line(text, number, line)
  local at = 0
  return (text:gsub("[^\n]*\n", function(old)
    at = at + 1
    return at == number and line .. "\n" or old
  end))
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

-- How one source becomes the plugin: the commands, and the file that shows whether the code
-- differs.
local function recipe_of(self, plugin, path)
  local how = self.recipes[path]
  if not how then
    how = {}
    how.compile, how.link, how.artefact = commands_of(self, plugin, path)
    how.sum = sum_of(self, how.artefact)
    assert(self:run(("cp %s %s.kept"):format(how.artefact, how.artefact)))
    self.recipes[path] = how
  end
  return how
end

-- Why a compiled change is not counted, or nil.
local function fault_of(self, how, candidate)
  candidate.code = sum_of(self, how.artefact)
  if candidate.code == how.sum then
    return "compiles to the same code"
  elseif self.seen[candidate.path .. candidate.code] then
    return "compiles to the code of another"
  end
  self:know(candidate.path, candidate.code)
end

function builds:build(plugin, candidate, file)
  local how = recipe_of(self, plugin, candidate.path)
  local place, text = self.tree .. "/" .. candidate.path, source_of(self, candidate.path).text
  local fault
  write(place, replace_line(text, candidate.number, candidate.new))
  if not self:run(how.compile) then
    fault = "does not compile"
  else
    fault = fault_of(self, how, candidate)
  end
  if not fault and not self:run(how.link .. " && cp " .. plugin.target .. " " .. file) then
    fault = "does not link"
  end
  write(place, text)
  assert(self:run(("cp %s.kept %s"):format(how.artefact, how.artefact)))
  return not fault, fault
end

return builds
