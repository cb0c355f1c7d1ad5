-- modfs.inspect: what a plugin's file says about itself, without running any of it; and then what
-- it declares, when it is loaded in a child process.
local modfs = require "modfs.core"
local elf = require "modfs.inspect.elf"
local host = require "modfs.inspect.host"
local libraries = require "modfs.inspect.libraries"
local load_in_child = require "modfs.inspect.load"
local search = require "modfs.inspect.search"
local shell = require "modfs.inspect.shell"
local ownership_fault = require "modfs.inspect.ownership"
local verdict = require "modfs.inspect.verdict"

local runtime = "libtensorflow_framework.so.2"

local function machine_name(file)
  local order = file.order == ">" and ", big-endian" or ""
  return ("%s, %d bits%s"):format(file.machine, file.class, order)
end

-- What of a file can be told from the header alone.
local function begin(path, file, own)
  local report = { file = path, reasons = {}, warnings = {}, would_load = false }
  if file.machine then
    report.format = { kind = file.kind, machine = file.machine, class = file.class,
      byte_order = file.order == "<" and "little" or "big" }
    if not search.same_machine(file, own) then
      report.reasons[1] = ("an ELF file for another machine: %s; this one is %s"):format(
        machine_name(file), machine_name(own))
    elseif file.type ~= 3 then
      report.reasons[1] = ("not a shared object, but: %s"):format(file.kind)
    end
  end
  return report
end

-- What the process holds already: as a set.
local function set_of(scopes)
  local known = {}
  for _, scope in ipairs(scopes) do
    for _, library in ipairs(scope) do
      known[library] = true
    end
  end
  return known
end

local function list_libraries(plugin, known)
  local list = {}
  for _, name in ipairs(plugin.elf.needed) do
    local found = plugin.needs[name]
    list[#list + 1] = { name = name, path = found and found.path or false,
      how = found and (known[found] and "the host has it" or found.how),
      soname = found and found.elf.soname }
  end
  return list
end

-- Those that the plugin brings into the process, of all that it needs.
local function fresh_ones(plugin, known)
  local fresh = {}
  for _, library in ipairs(plugin.scope) do
    if not known[library] then
      fresh[#fresh + 1] = library
    end
  end
  return fresh
end

local function missing_versions(found, fresh)
  local missing = {}
  for _, library in ipairs(fresh) do
    for _, version in ipairs(found:missing_versions(library)) do
      missing[#missing + 1] = version
    end
  end
  return missing
end

local function needs_runtime(plugin)
  for _, library in ipairs(plugin.scope) do
    if library.name == runtime or library.elf.soname == runtime then
      return true
    end
  end
  return false
end

-- The loader shows the runtime's functions to a plugin that is linked to nothing that has them.
local function functions_of(core)
  local shown = { name = runtime, defined = {} }
  for name, symbol in pairs(core.needs[runtime] and core.needs[runtime].defined or {}) do
    shown.defined[name] = name:find("^TF_") and symbol or nil
  end
  return shown
end

local function describe(report, plugin, found, program, core)
  local file, scopes = plugin.elf, { program.scope, plugin.scope, { functions_of(core) } }
  local known = set_of { program.scope, core.scope }
  local fresh = fresh_ones(plugin, known)
  report.soname, report.rpath, report.runpath = file.soname, file.rpath, file.runpath
  report.build_id, report.flags, report.versions = file.id, file:flags(), file.needed_versions or {}
  report.entry_points, report.extra_exports = verdict.exports(plugin)
  report.libraries, report.missing_libraries = list_libraries(plugin, known), found.missing
  report.links_to_runtime = needs_runtime(plugin)
  report.undefined = verdict.undefined(plugin, scopes)
  report.meaning = verdict.meaning(report.undefined)
  report.missing_versions = missing_versions(found, fresh)
  report.unresolved = #found.missing == 0 and verdict.unresolved(fresh, scopes) or {}
  for _, library in ipairs(fresh) do
    if library.wrong then
      report.reasons[#report.reasons + 1] = ("%s: %s"):format(library.path, library.wrong)
    end
  end
  for _, reason in ipairs(verdict.reasons(report)) do
    report.reasons[#report.reasons + 1] = reason
  end
  report.warnings = verdict.warnings(report)
  report.tensorflow = verdict.tensorflow(report)
  report.tensorflow_releases = verdict.releases(report)
end

local function add_loaded(report, path, options)
  if options.load == false or #report.reasons > 0 then
    return report
  end
  local loaded, message, code = load_in_child(path, options)
  if not loaded then
    return nil, message, code
  end
  report.loaded = loaded
  report.reasons[1] = loaded.failure
  return report
end

-- The loader resolves links before it looks for libraries beside the file.
local function real_path(path)
  if modfs.path.parse(path) ~= "" or path:find("\0", 1, true) then
    return path
  end
  local real = shell.output("readlink -e --", path)
  return real ~= "" and real or path
end

-- inspect(path [, options]) -> report, or nil, message, code where the file cannot be read, or
-- nothing written for the child.
-- Options: load = false leaves it at reading; trust, scheme and as as in modfs.load; seconds and
-- ask are for the child, as in modfs.inspect.load. What the reading refuses is not loaded.
local function inspect(path, options)
  options = options or {}
  path = real_path(path)
  local own = assert(elf.peek(host.core_file()))
  local file, wrong, code = elf.open(path)
  if not file then
    return nil, wrong, code
  end
  local report = begin(path, file, own)
  if wrong then
    report.reasons[1] = report.reasons[1] or wrong
  end
  file:close()
  if #report.reasons > 0 then
    return report
  end
  local found = libraries.new(own)
  local program = assert(found:add("/proc/self/exe", "the program"))
  local core = assert(found:add(host.core_file(), "modfs/core.so", program))
  found.missing = {}
  describe(report, assert(found:add(path, path, core)), found, program, core)
  if not options.trust then
    report.reasons[#report.reasons + 1] = ownership_fault(path)
  end
  own:close()
  local whole, message, reason = add_loaded(report, path, options)
  report.would_load = #report.reasons == 0
  return whole, message, reason
end

return inspect
