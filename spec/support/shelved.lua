-- shelved(make) -> shelf, put: a shelf of spec.fixtures.build that is there while the specs of the
-- file run. put(name) lays a copy of the plugin that make() compiles onto it, under that name, and
-- returns the copy's path. Without make the shelf alone is of use.
local build = require "spec.fixtures.build"
local busted = require "busted"

return function(make)
  local shelf, binary

  busted.setup(function()
    shelf, binary = build.shelf(), make and make()
  end)

  busted.teardown(function()
    shelf:remove()
  end)

  local function put(name)
    return shelf:put(binary, name)
  end

  return setmetatable({}, { __index = function(_, key) return shelf[key] end }), put
end
