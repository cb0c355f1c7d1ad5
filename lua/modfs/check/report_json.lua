-- The report as one JSON object.
local json = require "modfs.cli.json"

return function(report)
  return json.encode(report) .. "\n"
end
