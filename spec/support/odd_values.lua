-- Values that nobody should pass, and what each kind of parameter has to answer to them.
local odd_values = {}

local numbers = { integer = true, negative = true, large = true, fraction = true, inexact = true }
local strings = { string = true, nul = true }

-- Fresh for each trial: { class, name, value }; of a device, its parts, too.
function odd_values.list(modfs, path, device)
  local function closed(object)
    object:close()
    return object
  end
  local list = {
    { "nil", "nil", nil }, { "boolean", "true", true }, { "boolean", "false", false },
    { "integer", "1", 1 }, { "negative", "-1", -1 }, { "large", "2^53", 2 ^ 53 },
    { "fraction", "1.5", 1.5 }, { "inexact", "nan", 0 / 0 }, { "inexact", "inf", math.huge },
    { "inexact", "-inf", -math.huge }, { "inexact", "2^63", 2 ^ 63 }, { "string", "''", "" },
    { "nul", "NUL first", "\0abc" }, { "nul", "NUL inside", path .. "\0.txt" },
    { "nul", "NUL last", path .. "\0" }, { "table", "{}", {} },
    { "function", "a function", function() end },
    { "thread", "a coroutine", coroutine.create(function() end) },
    { "userdata", "io.stdout", io.stdout },
    { "light", "light userdata", modfs.buffer(1):pointer() },
    { "file", "a File", modfs.open(path) },
    { "closed", "a closed File", closed(modfs.open(path)) },
    { "writable", "a WritableFile", modfs.open(path .. ".odd", "w") },
    { "closed", "a closed WritableFile", closed(modfs.open(path .. ".odd", "w")) },
    { "region", "a Region", modfs.map(path) },
    { "closed", "a closed Region", closed(modfs.map(path)) },
    { "buffer", "a Buffer", modfs.buffer(4) },
    { "closed", "a closed Buffer", closed(modfs.buffer(4)) },
    { "fs", "a Filesystem", modfs.filesystem "mem" },
    { "closed", "a closed Filesystem", closed(modfs.filesystem "mem") },
    { "transaction", "a Transaction", modfs.filesystem("mem"):start_transaction() },
    { "plugin", "a Plugin", modfs.plugins()[1] },
  }
  for _, kind in ipairs(device and { "memory", "stream", "event", "timer" } or {}) do
    local make = device[kind == "memory" and "allocate" or kind]
    list[#list + 1] = { kind, "a " .. kind, make(device, 10) }
    list[#list + 1] = { "closed", "a closed " .. kind, closed(make(device, 10)) }
  end
  if math.maxinteger then
    list[#list + 1] = { "large", "maxinteger", math.maxinteger }
    list[#list + 1] = { "negative", "mininteger", math.mininteger }
  end
  return list
end

local function accepts(...)
  local classes = {}
  for _, class in ipairs { ... } do
    classes[class] = "any"
  end
  return classes
end

local function all(classes, set)
  for class in pairs(set) do
    classes[class] = "any"
  end
  return classes
end

-- kind of parameter -> class of value -> "any" (may return or raise) or "nul" (INVALID_ARGUMENT);
-- what is not listed has to raise.
local kinds = {
  anything = setmetatable({}, { __index = function() return "any" end }),
  path = all({ string = "any", nul = "nul" }, numbers),
  integer = accepts("integer", "negative", "large"),
  string = all(all({}, strings), numbers),
  data = all(all(accepts("region", "buffer"), strings), numbers),
  options = accepts "table",
  table = accepts "table",
  mode = {},
  format = accepts("integer", "negative", "large", "nil"),
  whence = {},
  object = accepts("file", "writable", "region", "buffer", "fs", "transaction", "plugin", "closed",
    "userdata", "table"),
  ["function"] = accepts "function",
  size = all(accepts("integer", "negative", "large", "region", "buffer"), strings),
  file = accepts "file",
  writable = accepts "writable",
  region = accepts "region",
  buffer = accepts "buffer",
  fs = accepts "fs",
  transaction = accepts "transaction",
  watch = {},
  device = {},
  memory = accepts "memory",
  stream = accepts "stream",
  event = accepts "event",
  timer = accepts "timer",
  bytes = all(accepts("region", "buffer"), strings),
  source = all(accepts("region", "buffer", "memory"), strings),
  ["memory or buffer"] = accepts("memory", "buffer"),
  ["stream or event"] = accepts("stream", "event"),
}
kinds.paths = all(accepts "table", {})
kinds["path or paths"] = all({ string = "any", nul = "nul", table = "any" }, numbers)

-- A kind that ends in ? may also be nil.
function odd_values.expected(kind, class)
  local base = kind:match "^(.-)%??$"
  if base ~= kind and class == "nil" then
    return "any"
  end
  return kinds[base][class] or "raise"
end

return odd_values
