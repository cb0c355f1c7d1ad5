-- Secrets of az that can be told from all else: they turn up in no output, message or log, and
-- not in memory once they are not needed.
local azurite = require "spec.support.azurite"
local child = require "spec.support.child"
local kept_in_memory = require "spec.support.kept_in_memory"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local key = "Q0FOQVJZLWtleS0wMTIzNDU2Nzg5LWFiY2RlZi1jYW5hcnk=" -- base64, of no account
local signature, secret = "cAnArYsIgNaTuRe0123456789", "cAnArY~SeCrEt.0123456789"
local token = "the-t0ken"

describe("the secrets of az", function()
  local reason = azurite.missing() or web.missing()
  local server
  if not reason then
    server, reason = azurite.start { "con" }
  end
  if not server then
    pending(reason)
    return
  end
  local place, pid, url

  setup(function()
    local port
    place = tmpdir.new()
    pid, port = web.launch("spec/fixtures/az/faces.lua", place .. "/port", place)
    url = "http://127.0.0.1:" .. port
  end)
  teardown(function()
    web.stop(pid, place)
    server.stop()
  end)

  local function run(options, environment)
    table.insert(options, 1, url)
    table.insert(options, 1, server.url)
    local status, out, err = child("spec/children/az_everything.lua", { arguments = options,
      before = "export TF_CPP_MIN_LOG_LEVEL=0 TF_CPP_MAX_VLOG_LEVEL=9 " .. (environment or ""),
      seconds = 300 })
    assert.equal(0, status, err)
    assert.truthy(#out > 3000)
    return out .. err
  end

  local function clean(text)
    for _, needle in ipairs { key, signature, secret, token, server.key, "SharedKey", "Bearer " } do
      local at = text:find(needle, 1, true)
      assert.is_nil(at, at and text:sub(math.max(1, at - 100), at + 100))
    end
  end

  local sas = "sv=2021-06-08&ss=b&srt=sco&sp=rwdlac&se=2099-01-01T00%3A00%3A00Z&sig=" .. signature
  local quoted = shell.quote

  it("are told in no word, from the options", function()
    clean(run { "account", "devstoreaccount1", "account_key", key })
    clean(run { "account", "devstoreaccount1", "account_key", server.key })
    clean(run { "account", "devstoreaccount1", "sas_token", "?" .. sas })
    clean(run { "connection_string", "AccountName=devstoreaccount1;AccountKey=" .. key })
    clean(run { "authority_host", url, "tenant_id", "good", "client_id", "app", "client_secret",
      secret })
    clean(run { "authority_host", url, "tenant_id", "denied", "client_id", "app", "client_secret",
      secret })
  end)

  it("are told in no word, from the environment", function()
    clean(run({}, "AZURE_STORAGE_ACCOUNT=devstoreaccount1 AZURE_STORAGE_KEY=" .. key))
    clean(run({}, "AZURE_STORAGE_SAS_TOKEN=" .. quoted(sas)))
    clean(run({}, "AZURE_STORAGE_CONNECTION_STRING=" ..
      quoted("AccountName=devstoreaccount1;SharedAccessSignature=" .. sas)))
    clean(run({}, ("AZURE_TENANT_ID=good AZURE_CLIENT_ID=app AZURE_CLIENT_SECRET=%s " ..
      "AZURE_AUTHORITY_HOST=%s"):format(quoted(secret), url)))
  end)

  it("would be found in a word (the control)", function()
    assert.has_error(function() clean("some words, " .. secret) end)
    assert.has_error(function() clean(run { "user_agent", secret }) end)
  end)

  it("are gone from memory when they were used", function()
    if sanitized then
      pending "a sanitizer keeps what was freed"
      return
    end
    tmpdir.write(place .. "/workload", secret)
    local found, held = kept_in_memory(([[
      modfs.config("az", { endpoint = %q, account = "devstoreaccount1", authority_host = %q,
        tenant_id = "good", client_id = "app", federated_token_file = %q, retries = 0 })
      for _ = 1, 3 do
        modfs.read "az://devstoreaccount1/con/file"
        modfs.write("az://devstoreaccount1/con/new", "text")
        modfs.listdir "az://devstoreaccount1/con/dir"
      end
      modfs.flush_caches()
    ]]):format(server.url:gsub("^http", "https"), url, place .. "/workload"), { secret },
      { place .. "/workload" })
    assert.same({ "" }, found)
    assert.truthy(held[1] ~= "", "the control")
  end)

  it("stand in memory where they are kept alone, also those of URLs", function()
    if sanitized then
      pending "a sanitizer keeps what was freed"
      return
    end
    tmpdir.write(place .. "/sas", sas)
    local found, held = kept_in_memory(([[
      modfs.config("az", { endpoint = %q, account = "devstoreaccount1", retries = 0 })
      for _ = 1, 3 do
        modfs.read "az://devstoreaccount1/con/file"
        modfs.write("az://devstoreaccount1/con/new", "text")
        modfs.copy("az://devstoreaccount1/con/file", "az://devstoreaccount1/con/other")
        modfs.listdir "az://devstoreaccount1/con/dir"
      end
      collectgarbage()
    ]]):format(server.url), { signature }, { place .. "/sas" },
      { seconds = 300, before = "export AZURE_STORAGE_SAS_TOKEN=\"$(cat " .. place .. "/sas)\"" })
    -- But in the pages of secrets, and in the environment.
    assert.is_nil(found[1]:find("heap", 1, true), found[1])
    assert.truthy(held[1]:find("heap", 1, true), held[1]) -- the control
  end)
end)
