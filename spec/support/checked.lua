-- checked(line, plugin) -> what `modfs check --tap` prints when a line of shell runs it:
-- { status =, out =, err =, passed = how many, failed = names, left_out = the names of those that
-- the storage, as the plugin declares it, cannot be asked for }
local shell = require "spec.support.shell"

return function(line, plugin)
  local found = { passed = 0, failed = {}, left_out = {} }
  found.status, found.out, found.err = shell.run(line, plugin)
  for fine, name, rest in found.out:gmatch "\n(%l*) ?ok %d+ %- (%S+)([^\n]*)" do
    local why = rest:match "# SKIP the plugin (.*)"
    found.passed = found.passed + (fine == "" and rest == "" and 1 or 0)
    found.failed[#found.failed + 1] = fine ~= "" and name or nil
    if why and (why:find "^wants no" or why:find "^shows a file") then
      found.left_out[#found.left_out + 1] = name
    end
  end
  return found
end
