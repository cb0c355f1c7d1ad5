-- What -v of cp, mv and rm says at the end, where it was more than one thing.
local bar = require "modfs.cli.bar"

local totals = {}
totals.__index = totals

function totals.new()
  return setmetatable({ files = 0, dirs = 0, bytes = 0 }, totals)
end

function totals:add(counts)
  for _, name in ipairs { "files", "dirs", "bytes" } do
    self[name] = self[name] + (counts[name] or 0)
  end
end

local function plural(number, one, many)
  return ("%.0f %s"):format(number, number == 1 and one or many)
end

-- done: "copied".
function totals:print(task, done)
  if self.files + self.dirs < 2 or task.prints_json then
    return
  end
  local size = self.bytes > 0 and ", " .. bar.size(self.bytes) or ""
  task:write(("%s, %s%s %s\n"):format(plural(self.files, "file", "files"),
    plural(self.dirs, "directory", "directories"), size, done))
end

return totals
