-- The world of one trial of io: the library, the files that it has opened, what it returned, and
-- the choices, which a seed settles. Two handles of one file do not see what the other has
-- gathered, so a file that is open for writing is open once.
local calls = require "spec.support.io_calls"
local values = require "spec.support.io_values"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local jit = rawget(_G, "jit")
local version = tonumber(_VERSION:match "%d+%.%d+")
local NIL = values.NIL

local world = { names = { "a", "b", "c", "d", "e" } }
local world_class = { __index = world }

local function new_random(seed)
  local state = seed % 2147483646 + 1
  return function(n)
    state = state * 16807 % 2147483647
    return math.floor(state / 7) % n + 1
  end
end

-- Whether io of this Lua takes a format at all.
local function takes(format)
  local file = assert(io.open "/dev/null")
  local fine = pcall(file.read, file, format)
  file:close()
  return fine
end

function world.new(lib, seed, place)
  local self = setmetatable({ lib = lib, folder = place.folder, elsewhere = place.elsewhere,
    notes = {}, slots = {}, steps = {}, users = {}, random = new_random(seed), takes = {} },
    world_class)
  self.pattern = self.folder:gsub("%p", "%%%0")
  for _, format in ipairs(values.formats) do
    self.takes[format] = takes(format)
  end
  for _, name in ipairs(world.names) do
    self.users[name] = { r = 0, w = 0 }
  end
  return self
end

-- Choices ----------------------------------------------------------------------

