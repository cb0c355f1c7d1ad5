-- The object stores that specs run before: object_stores.names, and object_stores.start(name) ->
-- { root = "s3://checked", endpoint =, server =, stop() }, with the plugin configured for it and a
-- bucket made; nil, why, where it is not installed. object_stores.it(name, store, title, body): it,
-- pending where store() gives none.
local azurite = require "spec.support.azurite"
local busted = require "busted"
local gs = require "spec.support.gs"
local modfs = require "modfs"
local moto = require "spec.support.moto"
local radosgw = require "spec.support.radosgw"

local starts = {}

function starts.moto()
  local server, reason = moto.start()
  return server and { server = server, endpoint = server.endpoint, root = "s3://checked" }, reason
end

function starts.radosgw()
  local server, reason = radosgw.start { "checked" }
  if not server then
    return nil, reason
  end
  assert(modfs.config("s3", { endpoint = server.http, access_key_id = server.one.key,
    secret_access_key = server.one.secret }))
  return { server = server, endpoint = server.http, root = "s3://checked" }
end

function starts.azurite()
  local server, reason = azurite.start {}
  return server and { server = server, endpoint = server.url,
    root = "az://" .. server.account .. "/checked" }, reason
end

local function start_google(server, reason)
  if not server then
    return nil, reason
  end
  assert(modfs.config("gs", { endpoint = server.endpoint, protocol = "json", anonymous = 1 }))
  return { server = server, endpoint = server.endpoint, root = "gs://checked" }
end

for _, name in ipairs(gs.emulators) do
  starts[name] = function() return start_google(gs.start(name)) end
end

-- The server of the fixture, which keeps to Google's documentation.
function starts.documented()
  local reason = gs.missing()
  return start_google(not reason and gs.serve(), reason)
end

local object_stores = { names = {} }
for name in pairs(starts) do
  object_stores.names[#object_stores.names + 1] = name
end
table.sort(object_stores.names)

function object_stores.start(name)
  local store, reason = starts[name]()
  if store then
    store.stop = store.server.stop
    modfs.mkdir(store.root)
  end
  return store, reason
end

function object_stores.it(name, store, title, body)
  busted.it(title, function()
    if not store() then
      return busted.pending(name .. " is not there")
    end
    body()
  end)
end

return object_stores
