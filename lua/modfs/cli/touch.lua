-- modfs touch [-c] [-r FILE | -d TIME] PATH...
local command = require "modfs.cli.command"
local modfs = require "modfs"
local moment = require "modfs.cli.moment"

local BILLION = 1000000000

local function create(path)
  if path:find "/%.?$" then
    return nil, ("NOT_FOUND: touch %s: no such directory"):format(path)
  end
  local file, message = modfs.open(path, "a")
  if not file then
    return nil, message
  end
  return file:close()
end

-- The time to set; nil where new files have it anyway and only they are touched.
local function wanted(options, task)
  if options.reference then
    local info = task:check(modfs.stat(options.reference))
    return info and info.mtime_nsec
  end
  return options.date or moment.now()
end

-- false: it is missing, and not to be created.
local function touch(path, time, options)
  local there, message = modfs.exists(path)
  if there == nil then
    return nil, message
  elseif not there then
    if options.no_create then
      return false
    end
    local created, why = create(path)
    if not created or not (options.reference or options.date) then
      return created, why
    end
  end
  return modfs.utime(path, time)
end

return command.define("touch", {
  summary = "Creates missing files, and sets the modification time of those that are there.",
  configure = function(parser)
    parser:argument("paths", "The files."):args "+"
    parser:flag("-c --no-create", "Create nothing.")
    parser:flag("--json", "Print an object a line for what was touched.")
    parser:mutex(
      parser:option("-r --reference", "The time of this file, instead of now."):argname "FILE",
      parser:option("-d --date", "This time: 2026-11-23, 2026-11-23 09:30:00 or @SECONDS.")
        :argname("TIME"):convert(function(text)
          local seconds, why = moment.read(text)
          return seconds and seconds * BILLION, why
        end))
  end,
  run = function(options, task)
    local time = wanted(options, task)
    for _, path in ipairs(time and options.paths or {}) do
      if task:is_well_ended(path) then
        local touched = task:check(touch(path, time, options))
        if touched and options.json then
          task:print_json { path = path }
        end
      end
    end
  end,
})
