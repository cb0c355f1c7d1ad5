-- modfs completion bash|zsh: a script for the shell, from the parsers of all commands.
local argparse = require "argparse"
local command = require "modfs.cli.command"

-- Commands that parse for themselves have their names alone.
local function whole_parser()
  local parser = argparse("modfs", "Files of every filesystem, and the plugins that bring them.")
  local names = {}
  for name in pairs(require("modfs.cli").modules) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local module = require(require("modfs.cli").modules[name])
    local sub = parser:command(name, module.summary)
    if module.configure then
      module.configure(sub)
    end
  end
  return parser
end

return command.define("completion", {
  summary = 'Prints a script for a shell: eval "$(modfs completion bash)".',
  configure = function(parser)
    parser:argument("shell", "Which shell."):choices { "bash", "zsh" }
  end,
  run = function(options, task)
    local parser = whole_parser()
    task:write(options.shell == "bash" and parser:get_bash_complete() or parser:get_zsh_complete())
  end,
})
