-- Where the dynamic loader of glibc looks for a library, in its order.
local core = require "modfs.core"
local elf = require "modfs.inspect.elf"

local cache_file = "/etc/ld.so.cache"
local cache_magic = "glibc-ld.so.cache1.1"
local header_size, entry_size, most_entries = 48, 24, 100000

local triplets = { ["x86-64"] = "x86_64", AArch64 = "aarch64", x86 = "i386",
  ["RISC-V"] = "riscv64" }

local function dirname(path)
  return path:match("^(.*)/[^/]*$") or "."
end

-- The paths of each name in the loader's cache; the older form has the newer one behind it.
local function read_cache()
  local found, region = {}, core.map(cache_file)
  local start = region and region:find(cache_magic)
  if not start then
    return found
  end
  local function text(offset)
    local stop = region:find("\0", start + offset)
    return stop and region:sub(start + offset, stop - 1)
  end
  local count = region:unpack("=I4", start + #cache_magic)
  for i = 0, math.min(count, most_entries, (#region - start - header_size) / entry_size) - 1 do
    local key, value = region:unpack("=I4I4", start + header_size + i * entry_size + 4)
    local name, path = text(key), text(value)
    if name and path then
      found[name] = found[name] or {}
      table.insert(found[name], path)
    end
  end
  region:close()
  return found
end

local function default_folders(machine)
  local triplet = (triplets[machine] or machine) .. "-linux-gnu"
  return { "/lib/" .. triplet, "/usr/lib/" .. triplet, "/lib64", "/usr/lib64", "/lib", "/usr/lib" }
end

local Search = {}
Search.__index = Search

-- own is the Elf of the host: a library for another machine is passed over, as the loader does.
local function new(own)
  return setmetatable({ own = own, cache = read_cache(), defaults = default_folders(own.machine) },
    Search)
end

-- Whether a file is for the machine of another.
local function same_machine(a, b)
  return a.class == b.class and a.order == b.order and a.machine_number == b.machine_number
end

function Search:fits(path)
  if core.exists(path) ~= true then
    return false
  end
  local file, wrong = elf.peek(path)
  local fits = file and not wrong and same_machine(file, self.own)
  if file then
    file:close()
  end
  return fits or false
end

-- The folders of a list such as RUNPATH; an empty one is where one stands.
local function folders(list, origin)
  local found = {}
  for folder in ((list or "") .. ":"):gmatch("([^:;]*)[:;]") do
    folder = folder:gsub("%$ORIGIN", function() return origin end)
      :gsub("%${ORIGIN}", function() return origin end)
    found[#found + 1] = folder == "" and "." or folder
  end
  return list and list ~= "" and found or {}
end

-- Where a library that `from` needs is looked for first: arrays of folders, each with its name.
local function places_for(from)
  local places = {}
  local by = from
  while by and not from.elf.runpath do
    if by.elf.rpath and not by.elf.runpath then
      places[#places + 1] = { "RPATH", folders(by.elf.rpath, dirname(by.path)) }
    end
    by = by.parent
  end
  local here = dirname(from.path)
  places[#places + 1] = { "LD_LIBRARY_PATH", folders(os.getenv "LD_LIBRARY_PATH", here) }
  places[#places + 1] = { "RUNPATH", folders(from.elf.runpath, here) }
  return places
end

-- find(name, from) -> path, how; or nil and the places where it was looked for.
function Search:find(name, from)
  if name:find("/", 1, true) then
    if self:fits(name) then
      return name, "its own path"
    end
    return nil, { name }
  end
  local looked = {}
  local function try(places)
    for _, place in ipairs(places) do
      for _, folder in ipairs(place[2]) do
        looked[#looked + 1] = folder
        if self:fits(folder .. "/" .. name) then
          return folder .. "/" .. name, place[1]
        end
      end
    end
  end
  local path, how = try(places_for(from))
  if path then
    return path, how
  end
  for _, cached in ipairs(self.cache[name] or {}) do
    if self:fits(cached) then
      return cached, cache_file
    end
  end
  looked[#looked + 1] = cache_file
  path, how = try { { "default directory", self.defaults } }
  return path, path and how or looked
end

return { new = new, same_machine = same_machine, dirname = dirname }
