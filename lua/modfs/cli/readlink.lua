-- modfs readlink [-n] PATH...
local command = require "modfs.cli.command"
local modfs = require "modfs"

return command.define("readlink", {
  summary = "Prints where symbolic links lead.",
  configure = function(parser)
    parser:argument("paths", "The links."):args "+"
    parser:flag("-n --no-newline", "End the last one without a newline.")
    parser:flag("-z --zero", "End each with a zero byte, not a newline.")
  end,
  run = function(options, task)
    local ending = options.zero and "\0" or "\n"
    for i, path in ipairs(options.paths) do
      local target = task:check(modfs.readlink(path))
      if target then
        task:write_name(target)
        task:write(options.no_newline and i == #options.paths and "" or ending)
      end
    end
  end,
})
