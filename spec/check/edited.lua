-- Builds of the good plugins with a few lines of their sources edited.
local build = require "spec.fixtures.build"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local edited = {}

local folders = { memory = { "plugins/memory", "plugins/common/glob", "plugins/common/located" },
  posix = { "plugins/posix", "plugins/common/located", "plugins/common/interrupt" } }

folders.file = folders.posix

-- The scheme that each of them registers, and its file; file: posix by its other scheme.
edited.schemes = { memory = "mem", posix = "", file = "file" }
edited.files = { memory = "mem.so", posix = "posix.so", file = "posix.so" }

local function replaced(text, old, new, path)
  local first, last = text:find(old, 1, true)
  assert(first, ("%s has no %q"):format(path, old))
  assert(not text:find(old, last + 1, true), ("%s has %q twice"):format(path, old))
  return text:sub(1, first - 1) .. new .. text:sub(last + 1)
end

-- The edited sources of a row of spec/check/edits.lua: path -> text.
local function sources_of(row)
  local texts = {}
  for _, edit in ipairs(row.edits) do
    local path = edit[1]:find("/", 1, true) and edit[1] or folders[row.base][1] .. "/" .. edit[1]
    texts[path] = replaced(texts[path] or tmpdir.content(path), edit[2], edit[3], path)
  end
  return texts
end

-- Adds the files of the folder that include an edited header, also by other headers: they are
-- compiled, too.
local function add_includers(texts, folder)
  local files, added = {}, {}
  for path in shell.output("ls " .. folder .. "/*.[ch]"):gmatch "[^\n]+" do
    files[#files + 1] = path
  end
  for path in pairs(texts) do
    added[#added + 1] = path:match "([^/]+%.h)$"
  end
  for _, header in ipairs(added) do -- which grows
    for _, path in ipairs(files) do
      local text = texts[path] or tmpdir.content(path)
      if text:find(('#include "%s"'):format(header), 1, true) then
        added[#added + 1] = not texts[path] and path:match "([^/]+%.h)$" or nil
        texts[path] = text
      end
    end
  end
end

-- Compiles the edited files alone, into a shelf, and links them to the objects of the others.
-- Edited headers lie beside the files that include them.
function edited.put(row, shelf)
  local texts = sources_of(row)
  local place = ("%s/%s.edited"):format(shelf.folder, row.name)
  local copies, objects, places = {}, {}, {}
  add_includers(texts, folders[row.base][1])
  shell.output("mkdir -p", place)
  for path, text in pairs(texts) do
    tmpdir.write(place .. "/" .. path:match "[^/]+$", text)
  end
  for _, folder in ipairs(folders[row.base]) do
    places[#places + 1] = "-iquote " .. folder
    for source, object in pairs(build.objects(folder)) do
      if texts[source] then
        copies[#copies + 1] = place .. "/" .. source:match "[^/]+$"
      else
        objects[#objects + 1] = object
      end
    end
  end
  table.sort(objects)
  local binary = build.compile(row.name .. ".edited.so", table.concat(copies, " "), {
    flags = "-w " .. table.concat(places, " "), libraries = table.concat(objects, " ") })
  local path = shelf:put(binary, row.name)
  assert(os.remove(binary))
  return path
end

return edited
