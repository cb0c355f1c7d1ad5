-- The libraries that come with a file: what it needs, what those need, and what all of them define.
local elf = require "modfs.inspect.elf"
local search = require "modfs.inspect.search"
local symbols = require "modfs.inspect.symbols"

local most_libraries = 1000

local Libraries = {}
Libraries.__index = Libraries

local function new(own)
  local fields = { search = search.new(own), list = {}, by_name = {}, missing = {} }
  return setmetatable(fields, Libraries)
end

-- The names that a file defines, and those that it takes from others.
local function read_symbols(library)
  symbols.read_versions(library.elf)
  symbols.each(library.elf, function(symbol)
    if not symbol.defined then
      table.insert(library.undefined, symbol)
    elseif not symbol.hidden then
      library.defined[symbol.name] = symbol
    end
  end)
  library.elf.id = library.elf:build_id()
end

function Libraries:read(path, name, how, parent)
  local file, wrong, code = elf.open(path)
  if not file then
    return nil, wrong, code
  end
  local library = { name = name, path = path, how = how, parent = parent, elf = file, wrong = wrong,
    defined = {}, undefined = {}, needs = {} }
  if not wrong then
    library.wrong = select(2, elf.guarded(read_symbols, library))
  end
  file:close()
  self.list[#self.list + 1] = library
  self.by_name[name] = self.by_name[name] or library
  if file.soname then
    self.by_name[file.soname] = self.by_name[file.soname] or library
  end
  return library
end

-- The library of a name, which may be there already; nil where there is none.
function Libraries:need(name, from)
  local known = self.by_name[name]
  if known then
    return known
  end
  local path, how = self.search:find(name, from)
  if path and #self.list < most_libraries then
    return self:read(path, name, how, from)
  end
  table.insert(self.missing, { name = name, by = from.path, looked = not path and how or {} })
end

-- add(path, name) -> the library with all that it needs, or nil, what is wrong, a code.
-- library.scope is it and all of these, in the loader's order.
function Libraries:add(path, name, parent)
  local first, wrong, code = self:read(path, name, "itself", parent)
  if not first then
    return nil, wrong, code
  end
  local scope, seen, at = { first }, { [first] = true }, 1
  while scope[at] do
    local library = scope[at]
    for _, needed in ipairs(library.elf.needed or {}) do
      local found = self:need(needed, library)
      library.needs[needed] = found
      if found and not seen[found] then
        seen[found] = true
        scope[#scope + 1] = found
      end
    end
    at = at + 1
  end
  first.scope = scope
  return first
end

-- The versions that a library asks of others and that they do not have.
function Libraries:missing_versions(library)
  local missing = {}
  for _, needed in ipairs(library.elf.needed_versions or {}) do
    local provider = self.by_name[needed.file]
    local versions = provider and provider.elf.versions or {}
    if next(versions) and not versions[needed.version] and not needed.weak then
      missing[#missing + 1] = { version = needed.version, file = needed.file, by = library.path }
    end
  end
  return missing
end

-- The library of some scopes that defines a name.
local function provider(scopes, name)
  for _, scope in ipairs(scopes) do
    for _, library in ipairs(scope) do
      if library.defined[name] then
        return library
      end
    end
  end
end

return { new = new, provider = provider }
