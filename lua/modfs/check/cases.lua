-- All cases in their order: { name =, level =, operation =, run = } each.
local parts = {
  { "upstream", 1, "opening", "directories", "deleting", "renaming", "copying", "asking", "bytes" },
  { "contract", 2, "reading", "writing", "replacing", "trees", "globs", "extras" },
  { "boundaries", 3, "names", "sizes" },
  { "random", 6, "operations" },
}

local function collect()
  local list = {}
  for _, part in ipairs(parts) do
    local group, level = part[1], part[2]
    for i = 3, #part do
      local prefix = (group == "contract" or group == "boundaries") and part[i] or group
      require(("modfs.check.cases.%s_%s"):format(group, part[i]))(function(name, operation, run)
        list[#list + 1] = { name = prefix .. "." .. name, level = level, operation = operation,
          run = run }
      end)
    end
  end
  return list
end

return collect()
