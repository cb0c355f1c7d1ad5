-- Rows of finalizer_calls: filesystems, plugins, transactions, devices and jobs.
local async = require "modfs.async"
local modfs = require "modfs"
local rows = require "spec.support.finalizer_rows"

local D, F, G, TREE, COPY, add = rows.D, rows.F, rows.G, rows.TREE, rows.COPY, rows.add
local functions, methods, fresh = rows.functions, rows.methods, rows.fresh
local fresh_buffer = rows.fresh_buffer

local unpack = table.unpack or unpack -- luacheck: ignore 113

-- Filesystems, plugins and transactions -------------------------------------------------------

local function memory_filesystem()
  return modfs.filesystem "mem"
end

methods("Filesystem", memory_filesystem, {
  { "new_random_access_file", F },
  { "new_writable_file", G },
  { "new_appendable_file", F },
  { "new_read_only_memory_region_from_file", F },
  { "create_dir", G },
  { "recursively_create_dir", G .. "/x" },
  { "delete_file", F },
  { "delete_dir", G },
  { "delete_recursively", TREE },
  { "path_exists", F },
  { "stat", F, varies = true },
  { "is_directory", F },
  { "get_file_size", F },
  { "translate_name", F },
  { "get_children", TREE .. "/a" },
  { "get_matching_paths", TREE .. "/a/*" },
  { "rename_file", F, G },
  { "copy_file", F, G },
  { "flush_caches" },
  { "operations" },
  { "close" },
  { "get_filesystem_configuration" },
  { "get_filesystem_configuration_option", "limit_bytes" },
  { "get_filesystem_configuration_option", "no_such_option" },
  { "get_filesystem_configuration_keys" },
  { "start_transaction" },
})
add("modfs.Filesystem:paths_exist", function()
  return memory_filesystem(), { fresh(D .. "/a"), fresh(D .. "/a long name, number ") }
end, function(fs, list) return fs:paths_exist(list) end, { varies = true })
add("modfs.Filesystem:set_filesystem_configuration", function()
  local fs = memory_filesystem()
  local list = fs:get_filesystem_configuration()
  return fs, list, list[1]
end, function(fs, list) return fs:set_filesystem_configuration(list) end, { varies = true })
local function set_option(fs, option)
  return fs:set_filesystem_configuration_option(option)
end
add("modfs.Filesystem:set_filesystem_configuration_option", function()
  local fs = memory_filesystem()
  return fs, (fs:get_filesystem_configuration_option "limit_bytes")
end, set_option, { varies = true })
add("modfs.Filesystem:set_filesystem_configuration_option", function()
  local option = { name = fresh "a_name_that_no_option_has_and_never_had_", type = "buffer",
    value = { fresh "some value ", fresh "another value " } }
  return memory_filesystem(), option, option.value
end, set_option, { varies = true })

local function transaction()
  return (assert(memory_filesystem():start_transaction()))
end

local paths = 0

for name, call in pairs {
  end_transaction = function(fs, tx) return fs:end_transaction(tx) end,
  add_to_transaction = function(fs, tx) return fs:add_to_transaction(D .. "/x", tx) end,
  decode_transaction_token = function(fs, tx) return fs:decode_transaction_token(tx) end,
  get_transaction_for_path = function(fs, _, path) return fs:get_transaction_for_path(path) end,
  get_or_start_transaction_for_path = function(fs, _, path)
    return fs:get_or_start_transaction_for_path(path)
  end,
} do
  add("modfs.Filesystem:" .. name, function()
    local tx = transaction()
    paths = paths + 1 -- the last one may be held yet
    local path = ("%s/held%d"):format(D, paths)
    assert(tx:add(path))
    return memory_filesystem(), tx, path
  end, call, { varies = name:find "decode" ~= nil })
end
add("modfs.Filesystem:end_transaction", function() return modfs.filesystem "/", transaction() end,
  function(other, tx) return other:end_transaction(tx) end)
methods("Transaction", transaction, {
  { "add", D .. "/x" },
  { "add", 12.5 },
  { "add", "/elsewhere" },
  { "commit" },
  { "abort" },
  { "close" },
})

local function plugin()
  return assert(modfs.load(assert(modfs.filesystem "mem" and modfs.plugins()[1]).path))
end

methods("Plugin", plugin, { { "close" } })
add("modfs.Plugin.fields", plugin, function(it)
  return { it.path, it.schemes, it.platforms, it.author, it.version, it.url, it.versions }
end)
add("modfs.Filesystem.scheme", memory_filesystem, function(fs) return fs.scheme end)

-- Devices -------------------------------------------------------------------------------------

-- The Device of a state is one object: a call that ends it leaves a new one to the next.
local function device()
  return assert(modfs.device "REFERENCE")
end

methods("Device", device, {
  { "memory_usage", varies = true },
  { "allocator_stats", varies = true },
  { "allocate", 64 },
  { "allocate", -1 },
  { "host_allocate", 64 },
  { "unified_allocate", 64 },
  { "stream" },
  { "event" },
  { "timer" },
  { "synchronize" },
  { "load", F, varies = true },
  { "close" },
})
add("modfs.Device.fields", device, function(it)
  return { it.name, it.platform, it.type, it.ordinal, it.hardware_name, it.vendor, it.pci_bus_id,
    it.numa_node, it.memory_bandwidth, it.gflops }
end)

local function filled(value)
  return function(it)
    local memory = it:allocate(64)
    assert(memory:fill(value))
    return memory
  end
end

local part_makers = {
  memory = filled(109),
  other = filled(111),
  stream = function(it) return it:stream() end,
  event = function(it) return it:event() end,
  timer = function(it) return it:timer() end,
  buffer = function() return modfs.buffer(("b"):rep(64)) end,
}

