-- What the specs of s3 share.
local busted = require "busted"
local modfs = require "modfs"
local radosgw = require "spec.support.radosgw"
local web = require "spec.support.web"

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

local function configure(endpoint, key, secret, options)
  local all = { endpoint = endpoint, access_key_id = key, secret_access_key = secret }
  for name, value in pairs(options) do
    all[name] = value
  end
  assert(modfs.config("s3", all))
end

-- Describes what needs a real Ceph with these buckets: body(ceph). The options of s3 are those, the
-- endpoint and the first user's credentials.
function s3.describe(title, buckets, options, body)
  busted.describe(title, function()
    local ceph, reason = s3.start(buckets)
    if not ceph then
      return busted.pending(reason)
    end
    busted.setup(function() configure(ceph.http, ceph.one.key, ceph.one.secret, options) end)
    body(ceph)
    busted.teardown(ceph.stop)
  end)
end

-- The same before the server that answers badly, which is started with the first test: body(chaos).
function s3.describe_chaos(title, options, body)
  busted.describe(title, function()
    local missing = s3.missing() or web.missing()
    if missing then
      return busted.pending(missing)
    end
    local chaos = {}
    busted.setup(function()
      for name, value in pairs(web.chaos()) do
        chaos[name] = value
      end
      configure(chaos.url, "AKID", "secret", options)
    end)
    body(chaos)
    busted.teardown(function() chaos.stop() end)
  end)
end

return s3
