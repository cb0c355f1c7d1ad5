-- The tree that the rules look at.
local project = {}
project.__index = project

local function quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

-- The lines that a command prints.
function project.run(command)
  local lines = {}
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do
    lines[#lines + 1] = line
  end
  pipe:close()
  return lines
end

local function list_files(root)
  local here = "cd " .. quote(root) .. " && "
  if io.open(root .. "/.git") then
    return project.run(here .. "git ls-files -co --exclude-standard | sort")
  end
  return project.run(here .. "find . -type f -printf '%P\\n' | sort")
end

function project.open(root, build)
  return setmetatable({ root = root, build = build, paths = list_files(root), texts = {} }, project)
end

-- Iterates over the paths that match a Lua pattern.
function project:files(pattern)
  local i = 0
  return function()
    repeat
      i = i + 1
    until not self.paths[i] or self.paths[i]:find(pattern)
    return self.paths[i]
  end
end

function project:read(path)
  if not self.texts[path] then
    local file = io.open(self.root .. "/" .. path, "rb")
    self.texts[path] = file and file:read("a") or ""
    if file then
      file:close()
    end
  end
  return self.texts[path]
end

-- Iterates over number and text of the lines of a file.
function project:lines(path)
  local n = 0
  local next_line = self:read(path):gmatch("([^\n]*)\n?")
  return function()
    n = n + 1
    local line = next_line()
    if line then
      return n, line
    end
  end
end

function project.has(path)
  local file = io.open(path)
  if file then
    file:close()
  end
  return file ~= nil
end

-- The symbols that nm lists, by file, with the version node cut off, if any: name, node.
function project.symbols_of(flags, files)
  local words, lists = { "nm -A", flags }, {}
  for i, file in ipairs(files) do
    words[i + 2], lists[file] = quote(file), {}
  end
  for _, line in ipairs(project.run(table.concat(words, " ") .. " 2>/dev/null")) do
    local file, name = line:match("^(.*):[%x ]* %S (%S+)$")
    table.insert(lists[file], { name = name:match("^[^@]+"), node = name:match("@+(.*)$") })
  end
  return lists
end

function project.symbols(flags, file)
  return project.symbols_of(flags, { file })[file]
end

return project
