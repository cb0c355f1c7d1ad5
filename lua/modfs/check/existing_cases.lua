-- The cases that write nothing, for what a plugin has already, in the form of modfs.check.cases;
-- then those of that list that need no file at all.
local parts = {
  { 1, "reading", "asking", "listing", "patterns", "regions" },
  { 2, "slots", "blocks", "changing", native = true },
  { 4, "threads", native = true },
}

-- Cases of that list that neither make files nor look at any.
local without_files = {}
for name in ([[upstream.001.TestTranslateName extras.lists_options_that_can_be_found
  extras.keeps_options_set_as_they_are extras.knows_no_foreign_option extras.sets_no_foreign_option
  raw.translate_name.is_never_null raw.configuration.is_counted
  raw.configuration.fails_without_an_option raw.options.lose_nothing
  raw.names.come_from_the_allocator raw.registration.comes_from_the_allocator]]):gmatch "%S+" do
  without_files[name] = true
end

local function collect()
  local list = {}
  for _, part in ipairs(parts) do
    for i = 2, #part do
      local file = "existing_" .. part[i]
      require("modfs.check.cases." .. file)(function(name, operation, run, more)
        list[#list + 1] = { name = "existing." .. name, level = part[1], operation = operation,
          run = run, native = part.native, limits = more, existing = true, part = file, own = name }
      end)
    end
  end
  for _, case in ipairs(require "modfs.check.cases") do
    if without_files[case.name] then
      list[#list + 1] = case
    end
  end
  return list
end

return collect()
