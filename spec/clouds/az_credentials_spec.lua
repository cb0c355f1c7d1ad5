-- With what az proves that a request may be made: connection strings, shared access signatures,
-- tokens of a server that the spec starts; and what it sends to whom.
local azurite = require "spec.support.azurite"
local child = require "spec.support.child"
local fails = require "spec.support.fails"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

-- Starts spec/fixtures/az/faces.lua -> { url =, seen() -> its requests, stop() }.
local function faces()
  local place = tmpdir.new()
  local pid, port = web.launch("spec/fixtures/az/faces.lua", place .. "/port", place)
  local server = { url = "http://127.0.0.1:" .. port }
  function server.seen()
    return shell.output("env -u LD_PRELOAD curl -sf", server.url .. "/log/seen")
  end
  function server.stop() web.stop(pid, place) end
  return server
end

-- What a program in Python prints.
local function python(program)
  local place = tmpdir.new()
  tmpdir.write(place .. "/program", program)
  local out = shell.output("python3", place .. "/program")
  tmpdir.remove(place)
  return out
end

-- Runs code in a process with that environment -> what it prints.
local function run(code, environment)
  local _, out, err = child([[local modfs = require "modfs"
    local function show(...) print(select(1, ...) and "good" or select(2, ...)) end ]] .. code,
    { before = "export AZURE_STORAGE_KEY= " .. (environment or ""), seconds = 120 })
  return (out .. err):gsub("\n$", "")
end

