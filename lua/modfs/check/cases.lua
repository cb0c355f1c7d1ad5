-- All cases in their order: { name =, level =, operation =, run =, part =, own = } each: part is
-- the file that holds it, own its name there. Those of native parts call the plugin's slots without
-- a host, under the shim; limits may be others for one case.
local parts = {
  { "upstream", 1, "opening", "directories", "deleting", "renaming", "copying", "asking", "bytes" },
  { "contract", 2, "reading", "writing", "replacing", "trees", "globs", "patterns", "options",
    "extras" },
  { "state", 2, "writing", "changing", native = true },
  { "options", 2, "known", native = true },
  { "transactions", 2, "levels", native = true },
  { "raw", 2, "outputs", "handles", "entries", "links", "xattrs", "blocks", "resources", "refusals",
    "rounds", "faults", "interruption", "writers", "machine",
    "order", "ways", "meanwhile", native = true },
  { "boundaries", 3, "names", "sizes" },
  { "lists", 3, "lengths", native = true },
  { "paths", 3, "lengths", native = true },
  { "raw", 3, "sizes", native = true },
  { "concurrency", 4, "threads", "overlaps", native = true },
  { "durability", 5, "storage", native = true },
  { "random", 6, "operations" },
}

local function collect()
  local list = {}
  for _, part in ipairs(parts) do
    local group, level = part[1], part[2]
    for i = 3, #part do
      local prefix = (group == "contract" or group == "boundaries") and part[i] or group
      local file = group .. "_" .. part[i]
      require("modfs.check.cases." .. file)(function(name, operation, run, more)
        list[#list + 1] = { name = prefix .. "." .. name, level = level, operation = operation,
          run = run, native = part.native, limits = more, part = file, own = name }
      end)
    end
  end
  return list
end

return collect()
