-- Every function and method that touches storage runs on another thread: while the only thread of
-- the pool is kept busy, its Job waits; afterwards it has the results of the plain call.
local async = require "modfs.async"
local modfs = require "modfs"

local unpack = table.unpack or unpack -- luacheck: ignore 113

local D = "mem://functions"
local F, G, T, Z = D .. "/f", D .. "/g", D .. "/tree", D .. "/z"

local text = "one\n2 300\n" .. ("a longer line "):rep(2000) .. "\nlast"
local local_directory

local function stage()
  modfs.rmtree(D)
  assert(modfs.makedirs(T .. "/a/b"))
  assert(modfs.write(F, text))
  assert(modfs.write(T .. "/a/1", text))
  assert(modfs.symlink("f", D .. "/link"))
  local out = assert(modfs.codec.open(Z, "w", "gzip"))
  assert(out:write(text))
  assert(out:close())
end

-- The only thread of the pool waits for a change that does not come.
local function block()
  async.threads(1)
  local job = async(assert(modfs.watch(local_directory))):next(60)
  while job:progress().state == "queued" do
    modfs.poll(0.001)
  end
  return job
end

local function describe_value(value)
  if type(value) == "userdata" then
    return tostring(modfs.type(value))
  elseif type(value) ~= "table" then
    return type(value) == "function" and "function" or tostring(value)
  end
  local parts = {}
  for key, item in pairs(value) do
    local varies = type(key) == "string" and (key:find "time" or key == "inode")
    parts[#parts + 1] = tostring(key) .. "=" .. (varies and "?" or describe_value(item))
  end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end

local function describe_all(...)
  local parts = {}
  for i = 1, select("#", ...) do
    parts[i] = describe_value((select(i, ...)))
  end
  return table.concat(parts, " | ")
end

-- Functions: { name, arguments… }; methods: { class and name, maker, arguments… }. A function among
-- the arguments makes one.
local functions = {
  { "open", F }, { "open", G, "w", { atomic = true } }, { "read", F }, { "read", D .. "/none" },
  { "write", F, "new" }, { "write", F, "new", { atomic = true } }, { "append", F, "more" },
  { "map", F }, { "exists", F }, { "exists", G }, { "exists", { F, G, "nosuch://x" } },
  { "isdir", F }, { "isfile", F }, { "size", F }, { "stat", F }, { "lstat", D .. "/link" },
  { "chmod", F, 420 }, { "utime", F, 123, 456 }, { "xattrs", F },
  { "setxattr", F, "user.a", "x" }, { "symlink", "to", G },
  { "readlink", D .. "/link" },
  { "islink", D .. "/link" }, { "hash", F, "sha256" }, { "space", "/proc" },
  { "presign", F }, { "mkdir", G }, { "makedirs", G .. "/x" },
  { "remove", F }, { "rmdir", T .. "/a/b" }, { "rename", F, G }, { "copy", F, G },
  { "listdir", D }, { "glob", T .. "/**" }, { "dir", T }, { "walk", T }, { "flush_caches" },
  { "copytree", T, G }, { "sync", T, G }, { "du", T }, { "rmtree", T }, { "rmtree", T, {} },
  { "loadfile", F }, { "tempname", D .. "/t", varies = true },
  { "write", F, modfs.buffer "of a buffer" },
}

local function opened() return assert(modfs.open(F)) end
local function writing() return assert(modfs.open(G, "w")) end
local function memory() return modfs.filesystem "mem" end
local function listing() return (select(2, modfs.dir(T .. "/a"))) end
local function records()
  local to = assert(modfs.tfrecord.writer(D .. "/r"))
  assert(to:write "first" and to:write "second" and to:close())
  return assert(modfs.tfrecord.reader(D .. "/r"))
end
local function recording() return assert(modfs.tfrecord.writer(D .. "/w")) end
local function begun() return assert(modfs.tree("du", T)) end

local methods = {
  { "File:read", opened }, { "File:read", opened, "l", "n", 3, "n" }, { "File:read", opened, "a" },
  { "File:read", opened, "L", 0, 100000, 1 }, { "File:read", opened, "v", "v" },
  { "File:pread", opened, 4, 10 }, { "File:pread", opened, 1000000, 10 },
  { "File:seek", opened, "end", -4 }, { "File:seek", opened, "set", -4 }, { "File:size", opened },
  { "File:readinto", opened, function() return modfs.buffer(10) end },
  { "File:readinto", opened, function() return modfs.buffer(10) end, 4 }, { "File:close", opened },
  { "WritableFile:write", writing, "a", 1, "b" }, { "WritableFile:write", writing, "a" },
  { "WritableFile:flush", writing }, { "WritableFile:sync", writing },
  { "WritableFile:tell", writing }, { "WritableFile:close", writing },
  { "WritableFile:abort", writing },
  { "Directory:next", listing },
  { "RecordReader:read", records }, { "RecordReader:at", records, 0 },
  { "RecordReader:at", records, 1000 }, { "RecordReader:get", records, 2 },
  { "RecordReader:get", records, 9 }, { "RecordReader:skip", records, 1 },
  { "RecordReader:count", records }, { "RecordReader:verify", records },
  { "RecordReader:seek", records, 21 }, { "RecordReader:tell", records },
  { "RecordReader:salvage", records, recording },
  { "RecordWriter:write", recording, "data" }, { "RecordWriter:flush", recording },
  { "RecordWriter:sync", recording }, { "RecordWriter:tell", recording },
  { "RecordWriter:close", recording }, { "RecordWriter:abort", recording },
  { "Tree:step", begun },
}

for _, row in ipairs {
  { "new_random_access_file", F }, { "new_writable_file", G }, { "new_appendable_file", F },
  { "new_read_only_memory_region_from_file", F }, { "create_dir", G },
  { "recursively_create_dir", G .. "/x" }, { "delete_file", F }, { "delete_dir", T .. "/a/b" },
  { "delete_recursively", T }, { "rename_file", F, G }, { "copy_file", F, G }, { "path_exists", F },
  { "paths_exist", { F, G } }, { "stat", F }, { "is_directory", F }, { "get_file_size", F },
  { "translate_name", F }, { "get_children", T }, { "get_matching_paths", T .. "/*" },
  { "flush_caches" }, { "get_transaction_for_path", F }, { "start_transaction" },
} do
  methods[#methods + 1] = { "Filesystem:" .. row[1], memory, unpack(row, 2) }
end

-- Why the rest do not.
local reasons = {
  ["loads code into the process"] = "load available",
  ["touches no storage"] = "type poll pollfd schemes plugins filesystem buffer crc32c escape path "
    .. "plugin_path version platforms devices device tree with record config",
  ["is an iterator, which async.lines replaces"] = "lines",
  ["runs the program's code, which is loaded as by loadfile"] = "dofile",
  ["as tempname"] = "tempdir",
  ["opened as a watch, whose method next is asked"] = "watch",
  ["a module of its own"] = "codec async check io lfs os searcher tfrecord",
}

setup(function()
  local_directory = assert(modfs.tempdir())
end)

teardown(function()
  async.threads(8)
  modfs.rmtree(local_directory)
  modfs.rmtree(D)
end)

-- Starts the call while the thread is busy, and returns what came of it.
local function compare(make, row, plain, started)
  local function arguments()
    local all = {}
    for i, value in ipairs(row) do
      all[i] = type(value) == "function" and value() or value
    end
    return unpack(all)
  end
  local function run(call)
    stage()
    local object = make and make()
    return call(object, arguments())
  end
  local expected = describe_all(run(plain))
  local blocker
  local job = run(function(...)
    blocker = block()
    return started(...)
  end)
  local done, state = job:done(), job:progress().state
  blocker:cancel()
  local result = describe_all(job:wait())
  async.threads(8)
  modfs.poll(0)
  assert.is_false(done)
  assert.is_true(state == "queued" or state == "running", state)
  if not row.varies then
    assert.equal(expected, result)
  end
end

describe("async", function()
  for _, row in ipairs(functions) do
    it(("runs %s on another thread"):format(describe_all(unpack(row))), function()
      local name, rest = row[1], { unpack(row, 2) }
      rest.varies = row.varies
      compare(nil, rest, function(_, ...) return modfs[name](...) end,
        function(_, ...) return async[name](...) end)
    end)
  end

  for _, row in ipairs(methods) do
    it(("runs %s on another thread"):format(describe_all(unpack(row))), function()
      local name = row[1]:match ":(.+)$"
      compare(row[2], { unpack(row, 3) },
        function(object, ...) return object[name](object, ...) end,
        function(object, ...) return async(object)[name](nil, ...) end)
    end)
  end

  it("has every function in one of the lists", function()
    local known, missing = {}, {}
    for _, row in ipairs(functions) do
      known[row[1]] = true
    end
    for _, names in pairs(reasons) do
      for name in names:gmatch "%S+" do
        known[name] = true
      end
    end
    for name, value in pairs(modfs) do
      missing[#missing + 1] = type(value) == "function" and not known[name] and name or nil
    end
    table.sort(missing)
    assert.equal("", table.concat(missing, " "))
  end)
end)

describe("the types for editors", function()
  local declared = {}

  setup(function()
    local meta = assert(io.popen((os.getenv "LUA" or "lua5.4") .. " scripts/meta.lua"))
    for line in meta:lines() do
      local name = line:match "^function ([%w_.:]+)%("
      declared[name or ""] = true
    end
    meta:close()
  end)

  it("have every function as a Job, and every method", function()
    local missing = {}
    for _, row in ipairs(functions) do
      local name = "modfs.async." .. row[1]
      missing[#missing + 1] = not declared[name] and name or nil
    end
    for _, row in ipairs(methods) do
      local name = "Async" .. row[1]:gsub("^RecordWriter:[^w].*", function(all) -- as it extends it
        return (all:gsub("^Record", ""):gsub("^Writer", "WritableFile"))
      end)
      missing[#missing + 1] = not declared[name] and name or nil
    end
    assert.equal("", table.concat(missing, " "))
  end)
end)

describe("an object with jobs", function()
  for _, row in ipairs(methods) do
    it(("may end meanwhile: %s"):format(row[1]), function()
      local name = row[1]:match ":(.+)$"
      for _ = 1, 10 do
        stage()
        local object, list = row[2](), {}
        for i = 3, #row do
          list[i - 2] = type(row[i]) == "function" and row[i]() or row[i]
        end
        local job = async(object)[name](nil, unpack(list))
        local ends = debug.getmetatable(object).__gc
        ends(object)
        pcall(job.wait, job)
        assert.is_true(job:done())
      end
    end)
  end
end)

describe("a buffer of a job", function()
  it("is locked against other writers", function()
    stage()
    local file, buffer = opened(), modfs.buffer(10)
    local blocker = block()
    local job = async(file):readinto(buffer, 0)
    for _, write in ipairs { function(b) return b:set(1, "x") end, function(b) return b:fill(0) end,
      function(b) return b:pack(1, "B", 1) end, function(b) return file:readinto(b, 0) end,
      function(b) return async(file):readinto(b, 0):wait() end,
      function(b) return b:slice(2):set(1, "x") end } do
      local done, _, code = write(buffer)
      assert.is_nil(done)
      assert.equal("FAILED_PRECONDITION", code)
    end
    blocker:cancel()
    assert.equal(10, job:wait())
    assert.is_true(buffer:set(1, "x"))
    async.threads(8)
  end)
end)

describe("async.lines", function()
  it("gives what lines gives, awaiting in a coroutine", function()
    stage()
    for _, formats in ipairs { {}, { "L" }, { 7 }, { "l", 3 }, { "a" } } do
      local expected, got = {}, {}
      for a, b in modfs.lines(F, unpack(formats)) do
        expected[#expected + 1] = describe_all(a, b)
        if #expected == 3000 or formats[1] == "a" and #expected == 2 then break end
      end
      async.run(function()
        local lines = async.lines(F, unpack(formats))
        for a, b in lines do
          got[#got + 1] = describe_all(a, b)
          if #got == 3000 or formats[1] == "a" and #got == 2 then break end
        end
      end)
      assert.same(expected, got)
    end
  end)

  it("fails as lines does", function()
    assert.has_error(function() async.lines(D .. "/none") end)
  end)
end)