describe("credentials of az,", function()
  local reason = azurite.missing() or web.missing()
  local server
  if not reason then
    server, reason = azurite.start { "con" }
  end
  if not server then
    pending(reason)
    return
  end
  local read = ([[show(modfs.read "az://%s/con/file")]]):format(server.account)
  local quoted = shell.quote

  setup(function() assert(modfs.write("az://" .. server.account .. "/con/file", "content")) end)
  teardown(function() server.stop() end)

  local function connection(more)
    return ("DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;BlobEndpoint=%s;%s"):format(
      server.account, server.key, server.url, more or "")
  end

  it("of a connection string, as an option and in the environment", function()
    assert.equal("good", run(([[modfs.config("az", { connection_string = %q }) ]])
      :format(connection()) .. read))
    assert.equal("good", run(read, "AZURE_STORAGE_CONNECTION_STRING=" .. quoted(connection())))
    assert.equal("good", run(read, "MODFS_AZ_CONNECTION_STRING=" .. quoted(connection " ;")))
    assert.equal("good", run(([[show(modfs.read "abfs://con/file")]]),
      "AZURE_STORAGE_CONNECTION_STRING=" .. quoted(connection())))
  end)

  it("of a malformed connection string are refused without a word of it", function()
    for text, words in pairs { ["c4n4ry"] = "no '='", ["AccountKey=c4n4ry"] = "neither AccountName",
      ["AccountName=acc;BlobEndpoint=c4n4ry"] = "not a URL",
      ["AccountName=C4N4RY;AccountKey=c4n4ry"] = "name of an account",
      ["BlobEndpoint=http://127.0.0.1:1;AccountKey=c4n4ry"] = "no AccountName",
      ["AccountName=" .. ("c4n4ry"):rep(50)] = "too long" } do
      local out = run(read, "AZURE_STORAGE_CONNECTION_STRING=" .. quoted(text))
      assert.truthy(out:find("UNAUTHENTICATED", 1, true), out)
      assert.truthy(out:find(words, 1, true), out)
      assert.is_nil(out:lower():find("c4n4ry", 1, true), out)
    end
  end)

  it("of the emulator mean its published account", function()
    local out = run([[show(modfs.read "az://devstoreaccount1/con/file")]],
      "AZURE_STORAGE_CONNECTION_STRING='UseDevelopmentStorage=true' MODFS_AZ_RETRIES=0 " ..
      "MODFS_AZ_CONNECT_TIMEOUT_MS=300")
    -- Nobody, or an Azurite, is at port 10000.
    assert.is_nil(out:find("UNAUTHENTICATED", 1, true), out)
    local proxied = ("UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://127.0.0.1")
    out = run([[show(modfs.read "az://devstoreaccount1/con/file")]],
      "AZURE_STORAGE_CONNECTION_STRING=" .. quoted(proxied) .. " MODFS_AZ_RETRIES=0 " ..
      "MODFS_AZ_CONNECT_TIMEOUT_MS=300")
    assert.is_nil(out:find("UNAUTHENTICATED", 1, true), out)
  end)

  local function endpoint(more)
    return ("AZURE_STORAGE_ACCOUNT=%s AZURE_STORAGE_BLOB_ENDPOINT=%s %s"):format(server.account,
      server.url, more)
  end

  it("of a key in the environment, and the options come first", function()
    assert.equal("good", run(read, endpoint("AZURE_STORAGE_KEY=" .. server.key)))
    local config = ([[modfs.config("az", { account_key = %q }) ]]):format(server.key)
    assert.equal("good", run(config .. read,
      endpoint "AZURE_STORAGE_KEY=d3Jvbmc= AZURE_STORAGE_CONNECTION_STRING=nonsense"))
    local out = run(read, endpoint "AZURE_STORAGE_KEY=d3Jvbmc=")
    assert.truthy(out:find("UNAUTHENTICATED.*HTTP status 403, AuthenticationFailed") or
      out:find("PERMISSION_DENIED.*HTTP status 403, AuthorizationFailure"), out)
    out = run(read, endpoint "AZURE_STORAGE_KEY=notbase64")
    assert.truthy(out:find("is not base64", 1, true), out)
    out = run(read, endpoint "")
    assert.truthy(out:find("UNAUTHENTICATED.*no credentials: set option account_key"), out)
  end)

  it("for one account are not used for another", function()
    local out = run([[show(modfs.read "az://other/con/file")]],
      endpoint("AZURE_STORAGE_KEY=" .. server.key))
    assert.truthy(out:find("UNAUTHENTICATED.*are for the account " .. server.account), out)
  end)

  -- A URL that the plugin signs, in its two parts.
  local function sign(name, method)
    local url = assert(modfs.presign(("az://%s/con/%s"):format(server.account, name), method, 300))
    return url, url:match "%?(.*)$"
  end

  it("of a shared access signature, which signs for one blob", function()
    local url, sas = sign("file", "GET")
    assert.equal("content", modfs.read(url))
    assert.equal("content", shell.output("env -u LD_PRELOAD curl -sf", url))
    for _, form in ipairs { sas, "?" .. sas } do
      assert.equal("good", run(read, endpoint("AZURE_STORAGE_SAS_TOKEN=" .. quoted(form))))
      assert.equal("good", run(read, "AZURE_STORAGE_CONNECTION_STRING=" ..
        quoted(("BlobEndpoint=%s;SharedAccessSignature=%s"):format(server.url, form))))
    end
    local out = run([[show(modfs.read("az://devstoreaccount1/con/other"))
      show(modfs.write("az://devstoreaccount1/con/file", "x"))]],
      endpoint("AZURE_STORAGE_SAS_TOKEN=" .. quoted(sas)))
    assert.truthy(out:find "HTTP status 403", out)
    assert.is_nil(out:find("sig=", 1, true), out)
    assert.is_nil(out:find(sas:match "sig=([^&]*)", 1, true), out)
  end)

  it("of a signature for writing", function()
    local url = sign("put", "PUT")
    local place = tmpdir.new()
    tmpdir.write(place .. "/x", "by curl")
    shell.output("env -u LD_PRELOAD curl -sf -H 'x-ms-blob-type: BlockBlob' -T", place .. "/x", url)
    tmpdir.remove(place)
    assert.equal("by curl", modfs.read("az://" .. server.account .. "/con/put"))
    fails("INVALID_ARGUMENT", modfs.presign("az://devstoreaccount1/con/x", "DELETE", 60))
    fails("INVALID_ARGUMENT", modfs.presign("az://devstoreaccount1/con/x", "GET", 604801))
    fails("FAILED_PRECONDITION", modfs.presign("az://devstoreaccount1/con/", "GET", 60))
  end)

  it("of an account's signature, copying and appending with it, too", function()
    local sas = python(([[
import base64, hashlib, hmac, urllib.parse
key = base64.b64decode("%s")
fields = ["%s", "rwdlac", "b", "sco", "", "2099-01-01T00:00:00Z", "", "", "2021-06-08", "", ""]
text = "\n".join(fields)
sig = base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest())
print("sv=2021-06-08&ss=b&srt=sco&sp=rwdlac&se=2099-01-01T00%%3A00%%3A00Z&sig=" +
  urllib.parse.quote(sig, safe=""))]]):format(server.key, server.account))
    local out = run([[
      local uri = "az://devstoreaccount1/con/"
      show(modfs.write(uri .. "sas", ("x"):rep(5000000)))
      show(modfs.copy(uri .. "sas", uri .. "sas2"))
      show(modfs.append(uri .. "sas2", "end"))
      show(modfs.listdir(uri))
      show(modfs.listdir "az://devstoreaccount1")
      show(modfs.remove(uri .. "sas"))
      show(modfs.presign(uri .. "sas2", "GET", 60))
    ]], endpoint("AZURE_STORAGE_SAS_TOKEN=" .. quoted(sas)))
    local good = select(2, out:gsub("good", ""))
    assert.equal(6, good, out)
    assert.truthy(out:find("FAILED_PRECONDITION.*key of the account only"), out)
  end)

  it("are none for a public container", function()
    fails("INVALID_ARGUMENT", modfs.config("az", { anonymous = 2 }))
    local out = run(read, endpoint "MODFS_AZ_ANONYMOUS=1 AZURE_STORAGE_KEY=" .. server.key)
    assert.truthy(out:find("HTTP status 40"), out) -- the container is not public
  end)

  describe("tokens:", function()
    local service, secure

    setup(function()
      service = faces()
      secure = assert(azurite.start { "tokens", secure = true })
      assert(modfs.write(("az://%s/tokens/file"):format(secure.account), "content"))
    end)
    teardown(function()
      service.stop()
      secure.stop()
    end)

    local function identity(tenant, more)
      return ("AZURE_TENANT_ID=%s AZURE_CLIENT_ID=the-app AZURE_CLIENT_SECRET='s3cr t&+' " ..
        "AZURE_AUTHORITY_HOST=%s AZURE_STORAGE_BLOB_ENDPOINT=%s AZURE_STORAGE_ACCOUNT=%s " ..
        "MODFS_AZ_CA_FILE=%s %s"):format(tenant, service.url, secure.url, secure.account, secure.ca,
        more or "")
    end
    local reads = [[for _ = 1, 3 do
      show(modfs.read "az://devstoreaccount1/tokens/file")
      modfs.flush_caches()
    end ]]

    it("are requested by a form, used until they expire, and sent over TLS", function()
      local out = run(reads, identity "good")
      -- Azurite wants a token in Microsoft's form; that it complains about ours shows that it came.
      assert.truthy(out:find("HTTP status 40[13]"), out)
      assert.is_nil(out:find("t0ken", 1, true), out)
      local seen = service.seen()
      assert.truthy(seen:find("POST /good/oauth2/v2.0/token ", 1, true), seen)
      assert.truthy(seen:find("grant_type=client_credentials&client_id=the-app&" ..
        "scope=https%3A%2F%2Fstorage.azure.com%2F.default&client_secret=s3cr%20t%26%2B", 1, true),
        seen)
    end)

    it("that Azurite takes read and write; one that it refuses is replaced once", function()
      local made = python [[
import base64, json, time
def part(x): return base64.urlsafe_b64encode(json.dumps(x).encode()).rstrip(b"=").decode()
for end in (-30, 3600):
  now = int(time.time())
  print(part({"alg": "RS256", "typ": "JWT"}) + "." + part({"aud": "https://storage.azure.com",
    "iss": "https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/", "iat": now - 600,
    "nbf": now - 600, "exp": now + end, "appid": "x", "tid": "t", "ver": "1.0"}) + ".sig")]]
      for token in made:gmatch "%S+" do
        shell.output("env -u LD_PRELOAD curl -sf -X POST -d " .. token, service.url .. "/log/token")
      end
      local out = run(reads .. [[
        local uri = "az://devstoreaccount1/tokens/"
        show(modfs.write(uri .. "new", ("x"):rep(5000000)))
        show(modfs.append(uri .. "new", "y"))
        show(modfs.copy(uri .. "new", uri .. "copy"))]], identity "real")
      assert.equal("good\ngood\ngood\ngood\ngood\ngood", out)
      assert.equal(2, select(2, service.seen():gsub("POST /real/oauth2/v2.0/token ", "")))
    end)

    it("of a workload are requested with the token in its file", function()
      local place = tmpdir.new()
      tmpdir.write(place .. "/token", "workload.t0ken\n")
      local out = run(reads, identity("good", "AZURE_CLIENT_SECRET= AZURE_FEDERATED_TOKEN_FILE=" ..
        place .. "/token"))
      assert.truthy(out:find("HTTP status 40[13]"), out)
      assert.truthy(service.seen():find("client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3A" ..
        "client-assertion-type%3Ajwt-bearer&client_assertion=workload.t0ken", 1, true))
      out = run(reads, identity("good", "AZURE_CLIENT_SECRET= AZURE_FEDERATED_TOKEN_FILE=" ..
        place .. "/missing"))
      assert.truthy(out:find("contains no token", 1, true), out)
      tmpdir.remove(place)
    end)

    it("that are not issued are told by the code of the authority alone", function()
      for tenant, words in pairs { denied = "UNAUTHENTICATED.*HTTP status 401, invalid_client",
        empty = "UNAUTHENTICATED.*contains no token", huge = "request of a token",
        odd = "UNAUTHENTICATED.*contains no token" } do
        local out = run(reads, identity(tenant, "MODFS_AZ_RETRIES=0"))
        assert.truthy(out:find(words), out)
        assert.is_nil(out:find("c4n4ry", 1, true), out)
        assert.is_nil(out:find("s3cr", 1, true), out)
      end
      assert.truthy(run(reads, identity "busy"):find "HTTP status 40[13]")
    end)

    it("go to no server without TLS, and secrets to no authority without it", function()
      local before = select(2, service.seen():gsub("Bearer", ""))
      local out = run(reads, identity("good", "AZURE_STORAGE_BLOB_ENDPOINT=" .. service.url))
      assert.truthy(out:find("over TLS only", 1, true), out)
      assert.equal(before, select(2, service.seen():gsub("Bearer", "")))
      for _, host in ipairs { "http://example.org", "https://user:pw@example.org" } do
        fails("INVALID_ARGUMENT", modfs.config("az", { authority_host = host }))
      end
      assert(modfs.config("az", { authority_host = "login.example.org" }))
      assert(modfs.config("az", { authority_host = "https://login.microsoftonline.com" }))
    end)
  end)

  it("are kept by config as stars, and bad values are refused when they are set", function()
    assert(modfs.config("az", { client_secret = "x", sas_token = "sig=c4n4ry" }))
    local kept = modfs.config "az"
    assert.equal("***", kept.account_key)
    assert.equal("***", kept.sas_token)
    assert.equal("", kept.connection_string)
    assert(modfs.config("az", { client_secret = "", sas_token = "" }))
    for name, value in pairs { endpoint = "http://user:c4n4ry@host", account = "UPPER",
      endpoint_suffix = "a/b", access_tier = "Warm", part_bytes = 0 } do
      local message = fails("INVALID_ARGUMENT", modfs.config("az", { [name] = value }))
      assert.is_nil(message:find("c4n4ry", 1, true), message)
    end
    for _, value in ipairs { "http://host/?sv=x&sig=c4n4ry", "ftp://host", "host" } do
      fails("INVALID_ARGUMENT", modfs.config("az", { endpoint = value }))
    end
  end)
end)
