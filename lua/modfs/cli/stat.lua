-- modfs stat [-c FORMAT | --printf FORMAT | --json] PATH...
local attributes = require "modfs.cli.attributes"
local command = require "modfs.cli.command"
local describe = require("modfs.cli.entry").describe

local order = { "path", "kind", "target", "length", "mtime", "mode", "owner", "group", "device",
  "inode", "links" }

local shown = {
  mtime = function(value) return os.date("!%Y-%m-%d %H:%M:%S UTC", math.floor(value)) end,
  mode = function(value) return ("%04o"):format(value) end,
  length = function(value) return ("%d bytes"):format(value) end,
  path = tostring, kind = tostring, target = tostring,
}

local function show(info, task)
  for _, name in ipairs(order) do
    if info[name] ~= nil then
      local format = shown[name] or function(value) return ("%d"):format(value) end
      task:write(("%-7s "):format(name))
      task:write_name(format(info[name]))
      task:write "\n"
    end
  end
end

local function show_all(all, options, task)
  local format = options.printf or options.format
  for i, info in ipairs(all) do
    if format then
      task:write(attributes.format(format, info, options.printf), options.printf and "" or "\n")
    else
      task:write(i > 1 and "\n" or "")
      show(info, task)
    end
  end
end

return command.define("stat", {
  summary = "Shows the attributes of files and directories; links are not followed.",
  description = [[
Shows the attributes of files and directories; links are not followed.

Formats: %n name, %N quoted name, %s bytes, %F kind, %a mode in octal, %A mode
in letters, %f raw mode in hexadecimal, %h links, %i inode, %d device, %u %U
owner as number and name, %g %G group, %y %Y modification time as date and as
seconds, %% a percent sign; %10s and %-10s fill up with blanks.]],
  configure = function(parser)
    parser:argument("paths", "Files, directories or patterns."):args "+"
    parser:mutex(
      parser:option("-c --format", "Print this for each, on a line of its own."):argname "FORMAT",
      parser:option("--printf", "The same without a newline, with escapes like \\n and \\t.")
        :argname "FORMAT",
      parser:flag("--json", "Print an array of objects."))
  end,
  run = function(options, task)
    local all = {}
    for _, path in ipairs(task:expand(options.paths)) do
      local info = task:check(describe(path))
      if info then
        info.path = path
      end
      all[#all + 1] = info
    end
    if options.json then
      return task:print_json(all)
    end
    show_all(all, options, task)
  end,
})
