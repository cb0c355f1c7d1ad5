-- modfs.tfrecord: TensorFlow's record files, plain or compressed, one or a set of shards.
local core = require "modfs.core"
local options = require "modfs.options"
local shards = require "modfs.shards"
local step = require "modfs.step"

local codecs = { GZIP = "gzip", ZLIB = "zlib", SNAPPY = "snappy" }

local checking = { compression = "string" }
local reading = { compression = "string", prefetch = "boolean" }
local writing = { compression = "string", level = "integer", append = "boolean",
  atomic = "boolean", durable = "boolean" }

-- The codec of an option; nil for plain files. Raises for a name that TensorFlow has not.
local function codec_of(given, where)
  local name = given.compression
  if name == nil or name == "" then
    return nil
  end
  return codecs[name:upper()]
    or error(("bad argument #2 to '%s' (unknown compression '%s')"):format(where, name), 4)
end

local function open_reader(path, given, where)
  local codec = codec_of(given, where)
  local file, message, code
  if codec then
    file, message, code = step.call(core.codec.open, path, "r", codec)
  else
    file, message, code = step.call(core.open, path, "r")
  end
  if not file then
    return nil, message, code
  end
  return core.record.reader(file, given.prefetch)
end

local function open_writer(path, given, where)
  local codec = codec_of(given, where)
  local mode = given.append and "a" or "w"
  local more = { atomic = given.atomic, durable = given.durable }
  local file, message, code
  if codec then
    more.level = given.level
    file, message, code = step.call(core.codec.open, path, mode, codec, more)
  elseif given.level then
    return nil, ("INVALID_ARGUMENT: %s %s: option 'level' requires a compression"):format(where,
      path), "INVALID_ARGUMENT"
  else
    file, message, code = step.call(core.open, path, mode, more)
  end
  if not file then
    return nil, message, code
  end
  return core.record.writer(file)
end

-- Usable as `for record, offset in reader do`.
local function reader(path, given)
  options.check_path(path, "reader", 1)
  return open_reader(path, options.check(given, reading, "reader", 2), "reader")
end

local function writer(path, given)
  options.check_path(path, "writer", 1)
  return open_writer(path, options.check(given, writing, "writer", 2), "writer")
end

-- true and the number of records, or the failure, the offset of the first damaged record and which
-- one it is.
local function verify(path, given)
  options.check_path(path, "verify", 1)
  given = options.check(given, checking, "verify", 2)
  local records, message, code = open_reader(path, given, "verify")
  if not records then
    return nil, message, code
  end
  local sound, second, third, offset, index = step.call(records.verify, records)
  records:close()
  if sound then
    return true, second
  end
  return nil, second, third, offset, index
end

-- Copies what is sound; onto itself only where a file can be replaced as a whole.
local function salvage(src, dst, given)
  options.check_path(src, "salvage", 1)
  options.check_path(dst, "salvage", 2)
  given = options.check(given, checking, "salvage", 3)
  local from, message, code = open_reader(src, given, "salvage")
  if not from then
    return nil, message, code
  end
  local to
  to, message, code = open_writer(dst, { compression = given.compression, atomic = true,
    durable = false }, "salvage")
  if code == "UNIMPLEMENTED" and src ~= dst then
    to, message, code = open_writer(dst, given, "salvage")
  end
  if not to then
    from:close()
    return nil, message, code
  end
  local result
  result, message, code = step.call(from.salvage, from, to)
  from:close()
  if not result then
    to:abort()
    return nil, message, code
  end
  local closed, why, kind = step.call(to.close, to)
  if not closed then
    return nil, why, kind
  end
  return result
end

local tfrecord = { reader = reader, writer = writer, verify = verify, salvage = salvage }
return shards(tfrecord, { reading = reading, writing = writing })
