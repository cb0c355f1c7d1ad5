-- modfs stat [--json] PATH...
local command = require "modfs.cli.command"
local modfs = require "modfs"

local order = { "path", "kind", "length", "mtime", "mode", "owner", "group", "device", "inode",
  "links" }

local shown = {
  mtime = function(value) return os.date("!%Y-%m-%d %H:%M:%S UTC", math.floor(value)) end,
  mode = function(value) return ("%04o"):format(value) end,
  length = function(value) return ("%d bytes"):format(value) end,
  path = tostring, kind = tostring,
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

return command.define("stat", {
  summary = "Shows the attributes of files and directories; links are not followed.",
  configure = function(parser)
    parser:argument("paths", "Files, directories or patterns."):args "+"
    parser:flag("--json", "Print an array of objects.")
  end,
  run = function(options, task)
    local all = {}
    for _, path in ipairs(task:expand(options.paths)) do
      local info = task:check(modfs.lstat(path))
      if info then
        info.path = path
        all[#all + 1] = info
      end
    end
    if options.json then
      return task:print_json(all)
    end
    for i, info in ipairs(all) do
      task:write(i > 1 and "\n" or "")
      show(info, task)
    end
  end,
})
