-- What the linker sees: an object calls functions, and reads variables, of its own folder and of
-- those below it (floors.lua). A declaration in a low header whose definition stands in a high
-- folder is an upward arrow that includes do not show.
local floors = require "rules.floors"

-- The folders whose objects are looked at. The runtime and the shim are libraries that stand in for
-- others' functions (TF_*, malloc, open), so everything may call what they define.
local looked_at = { "^src/core/.*%.c$", "^src/lua/.*%.c$", "^src/check/runner/.*%.c$",
  "^src/check/binding/.*%.c$", "^plugins/.*%.c$" }

local function objects_of(project)
  local objects = {}
  for _, pattern in ipairs(looked_at) do
    for path in project:files(pattern) do
      local object = project.build .. "/o/" .. path:gsub("%.c$", ".o")
      if project.has(object) then
        objects[#objects + 1] = { path = path, file = object, folder = path:match("^(.*)/") }
      end
    end
  end
  return objects
end

-- What nm lists of all objects at once: to start it for each took most of the time of the rules.
local function symbols_of(project, objects, flags)
  local files = {}
  for i, object in ipairs(objects) do
    files[i] = object.file
  end
  return project.symbols_of(flags, files)
end

-- folders[name]: where a symbol is defined. The plugins are libraries of their own, so one name may
-- be defined in several of them.
local function definitions(project, objects)
  local folders = {}
  local symbols = symbols_of(project, objects, "--defined-only --extern-only")
  for _, object in ipairs(objects) do
    for _, symbol in ipairs(symbols[object.file]) do
      folders[symbol.name] = folders[symbol.name] or {}
      folders[symbol.name][object.folder] = true
    end
  end
  return folders
end

local function breach_of(object, places)
  local worst
  for folder in pairs(places) do
    if floors.may_use(object.folder, folder) then
      return nil
    end
    worst = folder
  end
  return worst
end

return function(project, report, say)
  local objects = objects_of(project)
  local places, arrows = definitions(project, objects), 0
  local symbols = symbols_of(project, objects, "--undefined-only")
  for _, object in ipairs(objects) do
    for _, symbol in ipairs(symbols[object.file]) do
      local defined_in = places[symbol.name]
      local breach = defined_in and breach_of(object, defined_in)
      arrows = arrows + (defined_in and 1 or 0)
      if breach then
        report(object.path, ("uses %s of %s, which is not below it"):format(symbol.name, breach))
      end
    end
  end
  say(("%d objects, %d references between them"):format(#objects, arrows))
end
