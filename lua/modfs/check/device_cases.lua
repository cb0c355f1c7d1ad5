-- All cases about devices in their order, in the form of modfs.check.cases. Those of native parts
-- run under the shim.
local parts = {
  { 1, "upstream" },
  { 2, "tables", "devices", "memory", "statistics", "copies", "queues", "streams", "holds", "waits",
    "events", "timers", "callbacks", "handles", "heap" },
  { 3, "sizes" },
  { 4, "threads" },
  { 4, "overlaps", native = true },
  { 6, "random" },
}

local function collect()
  local list = {}
  for _, part in ipairs(parts) do
    for i = 2, #part do
      local file = "device_" .. part[i]
      require("modfs.check.cases." .. file)(function(name, operation, run)
        list[#list + 1] = { name = ("device.%s.%s"):format(part[i], name), level = part[1],
          operation = operation, run = run, part = file, own = name, native = part.native }
      end)
    end
  end
  return list
end

return collect()
