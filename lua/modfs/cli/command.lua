-- A command from its words: what it takes, what --help says, and what it does.
local task = require "modfs.cli.task"
local words = require "modfs.cli.words"

-- The options; or nil and the help that was asked for; or nil, nil and what is wrong.
local function understand(name, definition, arguments)
  if definition.parse then
    local options = definition.parse(arguments)
    if options.help then
      return nil, words.help(name, definition)
    end
    return options
  end
  return words.read(name, definition, arguments)
end

-- definition: summary; configure(parser); run(options, task); where they differ, also description
-- and statuses for --help; spell(arguments), which writes what argparse does not take in words that
-- it does; parse(arguments) -> options, in the place of argparse, which then writes --help alone.
-- Returns the module of a command.
-- context.ends: the process ends with the command, and so does what it holds in memory.
local function define(name, definition)
  local function main(arguments, context)
    return task.run(name, context, function(self)
      local spelt = definition.spell and definition.spell(arguments) or arguments
      local options, help, problem = understand(name, definition, spelt)
      if help then
        return self:write(help, "\n")
      elseif not options then
        self:refuse(problem)
      end
      definition.run(options, self)
    end)
  end
  return { main = main, configure = definition.configure, summary = definition.summary }
end

return { define = define }