function world:pick(list)
  local value = list[self.random(#list)]
  if value == NIL then
    return nil
  end
  return value
end

-- Each a list with its length, for nil may stand in it.
function world:some(most, fine, wrong)
  local list = { n = self.random(most + 1) - 1 }
  for i = 1, list.n do
    if self.random(9) == 1 then
      list[i] = self:pick(wrong)
    else
      list[i] = self:pick(fine)
    end
  end
  return list
end

function world:content()
  local pieces = {}
  for i = 1, self.random(25) - 1 do
    local modern = not (version < 5.3 and self.elsewhere) and self.random(3) == 1
    pieces[i] = self:pick(modern and values.modern_tokens or values.tokens)
  end
  return table.concat(pieces)
end

-- Notes ------------------------------------------------------------------------

-- A handle by its place, a function, or the value in words.
function world:show(value)
  if self.lib.type(value) then
    for i, slot in pairs(self.slots) do
      if slot.file == value then
        return ("<%s %s>"):format(self.lib.type(value), i)
      end
    end
    return ("<%s>"):format(self.lib.type(value))
  elseif type(value) == "string" then
    value = value:gsub(self.pattern, "FOLDER"):gsub("to 'm?o?d?f?s?%.?io%.%w+'", "to '?'")
    return ("%q"):format(value)
  elseif type(value) == "number" then
    return (math.type and math.type(value) or "number") .. " " .. ("%.17g"):format(value)
  elseif type(value) == "table" or type(value) == "function" then
    return type(value)
  end
  return tostring(value)
end

function world:show_all(from, ...)
  local shown = {}
  for i = from, select("#", ...) do
    shown[#shown + 1] = self:show((select(i, ...)))
  end
  return table.concat(shown, ", ")
end

function world:note(what, ...)
  self.notes[#self.notes + 1] = what .. " -> " .. self:show_all(1, ...)
  return ...
end

-- The arguments as they are seen in the report.
function world:describe(name, list)
  return ("%s(%s)"):format(name, self:show_all(1, unpack(list, 1, list.n)))
end

-- Calls ------------------------------------------------------------------------

-- Before 5.2 io's write returns true, a handle's write the handle.
function world:alike(name, done, result, ...)
  if self.elsewhere and done and name:find "write" and result then
    result = true
  end
  return done, result, ...
end

function world:attempt(name, list, fn, ...)
  return self:note(self:describe(name, list), self:alike(name, pcall(fn, ...)))
end

-- A call of a function of the library, in one of the forms that a program may use.
function world:call(name, list)
  local form = self.random(9)
  if form == 1 then
    return self:attempt("pcall " .. name, list, self.lib[name], unpack(list, 1, list.n))
  elseif form == 2 then
    return self:attempt("return " .. name, list, calls.tail, self.lib, name,
      unpack(list, 1, list.n))
  elseif form == 8 then
    return self:attempt("alone " .. name, list, calls.alone, self.lib[name],
      unpack(list, 1, list.n))
  elseif form == 3 and calls.locals[name] then
    return self:attempt("local " .. name, list, calls.locals[name], self.lib,
      unpack(list, 1, list.n))
  end
  local form_of_name = calls.fields[name]
  if form < 7 and form_of_name then
    return self:attempt("io." .. name, list, form_of_name, self.lib, unpack(list, 1, list.n))
  end
  return self:attempt(name, list, calls.field, self.lib, name, unpack(list, 1, list.n))
end

-- The same of a method.
function world:call_method(file, name, list)
  local form = self.random(9)
  if form == 1 then
    return self:attempt("pcall f." .. name, list, file[name], file, unpack(list, 1, list.n))
  elseif form == 2 then
    return self:attempt("return f:" .. name, list, calls.tails[name], file,
      unpack(list, 1, list.n))
  elseif form == 8 then
    return self:attempt("alone f." .. name, list, calls.alone, file[name], file,
      unpack(list, 1, list.n))
  elseif form == 3 then
    return self:attempt("f[name] " .. name, list, calls.method, file, name,
      unpack(list, 1, list.n))
  end
  return self:attempt("f:" .. name, list, calls.methods[name], file, unpack(list, 1, list.n))
end

-- Files -------------------------------------------------------------------------

function world:slot_of(file)
  for _, slot in pairs(self.slots) do
    if slot.file == file then
      return slot
    end
  end
end

function world:note_closed(file)
  local slot = self:slot_of(file)
  if slot and not slot.closed and self.lib.type(file) == "closed file" then
    slot.closed = true
    local users = self.users[slot.name]
    users[slot.kind] = users[slot.kind] - 1
  end
end

function world:free_for(name, kind)
  local users = self.users[name]
  return users.w == 0 and (kind == "r" or users.r == 0)
end

function world:keep(where, file, name, kind)
  self.users[name][kind] = self.users[name][kind] + 1
  self.slots[where] = { file = file, name = name, kind = kind }
end

function world:random_path()
  if self.random(12) > 1 then
    return self.folder .. "/" .. self:pick(world.names)
  end
  local folder = self.folder
  return self:pick({ folder .. "/none", folder .. "/none/x", folder .. "/solid/x", 12, NIL, {},
    true, print })
end

function world:name_of(path)
  return type(path) == "string" and path:sub(1, #self.folder + 1) == self.folder .. "/"
    and self.users[path:sub(#self.folder + 2)] and path:sub(#self.folder + 2) or nil
end

function world:random_mode()
  local chance = self.random(12)
  if chance == 1 then
    return self:pick(values.wrong_modes)
  elseif chance == 2 and not self.elsewhere then
    return self:pick(values.updates)
  elseif chance == 3 then
    return nil
  end
  return self:pick(values.modes)
end

-- "r" or "w": what a file opened in the mode may disturb.
function world.kind_of(mode)
  return (mode == nil or type(mode) == "string" and mode:find "^r[^+]*$") and "r" or "w"
end

-- Whether no deviation is written for a call of open.
function world:may_open(path, mode)
  if path == 12 and type(mode) == "string" and mode:find "[wa]" then
    return false -- would be in the working directory
  end
  local name = self:name_of(path)
  return not name or self:free_for(name, world.kind_of(mode))
end

function world:any_slot()
  if #self.slots == 0 then
    return nil
  end
  return self.slots[self.random(#self.slots)]
end

function world:random_formats(most, of_lines)
  if of_lines and version == 5.1 and not jit and self.elsewhere then
    most = 0 -- io ignores them
  end
  local list = self:some(most, values.formats, values.wrong_formats)
  for i = 1, list.n do
    local format = list[i]
    if self.elsewhere and type(format) == "string" and format:find "^%*?[nlLa]$"
      and not self.takes[format] then
      list[i] = "*l"
    end
  end
  return list
end

-- The C library drops what was written when a file that is open for writing is read in bulk.
function world.without_bulk(slot, list)
  for i = 1, slot and slot.kind == "w" and list.n or 0 do
    local format = list[i]
    local bulk = type(format) == "number" and format ~= 0
      or type(format) == "string" and format:find "^%*?a"
    list[i] = not bulk and format or "*l"
  end
  return list
end

-- In 5.1 an iterator of lines raises for a write that failed before.
function world:random_values(file)
  local slot = self:slot_of(file)
  local none = self.elsewhere and not jit and version == 5.1 and slot and slot.kind == "r"
  return self:some(none and 0 or 4, values.written, values.unwritten)
end

return world
