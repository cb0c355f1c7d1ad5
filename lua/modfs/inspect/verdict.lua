-- What the symbols, versions and flags of a plugin mean for loading it, here and in TensorFlow.
local demangle = require "modfs.inspect.demangle"
local libraries = require "modfs.inspect.libraries"
local releases = require "modfs.inspect.releases"

local verdict = {}

local entry_points = { "TF_InitPlugin", "SE_InitPlugin" }
-- Entries of TensorFlow that this host does not call.
local foreign_entries = { TF_InitGraph = true, TF_InitKernel = true, TF_InitProfiler = true }
local expected = { TF_InitPlugin = true, SE_InitPlugin = true, modfs_extension = true,
  _init = true, _fini = true, _edata = true, _end = true, __bss_start = true }

local plain_c = { __cxa_finalize = true, __cxa_atexit = true, __cxa_thread_atexit_impl = true }

-- "abi", "cxx" or "other".
function verdict.kind_of(name)
  if name:find("^T[FP]_") or name:find("^S[EP]_") then
    return "abi"
  end
  local cxx = name:find("^_Z") or name:find("^__gxx_") or name:find("^__cxa_")
  return cxx and not plain_c[name] and "cxx" or "other"
end

-- Sorts the exports of a plugin: entry points, and whatever else it shows.
function verdict.exports(plugin)
  local entries, extra, extension = {}, {}, plugin.defined.modfs_extension ~= nil
  for _, name in ipairs(entry_points) do
    if plugin.defined[name] and plugin.defined[name].is_function then
      entries[#entries + 1] = name
    end
  end
  for name in pairs(plugin.defined) do
    if not expected[name] and not (plugin.elf.versions or {})[name] then
      extra[#extra + 1] = name
    end
  end
  table.sort(extra)
  if extension then
    entries[#entries + 1] = "modfs_extension"
  end
  return entries, extra
end

-- The undefined symbols by kind, each with the library that has it; false where none has.
function verdict.undefined(plugin, scopes)
  local groups = { abi = {}, cxx = {}, other = {} }
  for _, symbol in ipairs(plugin.undefined) do
    local found = libraries.provider(scopes, symbol.name)
    table.insert(groups[verdict.kind_of(symbol.name)], { name = symbol.name,
      demangled = demangle(symbol.name), weak = symbol.weak, version = symbol.version,
      from = found and found.name or false })
  end
  for _, group in pairs(groups) do
    table.sort(group, function(a, b) return a.name < b.name end)
  end
  return groups
end

-- What the plugin brings along, and the loader will not bind: { name =, by = }.
function verdict.unresolved(fresh, scopes)
  local missing = {}
  for _, library in ipairs(fresh) do
    for _, symbol in ipairs(library.undefined) do
      if not symbol.weak and not libraries.provider(scopes, symbol.name) then
        missing[#missing + 1] = { name = symbol.name, demangled = demangle(symbol.name),
          by = library.path }
      end
    end
  end
  return missing
end

local function has_entry(report)
  for _, name in ipairs(report.entry_points) do
    if name ~= "modfs_extension" then
      return true
    end
  end
end

local function missing_entry(report)
  for _, name in ipairs(report.extra_exports) do
    if foreign_entries[name] then
      return ("no function TF_InitPlugin or SE_InitPlugin: %s is only for TensorFlow"):format(name)
    end
  end
  return "not a plugin: it does not define TF_InitPlugin or SE_InitPlugin"
end

local function by_whom(item, report)
  return item.by == report.file and "" or (" (needed by %s)"):format(item.by)
end

local function missing_symbol(symbol)
  local shown = symbol.demangled or symbol.name
  if verdict.kind_of(symbol.name) == "abi" then
    return "this host does not have " .. shown
  elseif symbol.name:find("^_Z.*10tensorflow") or symbol.name:find("^_Z.*3tsl") then
    return shown .. " is C++ of TensorFlow, which no C host has"
  end
  return "no library that it needs has " .. shown
end

-- Why it would not load: one line each.
function verdict.reasons(report)
  local reasons = {}
  local function add(text)
    reasons[#reasons + 1] = text
  end
  if not has_entry(report) then
    add(missing_entry(report))
  end
  if report.flags.pie then
    add("a program, not a library: the loader refuses it")
  elseif report.flags.noopen then
    add("it is marked as not to be opened (DF_1_NOOPEN)")
  end
  for _, library in ipairs(report.missing_libraries) do
    add(("%s cannot be found%s"):format(library.name, by_whom(library, report)))
  end
  for _, version in ipairs(report.missing_versions) do
    add(("%s has no version %s%s"):format(version.file, version.version, by_whom(version, report)))
  end
  for _, symbol in ipairs(report.unresolved) do
    add(missing_symbol(symbol) .. by_whom(symbol, report))
  end
  return reasons
end

-- What loads, and yet had better be otherwise.
function verdict.warnings(report)
  local warnings, flags = {}, report.flags
  local function add(wrong, text)
    if wrong then
      warnings[#warnings + 1] = text
    end
  end
  local exports = ("%d exports beside the entry points: compile with -fvisibility=hidden")
    :format(#report.extra_exports)
  add(#report.undefined.abi > 0 and not report.links_to_runtime,
    "not linked to libtensorflow_framework.so.2: only this host loads it (-Wl,--no-as-needed)")
  add(not flags.nodelete, "no NODELETE: unloading it ends its threads badly (-Wl,-z,nodelete)")
  add(flags.relro ~= "full", ("RELRO is %s: link with -Wl,-z,relro,-z,now"):format(flags.relro))
  add(flags.executable_stack, "it asks for an executable stack (-Wl,-z,noexecstack)")
  add(flags.text_relocations, "it has relocations in its code: compile with -fPIC")
  add(not report.build_id, "no build id (-Wl,--build-id)")
  add(#report.extra_exports > 0, exports)
  return warnings
end

-- For each kind of symbol that is taken: what it means when all are found, and when some are not.
local meanings = {
  abi = { "from modfs's runtime here, from TensorFlow's own library there",
    "newer than this host, which cannot load it; a TensorFlow that has them can" },
  cxx = { "from the C++ library, which has to be as new in TensorFlow's process",
    "cannot load here; in TensorFlow only in the build that it was compiled against" },
  other = { "from system libraries, here as in TensorFlow",
    "no library has them: loads neither here nor in TensorFlow" },
}

function verdict.meaning(undefined)
  local found = {}
  for kind, group in pairs(undefined) do
    local lost = 0
    for _, symbol in ipairs(group) do
      lost = lost + (symbol.from == false and not symbol.weak and 1 or 0)
    end
    found[kind] = #group > 0 and meanings[kind][lost > 0 and 2 or 1] or nil
  end
  return found
end

local function taken_functions(report)
  local functions = {}
  for _, symbol in ipairs(report.undefined.abi) do
    functions[#functions + 1] = not symbol.weak and symbol.name or nil
  end
  return functions
end

-- Which releases of TensorFlow have all that it takes, and why others have not.
function verdict.releases(report)
  return releases.have(taken_functions(report))
end

-- The newest of each run of releases that lack a function: "2.20 lacks TF_Log".
local function lacking(lacks)
  local parts, last = {}, nil
  for i = #releases.all, 1, -1 do
    local name = lacks[releases.all[i]]
    if name and name ~= last then
      parts[#parts + 1] = ("%s lacks %s"):format(releases.all[i], name)
    end
    last = name
  end
  return table.concat(parts, ", ", 1, math.min(#parts, 3))
end

local function in_releases(report)
  local found, lacks = verdict.releases(report)
  local first, last = releases.all[1], releases.all[#releases.all]
  if #found == #releases.all then
    return ("yes, from %s to %s"):format(first, last)
  elseif #found == 0 then
    return ("no, from %s to %s: %s"):format(first, last, lacking(lacks))
  end
  return ("yes in %s: %s"):format(releases.words(found), lacking(lacks))
end

-- What TensorFlow would make of it.
function verdict.tensorflow(report)
  local cxx = false
  for _, symbol in ipairs(report.undefined.cxx) do
    cxx = cxx or symbol.from == false and not symbol.weak
  end
  if cxx then
    return "only inside the very TensorFlow that its C++ was compiled against"
  elseif not has_entry(report) then
    return "no: it has no entry point"
  elseif #report.undefined.abi > 0 and not report.links_to_runtime then
    return "no: it takes TF_ functions, and is not linked to libtensorflow_framework.so.2"
  elseif #report.reasons > 0 then
    return "not where what it lacks here is missing, too"
  end
  return in_releases(report)
end

return verdict
