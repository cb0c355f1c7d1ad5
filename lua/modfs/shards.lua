-- Sets of record files: name-00000-of-00010 and so on, as TensorFlow's tools name them.
local core = require "modfs.core"
local options = require "modfs.options"
local step = require "modfs.step"

local most = 99999

local function is_count(n, least)
  return type(n) == "number" and n % 1 == 0 and n >= least and n <= most
end

local function name_of(base, index, count)
  return ("%s-%05d-of-%05d"):format(base, index, count)
end

-- The name of one shard, counted from 0 as the names count.
local function shard_name(base, index, count)
  options.check_path(base, "shard_name", 1)
  if not is_count(count, 1) or not is_count(index, 0) or index >= count then
    error("bad arguments #2 and #3 to 'shard_name' (0 <= index < count <= 99999 expected)", 2)
  end
  return name_of(base, index, count)
end

local function fail(code, what)
  return nil, code .. ": " .. what, code
end

-- How many shards each set of that name has, by the files that are there.
local function find_sets(base, found)
  local sets, sizes = {}, {}
  for _, path in ipairs(found) do
    local index, count = path:match "%-(%d%d%d%d%d)%-of%-(%d%d%d%d%d)$"
    if path == ("%s-%s-of-%s"):format(base, index, count) then
      if not sets[count] then
        sets[count] = 0
        sizes[#sizes + 1] = count
      end
      sets[count] = sets[count] + 1
    end
  end
  return sets, sizes
end

-- The paths of the shards of a set, which has to be whole.
local function find_shards(base)
  local found, message, code = step.call(core.glob, core.escape(base) .. "-[0-9]*-of-[0-9]*")
  if not found then
    return nil, message, code
  end
  local sets, sizes = find_sets(base, found)
  if #sizes == 0 then
    return fail("NOT_FOUND", ("shards %s: no shards have that name"):format(base))
  elseif #sizes > 1 then
    return fail("FAILED_PRECONDITION", ("shards %s: there are sets of %s shards"):format(base,
      table.concat(sizes, " and of ")))
  end
  local count = tonumber(sizes[1])
  if sets[sizes[1]] ~= count then
    return fail("NOT_FOUND", ("shards %s: %d of %d shards are missing"):format(base,
      count - sets[sizes[1]], count))
  end
  local paths = {}
  for i = 1, count do
    paths[i] = name_of(base, i - 1, count)
  end
  return paths
end

local function shards(base)
  options.check_path(base, "shards", 1)
  return find_shards(base)
end

-- Reading a set ----------------------------------------------------------------

local set_reader = {}
set_reader.__index = set_reader
set_reader.__name = "modfs.ShardReader"

function set_reader:__tostring()
  return ("modfs.ShardReader (%s)"):format(self.paths and self.base or "closed")
end

local function check_open(self)
  if not self.paths then
    error("attempt to use a closed shard reader", 3)
  end
end

-- The next record, its offset and its path; nil at the end of the last shard; the failure.
function set_reader:read()
  check_open(self)
  while true do
    if not self.current then
      local path = self.paths[self.index + 1]
      if not path then
        return nil
      end
      local reader, message, code = self.open(path, self.options)
      if not reader then
        return nil, message, code
      end
      self.current, self.index = reader, self.index + 1
    end
    local record, offset, code = step.call(self.current.read, self.current)
    if record then
      return record, offset, self.paths[self.index]
    elseif code then
      return nil, offset, code
    end
    self.current:close()
    self.current = nil
  end
end

function set_reader:__call()
  local record, offset, path = self:read()
  if record == nil and offset then
    error(offset, 2)
  end
  return record, offset, path
end

function set_reader:close()
  check_open(self)
  self:__close()
  return true
end

function set_reader:__close()
  if self.current then
    self.current:close()
  end
  self.paths, self.current = nil, nil
end

-- Writing a set ----------------------------------------------------------------

local set_writer = {}
set_writer.__index = set_writer
set_writer.__name = "modfs.ShardWriter"

function set_writer:__tostring()
  return ("modfs.ShardWriter (%s)"):format(self.writers and self.base or "closed")
end

local function check_writers(self)
  if not self.writers then
    error("attempt to use a closed shard writer", 3)
  end
end

-- To the shard of that index (from 0), or to each in turn.
function set_writer:write(record, index)
  check_writers(self)
  if index == nil then
    index = self.turn
    self.turn = (index + 1) % #self.writers
  elseif not self.writers[type(index) == "number" and index + 1] then
    error(("bad argument #2 to 'write' (0 to %d expected)"):format(#self.writers - 1), 2)
  end
  local written, message, code = self.writers[index + 1]:write(record)
  if not written then
    return nil, message, code
  end
  return self
end

-- Does the same with each, and returns the first failure.
local function each(self, method)
  check_writers(self)
  local first
  for _, writer in ipairs(self.writers) do
    local done, message, code = writer[method](writer)
    if not done and not first then
      first = { message, code }
    end
  end
  if first then
    return nil, first[1], first[2]
  end
  return true
end

function set_writer:flush()
  return each(self, "flush")
end

local function finish(self, method)
  local done, message, code = each(self, method)
  self.writers = nil
  if not done then
    return nil, message, code
  end
  return true
end

function set_writer:close()
  return finish(self, "close")
end

function set_writer:abort()
  return finish(self, "abort")
end

function set_writer:__close(problem)
  if self.writers then
    local done, message = finish(self, problem ~= nil and "abort" or "close")
    if not done and problem == nil then
      error(message, 0)
    end
  end
end

-- Adds what knows of sets to a module that has reader and writer. kinds: their options.
return function(tfrecord, kinds)
  local function shard_reader(base, given)
    options.check_path(base, "shard_reader", 1)
    options.check(given, kinds.reading, "shard_reader", 2)
    local paths, message, code = find_shards(base)
    if not paths then
      return nil, message, code
    end
    return setmetatable({ base = base, paths = paths, index = 0, open = tfrecord.reader,
      options = given }, set_reader)
  end

  local function shard_writer(base, count, given)
    options.check_path(base, "shard_writer", 1)
    if not is_count(count, 1) then
      error("bad argument #2 to 'shard_writer' (1 <= count <= 99999 expected)", 2)
    end
    options.check(given, kinds.writing, "shard_writer", 3)
    local self = setmetatable({ base = base, writers = {}, turn = 0 }, set_writer)
    for i = 1, count do
      local writer, message, code = tfrecord.writer(name_of(base, i - 1, count), given)
      if not writer then
        each(self, "abort")
        return nil, message, code
      end
      self.writers[i] = writer
    end
    return self
  end

  tfrecord.shard_name, tfrecord.shards = shard_name, shards
  tfrecord.shard_reader, tfrecord.shard_writer = shard_reader, shard_writer
  return tfrecord
end