-- A maker of the parts of a device that have these names, and of the device.
local function parts(names)
  return function()
    local objects, it = {}, device()
    for name in names:gmatch "%a+" do
      objects[#objects + 1] = part_makers[name](it)
    end
    objects[#objects + 1] = it
    return unpack(objects)
  end
end

add("modfs.Memory:write", parts "memory buffer", function(memory, buffer)
  return memory:write(buffer, 1), memory:write("text", 60), memory:write("too long", 62)
end)
add("modfs.Memory:read", parts "memory", function(memory)
  return memory:read(2, 30), memory:read(70)
end)
add("modfs.Memory:copy", parts "memory other", function(memory, other)
  return memory:copy(other, { n = 32 }), memory:copy(other, { n = "65" })
end)
add("modfs.Memory:fill", parts "memory", function(memory)
  return memory:fill(7), memory:fill(300)
end)
add("modfs.Stream:copy", parts "stream memory buffer", function(stream, memory, buffer)
  return stream:copy(memory, buffer):copy(buffer, memory, 10):copy(memory, "text")
end)
add("modfs.Stream:copy", parts "stream memory other", function(stream, memory, other)
  return stream:copy(memory, other), stream:copy(memory, other, 65)
end)
add("modfs.Stream:fill", parts "stream memory", function(stream, memory)
  return stream:fill(memory, 7), stream:fill(memory, 300)
end)
add("modfs.Stream:wait", parts "stream event", function(stream, event)
  return stream:record(event):wait(event)
end)
add("modfs.Stream:record", parts "stream event", function(stream, event)
  return stream:record(event)
end)
add("modfs.Stream:callback", parts "stream", function(stream)
  return stream:callback(function() end):synchronize()
end)
add("modfs.Stream:synchronize", parts "stream", function(stream)
  stream:callback(function() return fresh "text" end)
  return stream:synchronize()
end)
add("modfs.Event:wait", parts "event stream", function(event, stream)
  stream:record(event)
  return event:wait()
end)
add("modfs.Timer:start", parts "timer stream", function(timer, stream)
  return timer:start(stream)
end)
add("modfs.Timer:stop", parts "timer stream", function(timer, stream)
  return timer:start(stream), timer:stop(stream)
end)
methods("Memory", parts "memory", { { "close" } })
methods("Stream", parts "stream", { { "status" }, { "close" } })
methods("Event", parts "event", { { "status", varies = true }, { "close" } })
methods("Timer", parts "timer stream", { { "nanoseconds", varies = true }, { "close" } })

-- Jobs ----------------------------------------------------------------------------------------

add("modfs.async.read", nil, function() return async.read(F):wait() end)
add("modfs.async.stat", nil, function() return async.stat(F):wait() end, { varies = true })
add("modfs.async.listdir", nil, function() return async.listdir(TREE .. "/a"):wait() end)
add("modfs.async.open", nil, function() return async.open(F):wait() end)
add("modfs.async.copytree", nil, function() return async.copytree(TREE, COPY):wait() end)
add("modfs.async.glob", nil, function()
  return async.glob(TREE .. "/**", { filter = function(entry) return fresh(entry.path) ~= "" end })
    :wait()
end)
add("modfs.async.du", nil, function()
  return async.du(TREE, { filter = function(entry) return fresh(entry.path) ~= "" end }):wait()
end)
add("modfs.async.write", fresh_buffer, function(buffer)
  return async.write(F, buffer):wait(), modfs.read(F)
end, { varies = true })
add("async(file):read", rows.makers.File, function(file)
  return async(file):read(10, "l"):wait()
end, { varies = true })

local function job()
  return async.read(F)
end

local function await_both(list)
  return async.all(list):wait()
end

methods("Job", job, { { "wait" }, { "await" }, { "done", varies = true }, { "cancel" },
  { "close" }, { "progress", varies = true } })
-- What a Job gives may be made of memory that the Job's end frees.
for _, row in ipairs { { "listdir", TREE .. "/a" }, { "stat", F, varies = true },
  { "glob", TREE .. "/**" }, { "hash", F, "sha256" }, { "open", F } } do
  add("modfs.Job:wait", function() return async[row[1]](unpack(row, 2)) end, function(one)
    return one:wait()
  end, row)
end
add("modfs.Job:wait", function()
  return async.du(TREE, { filter = function(entry) return fresh(entry.path) ~= "" end })
end, function(one) return one:wait() end)
add("modfs.Job:wait", function()
  return async.copytree(TREE, COPY, { progress = function(_, _, path) fresh(path) end })
end, function(one) return one:wait() end, { varies = true })
add("modfs.Job:on_done", job, function(one)
  local told = {}
  one:on_done(function(that) told.done, told.content = true, that:wait() end)
  repeat modfs.poll(1) until told.done
  return told.content
end, { varies = true })
add("modfs.async.lines", nil, function()
  local count = 0
  for _ in async.lines(F) do
    count = count + 1
  end
  return count
end)
add("modfs.async.all", nil, function()
  local results = await_both { async.read(F), async.size(F) }
  return results[1][1], results[2][1]
end)
add("modfs.async.any", nil, function() return async.any({ async.size(F) }):wait() end)
add("modfs.async.run", nil, function()
  return async.run(function() return async.size(F):await() end)
end)
add("modfs.async.go", nil, function() return async.go(function() return 1 end):wait() end)
functions("modfs.async", async, { { "use", "poll" }, { "threads" }, { "queue" } })

rows.makers.Filesystem = memory_filesystem
rows.makers.Plugin = plugin
rows.makers.Transaction = transaction
rows.makers.Device = device
rows.makers.Memory = parts "memory"
rows.makers.Stream = parts "stream"
rows.makers.Event = parts "event"
rows.makers.Timer = parts "timer"
