-- Every function and method of modfs with the kinds of its parameters and good arguments:
-- { owner, name, kind, good, kind, good, … }. NONE stands for a nil.
local NONE = {}
local F, G, D = "mem://odd/f", "mem://odd/g", "mem://odd"

local function buffer(modfs)
  return modfs.buffer(4)
end

local function transaction(modfs)
  return modfs.filesystem("mem"):start_transaction()
end

local function body()
  return function() end
end

-- A part of the device that the row's object belongs to.
local function part(kind, size)
  return function(modfs)
    local device = modfs.device "REFERENCE:0"
    return device[kind](device, size)
  end
end

local memory, stream, event = part("allocate", 10), part "stream", part "event"

local calls = {
  { "modfs", "open", "path", F, "mode?", "r", "options?", NONE },
  { "modfs", "read", "path", F },
  { "modfs", "write", "path", F, "data", "x", "options?", NONE },
  { "modfs", "lines", "path", F, "format?", "l" },
  { "modfs", "map", "path", F },
  { "modfs", "exists", "path or paths", F },
  { "modfs", "isdir", "path", F },
  { "modfs", "isfile", "path", F },
  { "modfs", "append", "path", F, "data", "x" },
  { "modfs", "stat", "path", F },
  { "modfs", "lstat", "path", F },
  { "modfs", "symlink", "path", "f", "path", G },
  { "modfs", "readlink", "path", F },
  { "modfs", "islink", "path", F },
  { "modfs", "chmod", "path", F, "integer", 420 },
  { "modfs", "utime", "path", F, "integer", 0, "integer?", 0 },
  { "modfs", "xattrs", "path", F },
  { "modfs", "setxattr", "path", F, "path", "user.a", "string?", "x" },
  { "modfs", "size", "path", F },
  { "modfs", "mkdir", "path", G, "options?", NONE },
  { "modfs", "makedirs", "path", G },
  { "modfs", "remove", "path", F },
  { "modfs", "rmdir", "path", D },
  { "modfs", "rmtree", "path", F, "options?", NONE },
  { "modfs", "rename", "path", F, "path", G },
  { "modfs", "copy", "path", F, "path", G },
  { "modfs", "listdir", "path", D },
  { "modfs", "dir", "path", D },
  { "modfs", "walk", "path", D, "options?", NONE },
  { "modfs", "glob", "path", F, "options?", NONE },
  { "modfs", "escape", "string", F },
  { "modfs", "copytree", "path", D, "path", "mem://odd2", "options?", NONE },
  { "modfs", "sync", "path", D, "path", "mem://odd2", "options?", NONE },
  { "modfs", "du", "path", D, "options?", NONE },
  { "modfs", "tree", "mode", "du", "path", D },
  { "modfs", "tempname", "path?", "odd", "path?", ".txt" },
  { "modfs", "loadfile", "path?", F, "options?", NONE, "anything", NONE },
  { "modfs", "dofile", "path?", F, "options?", NONE },
  { "modfs", "crc32c", "data", "x", "integer?", 0 },
  { "modfs", "hash", "path", F, "mode", "crc32c" },
  { "modfs", "space", "path", F },
  { "modfs", "presign", "path", F, "path?", "GET", "integer?", 60 },
  { "modfs", "watch", "path", F, "options?", NONE },
  { "modfs", "flush_caches" },
  { "modfs", "type", "anything", 1 },
  { "modfs", "with", "object", buffer, "function", body },
  { "modfs", "buffer", "size", 4 },
  { "modfs", "load", "path", "/no/such/plugin.so", "options?", NONE },
  { "modfs", "plugins" },
  { "modfs", "schemes" },
  { "modfs", "available" },
  { "modfs", "filesystem", "path", "mem" },
  { "modfs", "config", "path", "mem", "options?", NONE },
  { "modfs", "platforms" },
  { "modfs", "devices", "string?", "NONE" },
  { "modfs", "device", "path", "NONE:0" },
  { "modfs", "pollfd" },

  { "path", "parse", "path", F },
  { "path", "clean", "path", F },
  { "path", "join", "path", F, "path", "a" },
  { "path", "dirname", "path", F },
  { "path", "basename", "path", F },
  { "path", "extension", "path", F },
  { "path", "is_absolute", "path", F },
  { "path", "match", "path", F, "path", "*" },
  { "path", "relative", "path", F, "path", D },
  { "path", "absolute", "path", F },
  { "path", "split", "path", F },
  { "path", "stem", "path", F },
  { "path", "expanduser", "path", F },
  { "path", "commonpath", "paths", { F, G } },

  { "watch", "fd" },
  { "watch", "close" },

  { "file", "read", "format", "l", "format", 2 },
  { "file", "lines", "format", "l" },
  { "file", "seek", "whence?", "set", "integer?", 0 },
  { "file", "pread", "integer", 0, "integer", 4 },
  { "file", "readinto", "buffer", buffer, "integer?", 0, "integer?", 4, "integer?", 1 },
  { "file", "size" },
  { "file", "name" },
  { "file", "close" },

  { "writable", "write", "data", "x", "data", "y" },
  { "writable", "tell" },
  { "writable", "flush" },
  { "writable", "sync" },
  { "writable", "name" },
  { "writable", "close" },
  { "writable", "abort" },
}

