-- later(name): a stand-in for what require(name) returns, which is loaded when it is used first: to
-- parse a module may take longer than all that a command does.
local function load(name)
  local found, module = pcall(require, name)
  if not found then
    error({ failure = require "modfs.cli.missing"(module) }, 0)
  end
  return module
end

return function(name)
  local module
  return setmetatable({}, {
    __index = function(_, key)
      module = module or load(name)
      return module[key]
    end,
    __call = function(_, ...)
      module = module or load(name)
      return module(...)
    end,
  })
end
