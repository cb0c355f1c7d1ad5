-- modfs completion bash|zsh|fish: a script for the shell, from the parsers of all commands.
local command = require "modfs.cli.command"

local shells = { "bash", "zsh", "fish" }

-- argparse completes commands for bash, but no choices of an argument.
local function add_shells(parser)
  for _, shell in ipairs(shells) do
    parser:command(shell)
  end
end

local function whole_parser()
  local argparse = require("modfs.cli.argparse").find()
  local parser = argparse("modfs", "Works with files of every filesystem, and with plugins.")
  local modules, names = require("modfs.cli").modules, {}
  for name in pairs(modules) do
    names[#names + 1] = name
  end
  table.sort(names)
  for _, name in ipairs(names) do
    local module = require(modules[name])
    local configure = name == "completion" and add_shells or module.configure
    configure(parser:command(name, module.summary):add_help "--help")
  end
  parser:flag("--version", "Print the version.")
  return parser:add_help_command()
end

-- What argparse offers for a command begins with what it offers for none.
local function bash_script(parser)
  return (parser:get_bash_complete():gsub('opts="%$opts ', 'opts="'))
end

local scripts = {
  bash = bash_script,
  zsh = function(parser) return parser:get_zsh_complete() end,
  fish = function(parser) return parser:get_fish_complete() end,
}

return command.define("completion", {
  summary = 'Prints a script for a shell: eval "$(modfs completion bash)".',
  configure = function(parser)
    parser:argument("shell", "The shell."):choices(shells)
  end,
  run = function(options, task)
    task:write(scripts[options.shell](whole_parser()))
  end,
})
