-- What the specs of s3 share.
local modfs = require "modfs"
local radosgw = require "spec.support.radosgw"

local s3 = { malformations = require("spec.fixtures.s3.faults").malformations }

-- Why there is no s3 here; nil when there is.
function s3.missing()
  local plugins = modfs.available()
  for _, plugin in ipairs(plugins) do
    if plugin.name == "s3" then
      return nil
    end
  end
  return "built without libcurl4-openssl-dev, libexpat1-dev or libssl-dev"
end

-- As radosgw.start, where s3 is there.
function s3.start(buckets)
  local missing = s3.missing()
  if missing then
    return nil, missing
  end
  return radosgw.start(buckets)
end

return s3
