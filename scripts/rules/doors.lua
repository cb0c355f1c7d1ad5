-- Each slot of the filesystem's tables and of the extension is called in one place of src/core,
-- where its answer is checked. A comparison or an assignment of a slot is no call. A table has no
-- second name outside of the files that settle it, so that no call hides from the search.
local tables = {
  { "filesystem", "TF_RandomAccessFileOps", "tables%.file" },
  { "filesystem", "TF_WritableFileOps", "tables%.writable" },
  { "filesystem", "TF_ReadOnlyMemoryRegionOps", "tables%.region" },
  { "filesystem", "TF_FilesystemOps", "tables%.fs" },
  { "extension", "modfs_extension_ops", "[>.]extension" },
}

local settles = { loader = true, tables = true, fs_defaults = true, extension_defaults = true }

-- Second calls, by slot and file, with the reason.
local exceptions = {
  ["new_writable_file src/core/fs/extension_defaults.c"] =
    "the default of open_writer, which writable.c calls and checks",
}

-- Slots that the core does not call.
local uncalled = {
  get_filesystem_configuration_keys = "its signature cannot return a list",
}

local function slots_of(project, header, name)
  local slots = {}
  local text = project:read("include/modfs/" .. header .. ".h")
  local body = text:match("typedef struct " .. name .. " (%b{})") or ""
  for slot in body:gmatch "%(%*([%w_]+)%)%(" do
    slots[#slots + 1] = slot
  end
  return slots
end

local function without_comments(text)
  return (text:gsub("/%*.-%*/", function(comment)
    return comment:gsub("[^\n]", " ")
  end))
end

local function line_of(text, at)
  local _, breaks = text:sub(1, at):gsub("\n", "")
  return breaks + 1
end

-- visit(slot, line) for each use of a table that may call a slot; slot "": the table itself.
local function each_use(text, access, visit)
  local from = 1
  while true do
    local start, stop = text:find(access .. "%f[^%w_]", from)
    if not start then
      return
    end
    local slot, after = text:match("^%s*%.%s*([%w_]+)%s*(..)", stop + 1)
    local is_access = text:sub(stop + 1):find "^%s*%->" or text:find("^%(", stop + 1)
    local changes = after and (after:find "^[!=]=" or after:find "^= ")
    if not is_access and not changes then
      visit(slot or "", line_of(text, start))
    end
    from = stop + 1
  end
end

return function(project, report)
  local texts = {}
  for path in project:files("^src/core/.*%.[ch]$") do
    texts[#texts + 1] = { path = path, text = without_comments(project:read(path)) }
  end
  for _, entry in ipairs(tables) do
    local calls = {}
    for _, file in ipairs(texts) do
      each_use(file.text, entry[3], function(slot, line)
        local place = file.path .. ":" .. line
        if slot == "" and not settles[file.path:match "([%w_]+)%.c$"] then
          report(place, entry[2] .. " gets a second name, under which calls hide")
        elseif not exceptions[slot .. " " .. file.path] then
          calls[slot] = calls[slot] or {}
          table.insert(calls[slot], place)
        end
      end)
    end
    for _, slot in ipairs(slots_of(project, entry[1], entry[2])) do
      local places = calls[slot] or {}
      for i = 2, #places do
        report(places[i], ("%s is called at %s already"):format(slot, places[1]))
      end
      if #places == 0 and not uncalled[slot] then
        report("include/modfs/" .. entry[1] .. ".h", slot .. " is called nowhere in src/core")
      end
    end
  end
end
