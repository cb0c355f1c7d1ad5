-- All cases about devices in their order: { name =, level =, operation =, run = } each.
local parts = {
  { 1, "upstream" },
  { 2, "tables", "devices", "memory", "statistics", "copies", "queues", "streams", "holds", "waits",
    "events", "timers", "callbacks", "handles", "heap" },
  { 3, "sizes" },
  { 4, "threads" },
  { 6, "random" },
}

local function collect()
  local list = {}
  for _, part in ipairs(parts) do
    for i = 2, #part do
      require("modfs.check.cases.device_" .. part[i])(function(name, operation, run)
        list[#list + 1] = { name = ("device.%s.%s"):format(part[i], name), level = part[1],
          operation = operation, run = run }
      end)
    end
  end
  return list
end

return collect()