for _, owner in ipairs { "region", "buffer" } do
  for _, call in ipairs {
    { owner, "sub", "integer", 1, "integer?", 4 },
    { owner, "byte", "integer?", 1, "integer?", 4 },
    { owner, "find", "data", "3", "integer?", 1 },
    { owner, "unpack", "string", "I2", "integer?", 1 },
    { owner, "lines" },
    { owner, "slice", "integer", 1, "integer?", 4 },
    { owner, "pointer" },
    { owner, "close" },
  } do
    calls[#calls + 1] = call
  end
end

for _, call in ipairs {
  { "buffer", "set", "integer", 1, "data", "x" },
  { "buffer", "fill", "integer?", 65 },
  { "buffer", "pack", "integer", 1, "string", "I1I1", "anything", 7, "anything", 8 },

  { "fs", "paths_exist", "paths", { F } },
  { "fs", "rename_file", "path", F, "path", G },
  { "fs", "copy_file", "path", F, "path", G },
  { "fs", "flush_caches" },
  { "fs", "start_transaction" },
  { "fs", "end_transaction", "transaction", transaction },
  { "fs", "add_to_transaction", "path", F, "transaction", transaction },
  { "fs", "decode_transaction_token", "transaction", transaction },
  { "fs", "get_filesystem_configuration" },
  { "fs", "set_filesystem_configuration", "table", {} },
  { "fs", "get_filesystem_configuration_option", "path", "limit_bytes" },
  { "fs", "set_filesystem_configuration_option", "table",
    { name = "limit_bytes", type = "int", value = 2 ^ 40 } },
  { "fs", "get_filesystem_configuration_keys" },
  { "fs", "operations" },
  { "fs", "close" },

  { "transaction", "add", "path", F },
  { "transaction", "commit" },
  { "transaction", "abort" },
  { "transaction", "close" },
} do
  calls[#calls + 1] = call
end

for _, call in ipairs {
  { "device", "allocate", "integer", 8 },
  { "device", "host_allocate", "integer", 8 },
  { "device", "unified_allocate", "integer", 8 },
  { "device", "stream" },
  { "device", "event" },
  { "device", "timer" },
  { "device", "load", "path", F },
  { "device", "synchronize" },
  { "device", "memory_usage" },
  { "device", "allocator_stats" },
  { "device", "close" },

  { "memory", "read", "integer?", 1, "integer?", 4 },
  { "memory", "write", "bytes", "x", "integer?", 1 },
  { "memory", "fill", "integer?", 65 },
  { "memory", "copy", "memory", memory, "options?", NONE },
  { "memory", "close" },

  { "stream", "copy", "memory or buffer", memory, "source", "x", "integer?", 1 },
  { "stream", "fill", "memory", memory, "integer?", 65 },
  { "stream", "wait", "stream or event", stream },
  { "stream", "record", "event", event },
  { "stream", "callback", "function", body },
  { "stream", "status" },
  { "stream", "synchronize" },
  { "stream", "close" },

  { "event", "status" },
  { "event", "wait" },
  { "event", "close" },

  { "timer", "start", "stream", stream },
  { "timer", "stop", "stream", stream },
  { "timer", "nanoseconds" },
  { "timer", "close" },
} do
  calls[#calls + 1] = call
end

for _, name in ipairs {
  "new_random_access_file", "new_writable_file", "new_appendable_file",
  "new_read_only_memory_region_from_file", "create_dir", "recursively_create_dir", "delete_file",
  "delete_dir", "delete_recursively", "path_exists", "stat", "is_directory", "get_file_size",
  "translate_name", "get_children", "get_matching_paths", "get_transaction_for_path",
  "get_or_start_transaction_for_path",
} do
  calls[#calls + 1] = { "fs", name, "path", F }
end

return { list = calls, NONE = NONE, directory = D, file = F }
