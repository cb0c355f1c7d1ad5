-- All cases about devices in their order: { name =, level =, operation =, run = } each.
local parts = {
  { "upstream", 1 },
}

local function collect()
  local list = {}
  for _, part in ipairs(parts) do
    local group, level = part[1], part[2]
    require("modfs.check.cases.device_" .. group)(function(name, operation, run)
      list[#list + 1] = { name = ("device.%s.%s"):format(group, name), level = level,
        operation = operation, run = run }
    end)
  end
  return list
end

return collect()
