-- clauses.lua BUILD: prints docs/clauses.md, which lists the clauses of the headers with the cases
-- of `modfs check` that have met them. It runs level 5 on the project's plugins that need no
-- server: a case has met a clause when the plugin itself gave the code that the clause is about,
-- and the case passed. What the header says of a slot without a code counts as OK; threads and
-- memory are those of the cases that call the slot at the same time, or count what it leaves.
local check = require "modfs.check"
local contract = require "modfs.check.contract"
local device_contract = require "modfs.check.device_contract"
local values = require "modfs.check.values"

local build = arg[1] or "build"
local plugins = { { "mem" }, { "posix", "file" }, { "reference" } }
local shown = 3

local inherits = "those of ([%w_]+)"

-- met[operation][code] = array of cases, each once.
local function add(met, key, case)
  local operation, code = key:match "^(%S+) (%S+)$"
  met[operation] = met[operation] or {}
  met[operation][code] = met[operation][code] or {}
  local list = met[operation][code]
  if not list[case] then
    list[case] = true
    list[#list + 1] = case
  end
end

local function is_own(report, key)
  local operation = report.operations[key:match "^%S+"]
  return not operation or operation.source ~= "default"
end

-- What else a case tells of the slots that it calls.
local function kind_of(name)
  if name:find "^concurrency%." then
    return " (threads)"
  end
  local counts = name:find "resources%.of_" or name:find "loses?_nothing"
    or name:find "leaves?_no_descriptor"
  return counts and " (memory)" or " (other)"
end

local function add_results(met, report)
  for _, result in ipairs(report.results) do
    local passed = result.verdict == "passed" and not result.setup
    for _, key in ipairs(passed and result.met or {}) do
      if is_own(report, key) then
        add(met, key, result.name)
        add(met, key:match "^%S+" .. kind_of(result.name), result.name)
      end
    end
  end
end

local function run_all()
  local met = {}
  for _, plugin in ipairs(plugins) do
    local report = check.run { file = ("%s/modfs/plugins/%s.so"):format(build, plugin[1]),
      scheme = plugin[2], strict = 5 }
    assert(report.failed == 0, plugin[1] .. " fails")
    add_results(met, report)
  end
  return met
end

-- The codes that a text of the contract fixes, in order of appearance.
local function codes_in(text, from)
  local codes, seen = {}, {}
  for code in text:gmatch "%f[%u_]%u[%u_]+%f[^%u_]" do
    if not seen[code] and code ~= "OK" and code ~= "NULL" then
      seen[code] = true
      codes[#codes + 1] = code
    end
  end
  for other in text:gmatch(inherits) do
    for _, code in ipairs(from[other] and codes_in(from[other].errors or "", from) or {}) do
      if not seen[code] then
        seen[code] = true
        codes[#codes + 1] = code
      end
    end
  end
  return codes
end

-- Why no case can meet a clause: by the slot, or by slot and clause.
local started = "the runner itself calls it, in each case about a device"
local of_servers = "s3 alone has this slot, and needs a server"
local reasons = {
  get_filesystem_configuration_keys = "no host calls it",
  create_device_fns = started, create_stream_executor = started, create_timer_fns = started,
  destroy_device_fns = started, destroy_stream_executor = started, destroy_timer_fns = started,
  reader_attributes = of_servers, stored_hash = of_servers,
  ["accept_interruption (threads)"] = "the host calls it once, before all others",
  ["set_writer_attributes UNIMPLEMENTED"] = "the plugins with this slot set all attributes",
  ["set_writer_attributes NOT_FOUND"] = "a file that is open is there",
  ["create_subdirectory FAILED_PRECONDITION"] = "an open directory is no file",
  ["entry_attributes FAILED_PRECONDITION"] = "an open directory is no file",
  ["open_writer UNIMPLEMENTED"] = "the plugins with this slot offer all its flags",
  ["set_attributes UNIMPLEMENTED"] = "the plugins with this slot set all attributes",
  ["start_transaction FAILED_PRECONDITION"] = "mem:// starts any number",
  ["get_or_start_transaction_for_path FAILED_PRECONDITION"] = "mem:// starts any number",
  ["set_filesystem_configuration (threads)"] = "called through the host, on one thread",
  ["set_filesystem_configuration (memory)"] = "called through the host, which allocates, too",
  ["length (memory)"] = "it has no way to fail, and makes nothing",
  ["plugin_memory_allocate (memory)"] = "what it gives is the caller's to count",
}

local function reason_of(slot, clause)
  return reasons[slot .. " " .. clause] or reasons[slot]
end

local function cell(list, reason)
  if not list then
    return "**none**" .. (reason and ": " .. reason or "")
  end
  local names = {}
  for i = 1, math.min(shown, #list) do
    names[i] = "`" .. list[i] .. "`"
  end
  return table.concat(names, ", ") .. (#list > shown and (" and %d more"):format(#list - shown)
    or "")
end

local function print_slots(list, met, extras)
  local empty, count = {}, 0
  print "| slot | clause | cases |\n| --- | --- | --- |"
  for _, slot in ipairs(values.sorted_keys(list)) do
    local missing = {}
    local clauses = { "OK", (table.unpack or unpack)(codes_in(list[slot].errors or "", list)) }
    for _, extra in ipairs(extras) do
      clauses[#clauses + 1] = extra
    end
    for _, clause in ipairs(clauses) do
      local found = met[slot] and met[slot][clause]
      print(("| `%s` | %s | %s |"):format(slot, clause, cell(found, reason_of(slot, clause))))
      missing[#missing + 1] = not found and clause or nil
    end
    count = count + #missing
    empty[#empty + 1] = #missing > 0
      and ("- `%s`: %s"):format(slot, table.concat(missing, ", ")) or nil
  end
  print(("\nEmpty rows: %d\n\n%s\n"):format(count, table.concat(empty, "\n")))
end

local met = run_all()
print [[
# Clauses and cases

Which cases of `modfs check` meet each clause of the two headers; made by `make clauses`. A case
has met a clause when `mem`, `posix` or the reference device itself gave that code, and the case
passed. (threads): the slot was called while other threads called the plugin; (memory): what the
slot leaves behind was counted. Where no case can meet a clause, its row says why.

## filesystem.h and extension.h
]]
print_slots(contract, met, { "(threads)", "(memory)" })
print "## stream_executor.h\n"
print_slots(device_contract, met, {})
