-- modfs df [-P] [-k | -h] [--json] [PATH...]
local command = require "modfs.cli.command"
local modfs = require "modfs"
local place = require "modfs.place"
local resolve = require "modfs.cli.resolve"
local sizes = require "modfs.cli.sizes"

-- Spaces and backslashes in the kernel's table are octal numbers.
local function unescape(text)
  return (text:gsub("\\(%d%d%d)", function(digits)
    return string.char(tonumber(digits, 8))
  end))
end

local function lies_in(path, folder)
  return folder == "/" or path == folder or path:sub(1, #folder + 1) == folder .. "/"
end

-- The name of a local filesystem and where it is mounted: the last line of the deepest one.
local function find_mount(path)
  local real = resolve(path, "none") or path
  local source, mounted = "-", "/"
  local file = io.open "/proc/self/mounts"
  for line in file and file:lines() or function() end do
    local from, at = line:match "^(%S+) (%S+)"
    at = unescape(at)
    if lies_in(real, at) and #at >= #mounted then
      source, mounted = unescape(from), at
    end
  end
  if file then
    file:close()
  end
  return source, mounted
end

local function describe(path, room)
  local source, mounted = modfs.path.parse(path) .. "://", path
  if place.find(path) then
    source, mounted = find_mount(place.find(path))
  end
  return { path = path, filesystem = source, mounted = mounted, total = room.total,
    free = room.free, available = room.available }
end

-- Rounded up, as all in this column.
local function percentage(used, available)
  local whole = used + available
  return whole > 0 and ("%d%%"):format(math.ceil(used * 100 / whole)) or "-"
end

local titles = {
  blocks = { "Filesystem", "1024-blocks", "Used", "Available", "Capacity", "Mounted on" },
  human = { "Filesystem", "Size", "Used", "Avail", "Use%", "Mounted on" },
}
local narrowest = { 14, 5, 5, 5, 4, 0 }

local function row_of(info, options)
  local function shown(bytes)
    return options.human and sizes.human(bytes) or ("%.0f"):format(math.ceil(bytes / 1024))
  end
  local used = info.total - info.free
  return { info.filesystem, shown(info.total), shown(used), shown(info.available),
    percentage(used, info.available), info.mounted }
end

local function show(rows, task)
  local widths = { (table.unpack or unpack)(narrowest) } -- luacheck: ignore 113
  for _, row in ipairs(rows) do
    for i, text in ipairs(row) do
      widths[i] = math.max(widths[i], #text)
    end
  end
  for _, row in ipairs(rows) do
    for i, text in ipairs(row) do
      local space = (" "):rep(widths[i] - #text)
      if i == 1 or i == #row then
        task:write_name(text)
        task:write(i == #row and "\n" or space)
      else
        task:write(" ", space, text, i + 1 == #row and " " or "")
      end
    end
  end
end

return command.define("df", {
  summary = "Shows how much room the storage has, where that is known.",
  configure = function(parser)
    parser:argument("paths", "Files or directories (default: the current one)."):args "*"
    parser:flag("-P --portability", "One line for each, as always.")
    parser:flag("-k", "Sizes in 1024 bytes, as always."):action(function(options)
      options.human = nil
    end)
    parser:flag("-h -H --human", "Print sizes with units: 4.2K.")
    parser:flag("--json", "Print an array of objects.")
  end,
  run = function(options, task)
    local all, rows = {}, { titles[options.human and "human" or "blocks"] }
    for _, path in ipairs(task:expand(#options.paths > 0 and options.paths or { "." })) do
      local room = task:check(modfs.space(path))
      if room then
        all[#all + 1] = describe(path, room)
        rows[#rows + 1] = row_of(all[#all], options)
      end
    end
    if options.json then
      return task:print_json(all)
    elseif #all > 0 then
      show(rows, task)
    end
  end,
})
