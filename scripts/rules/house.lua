-- docs/house.md is true: the files, folders and functions that it names are there, and it names
-- each folder of src and plugins/common, and each file of src/core/base.
local house = "docs/house.md"

-- What is neither in the tree nor a word of the sources: headers of others.
local foreign = { ["lua.h"] = true }

local sources = { "^src/.*%.[ch]$", "^plugins/.*%.[ch]$", "^include/", "^lua/", "^scripts/",
  "^spec/" }

-- The paths of the tree, of its folders, and the names of its files.
local function names_in(project)
  local found = {}
  for path in project:files "." do
    found[path], found[path:match "[^/]+$"] = true, true
    for folder in path:gmatch "()/" do
      found[path:sub(1, folder - 1)] = true
    end
  end
  return found
end

local function is_in_sources(project, word)
  for _, pattern in ipairs(sources) do
    for path in project:files(pattern) do
      if project:read(path):find("%f[%w_]" .. word .. "%f[^%w_]") then
        return true
      end
    end
  end
  return false
end

-- Whether a word in backquotes is a path, and not a URI, a pattern or something that is built.
local function is_path(word)
  return word:find "^[%w_./-]+$" and (word:find "/" and not word:find "^modfs/"
    or word:find "%.[ch]$" or word:find "%.lua$")
end

local function check_words(project, report)
  local there = names_in(project)
  for n, line in project:lines(house) do
    for word in line:gmatch "`([^`]+)`" do
      if is_path(word) and not word:find "NAME" then
        if not there[word:gsub("/$", "")] and not foreign[word] then
          report(house .. ":" .. n, "there is no " .. word)
        end
      elseif word:find "^%l[%l%d]*_[%l%d_]+$" and not is_in_sources(project, word) then
        report(house .. ":" .. n, word .. " is nowhere in the sources")
      end
    end
  end
end

local function check_folders(project, report)
  local text, seen = project:read(house), {}
  for path in project:files "^[sp][rl].*%.c$" do
    local folder = path:match "^(src/.*)/[^/]+$"
    local shared = path:match "^plugins/common/([^/]+)/"
    if folder and not seen[folder] and not text:find(folder .. "%f[^%w_/]") then
      report(house, folder .. " is not in it")
    elseif shared and not seen[shared] and not text:find("`" .. shared .. "`", 1, true) then
      report(house, "plugins/common/" .. shared .. " is not in it")
    end
    seen[folder or shared or ""] = true
  end
end

-- The line of the lowest floor lists its files; those with a longer name belong to the shorter one.
local function check_base(project, report)
  local list = project:read(house):match "src/core/base%s+([%l%d_ ]+):" or ""
  for path in project:files "^src/core/base/[^/]*%.c$" do
    local name = path:match "([%w_]+)%.c$"
    if not (" " .. list .. " "):find(" " .. name:match "^[^_]+" .. "[%l_]* ") then
      report(house, path .. " is not in its list")
    end
  end
  for name in list:gmatch "%S+" do
    if project:read("src/core/base/" .. name .. ".c") == "" then
      report(house, "src/core/base has no " .. name)
    end
  end
end

return function(project, report)
  if project:read(house) ~= "" then
    check_words(project, report)
    check_folders(project, report)
    check_base(project, report)
  end
end
