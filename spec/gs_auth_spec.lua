-- Access tokens of gs: where they come from, what is sent for them, and where they go.
local child = require "spec.support.child"
local gs = require "spec.support.gs"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local nothing = { anonymous = 0, access_token = "", token_file = "", credentials_file = "",
  metadata_host = "", metadata = 0, retries = 3 }

local function base64(text)
  text = text:gsub("-", "+"):gsub("_", "/")
  return text .. ("="):rep(-#text % 4)
end

gs.describe_server("the tokens of gs", {}, function(server)
  local place

  local function account(name, more)
    local key = tmpdir.content(place .. "/key.pem"):gsub("\n", "\\n")
    local fields = { type = "service_account", client_email = "robot@project.example",
      private_key_id = "k3y1d", private_key = key, token_uri = server.endpoint .. "/token" }
    for field, value in pairs(more or {}) do
      fields[field] = value or nil
    end
    local lines = {}
    for field, value in pairs(fields) do
      lines[#lines + 1] = ('  "%s": "%s"'):format(field, value)
    end
    tmpdir.write(place .. "/" .. name, "{\n" .. table.concat(lines, ",\n") .. "\n}\n")
    return place .. "/" .. name
  end

  local function user(name, more)
    return account(name, { type = "authorized_user", client_id = "id&1", client_secret = "s=cret",
      refresh_token = "r+fresh/1", private_key = false, client_email = false, token_uri = more })
  end

  setup(function()
    place = tmpdir.new()
    shell.output(("openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out %s/key.pem " ..
      "&& openssl pkey -in %s/key.pem -pubout -out %s/public.pem"):format(place, place, place))
  end)

  teardown(function() tmpdir.remove(place) end)

  before_each(function() assert(modfs.config("gs", nothing)) end)

  local function works(bucket)
    local uri = "gs://" .. (bucket or "wants-token") .. "/file"
    assert(modfs.write(uri, "content"))
    assert.equal("content", modfs.read(uri))
  end

  it("come for an assertion that a service account has signed", function()
    assert(modfs.config("gs", { credentials_file = account "service.json" }))
    works()
    local head, claims, signature = server.last "assertion":match "^([^.]+)%.([^.]+)%.([^.]+)$"
    tmpdir.write(place .. "/signed", head .. "." .. claims)
    tmpdir.write(place .. "/signature", base64(signature))
    local function decode(text)
      return shell.output("printf %s", base64(text) .. "" ) and
        shell.output(("printf %%s %s | base64 -d"):format(base64(text)))
    end
    assert.equal('{"alg":"RS256","typ":"JWT","kid":"k3y1d"}', decode(head))
    local text = decode(claims)
    assert.truthy(text:find('"iss":"robot@project.example"', 1, true), text)
    assert.truthy(text:find('"aud":"' .. server.endpoint .. '/token"', 1, true), text)
    assert.truthy(text:find("devstorage.full_control", 1, true), text)
    local issued, expires = text:match '"iat":(%d+),"exp":(%d+)'
    assert.equal(3600, expires - issued)
    assert.is_true(math.abs(issued - os.time()) < 60)
    local verify = ("cd %s && base64 -d signature >bytes && openssl dgst -sha256 -verify " ..
      "public.pem -signature bytes "):format(place)
    assert.equal("Verified OK", shell.output(verify .. "signed"))
    tmpdir.write(place .. "/signed", head .. "." .. claims .. "x")
    assert.is_true(shell.run(verify .. "signed") ~= 0, "the control")
  end)

  it("are used again while they last, and replaced when they end", function()
    assert(modfs.config("gs", { credentials_file = account "once.json" }))
    works()
    local seen = server.seen "tokens"
    for _ = 1, 3 do works() end
    assert.equal(seen, server.seen "tokens")
    assert(modfs.config("gs", { credentials_file = account("short.json",
      { token_uri = server.endpoint .. "/token/short" }) }))
    works()
    works()
    assert.is_true(server.seen "tokens" > seen + 2)
  end)

  it("are replaced once, when the server refuses them", function()
    local fresh = gs.serve()
    assert(modfs.config("gs", { endpoint = fresh.endpoint, credentials_file = account("new.json",
      { token_uri = fresh.endpoint .. "/token" }) }))
    works "wants-new"
    assert.equal(2, fresh.seen "tokens")
    assert(modfs.config("gs", { endpoint = server.endpoint, access_token = "bad", retries = 0 }))
    local _, message, code = modfs.read "gs://wants-new/file"
    assert.equal("UNAUTHENTICATED", code, message)
    assert.truthy(message:find("authError: Invalid Credentials; check the credentials", 1, true))
    fresh.stop()
  end)

  it("come for the refresh token of a user", function()
    assert(modfs.config("gs", { credentials_file = user("user.json",
      server.endpoint .. "/token") }))
    works()
    assert.equal("grant_type=refresh_token&client_id=id%261&client_secret=s%3Dcret&" ..
      "refresh_token=r%2Bfresh%2F1", server.last "form")
  end)

  it("come from the metadata server, which must be Google's", function()
    assert(modfs.config("gs", { metadata_host = server.endpoint:match "//(.*)" }))
    works()
    assert.truthy(server.last "authorization":find "^Bearer m4ch1n3%-%d+$")
    local other = gs.serve()
    other.set "flavorless"
    assert(modfs.config("gs", { endpoint = other.endpoint, metadata_host =
      other.endpoint:match "//(.*)", scope = "another" }))
    local _, message, code = modfs.read "gs://wants-token/file"
    assert.equal("UNAUTHENTICATED", code)
    assert.truthy(message:find("not Google's metadata server", 1, true), message)
    assert(modfs.config("gs", { endpoint = server.endpoint, scope =
      "https://www.googleapis.com/auth/devstorage.full_control" }))
    other.stop()
  end)

  it("may be set, or stand in a file", function()
    assert(modfs.config("gs", { access_token = "0pt10n" }))
    works()
    assert.equal("Bearer 0pt10n", server.last "authorization")
    assert.equal("***", modfs.config "gs".access_token)
    assert(modfs.config("gs", { access_token = "", token_file = place .. "/token" }))
    local _, message, code = modfs.read "gs://wants-token/file"
    assert.equal("UNAUTHENTICATED", code, message)
    for _, text in ipairs { "0ne", "tw0" } do
      tmpdir.write(place .. "/token", text .. "\n")
      works()
      assert.equal("Bearer " .. text, server.last "authorization")
    end
  end)

  it("are asked for again, where the token server is busy", function()
    assert(modfs.config("gs", { credentials_file = account("busy.json",
      { token_uri = server.endpoint .. "/token/busy" }) }))
    works()
    assert.equal(3, server.seen "busy")
  end)

  it("are not sent where none are wanted, nor over http to another machine", function()
    assert(modfs.config("gs", { anonymous = 1, access_token = "0pt10n" }))
    works "free"
    assert.equal("", server.last "authorization")
    -- An address that leads here, but is not known to.
    assert(modfs.config("gs", { anonymous = 0,
      endpoint = server.endpoint:gsub("127%.0%.0%.1", "0.0.0.0") }))
    works "free"
    assert.equal("", server.last "authorization")
    assert(modfs.config("gs", { endpoint = server.endpoint }))
    works "free"
    assert.equal("Bearer 0pt10n", server.last "authorization", "the control")
  end)

  it("tell why there are none", function()
    local function fails(file, text)
      assert(modfs.config("gs", { credentials_file = file }))
      local _, message, code = modfs.read "gs://wants-token/file"
      assert.equal("UNAUTHENTICATED", code, message)
      assert.truthy(message:find(text, 1, true), message)
      return message
    end
    fails(place .. "/none.json", "none.json cannot be read: No such file or directory")
    tmpdir.write(place .. "/text.json", "no JSON")
    fails(place .. "/text.json", "has no type")
    tmpdir.write(place .. "/nul.json", '{"type": "service_account\0"}')
    fails(place .. "/nul.json", "nul.json cannot be read: Invalid")
    tmpdir.write(place .. "/long.json", (" "):rep(40000))
    fails(place .. "/long.json", "long.json cannot be read: File too large")
    fails(account("type.json", { type = "external_account" }), "is of type external_account")
    fails(account("odd.json", { type = "s3cr3t 1n th3 wr0ng pl4c3" }), "is of type ?;")
    fails(account("keyless.json", { private_key = false }), "has no client_email or no private_key")
    fails(account("key.json", { private_key = "k" }), ("no access token from the credentials " ..
      "file %s/key.json: its private_key is not an RSA key"):format(place))
    local _, message, code = modfs.presign("gs://wants-token/file", "GET", 60)
    assert.equal("UNAUTHENTICATED", code)
    assert.truthy(message:find(place .. "/key.json cannot sign: its private_key is not an RSA key",
      1, true), message)
    for _, uri in ipairs { "http://token.example/x", "ftp://x", "https://", "words" } do
      local why = "/far.json: its token_uri is not an https URL"
      fails(account("far.json", { token_uri = uri }), place .. why)
      fails(user("far.json", uri), place .. why)
    end
    fails(account("quoted.json", { client_email = 'a\\\\b' }),
      place .. "/quoted.json: its names contain quotes or control characters")
    fails(account("empty.json", { token_uri = server.endpoint .. "/token/empty" }),
      "has no access_token")
    fails(account("refuses.json", { token_uri = server.endpoint .. "/token/refuses" }),
      "HTTP status 400, invalid_grant: Token has been expired or revoked.")
    fails(account("early.json", { token_uri = server.endpoint .. "/token/early" }),
      "timeframe.; the clock of this machine is 20 minutes ahead of the server's: set it")
    local told = fails(user("echoes.json", server.endpoint .. "/token/echoes"),
      "HTTP status 400, invalid_grant")
    assert.is_nil(told:find("fresh/1", 1, true))
    told = fails(account("echo.json", { token_uri = server.endpoint .. "/token/echoes" }),
      "HTTP status 400, invalid_grant")
    assert.is_nil(told:find("was sent", 1, true), told)
  end)

  it("come over https by the variables of the environment, and not over http", function()
    local secure, reason = gs.secure(server)
    if not secure then
      pending(reason)
      return
    end
    local script = [[
      local modfs = require "modfs"
      modfs.config("gs", { endpoint = %q, ca_file = %q, retries = 0 })
      print(modfs.read "gs://wants-token/file")
    ]]
    account "adc.json"
    shell.output(("mkdir -p %s/home/.config/gcloud %s/sdk"):format(place, place))
    user("home/.config/gcloud/application_default_credentials.json", server.endpoint .. "/token")
    user("sdk/application_default_credentials.json", server.endpoint .. "/token")
    for _, before in ipairs { "GOOGLE_APPLICATION_CREDENTIALS=%s/adc.json HOME=/none",
      "HOME=%s/home", "HOME=/none CLOUDSDK_CONFIG=%s/sdk" } do
      before = "export " .. before:format(place)
      local _, out, err = child(script:format(secure.endpoint, secure.ca), { before = before })
      assert.equal("content\n", out, err)
      _, out = child(script:format(server.endpoint, ""), { before = before })
      assert.truthy(out:find("UNAUTHENTICATED", 1, true), out)
    end
    local _, out = child(script:format(secure.endpoint, secure.ca),
      { before = "export HOME=/none GOOGLE_APPLICATION_CREDENTIALS=" .. place .. "/gone.json" })
    assert.truthy(out:find("gone.json cannot be read", 1, true), out)
    _, out = child(script:format(secure.endpoint, secure.ca), { before = "export HOME=/none" })
    assert.truthy(out:find("gcloud auth application-default login", 1, true), out)
    secure.stop()
  end)

  it("are not needed for an emulator that the environment names", function()
    local _, out, err = child([[
      local modfs = require "modfs"
      print(modfs.write("gs://free/emulated", "text"), modfs.read "gs://free/emulated")
    ]], { before = "export HOME=/none STORAGE_EMULATOR_HOST=" .. server.endpoint:match "//(.*)" })
    assert.equal("true\ttext\n", out, err)
  end)

  it("sign URLs by the key of a service account", function()
    assert(modfs.config("gs", { credentials_file = account "sign.json" }))
    local url = assert(modfs.presign("gs://bucket/a dir/b+c", "GET", 60))
    local query, signature = url:match "%?(.*)&X%-Goog%-Signature=(%x+)$"
    local time = query:match "X%-Goog%-Date=(%w+)"
    assert.truthy(query:find("X-Goog-Credential=robot%40project.example%2F" .. time:sub(1, 8) ..
      "%2Fauto%2Fstorage%2Fgoog4_request", 1, true), query)
    local host = server.endpoint:match "//(.*)"
    tmpdir.write(place .. "/request", ("GET\n/bucket/a%%20dir/b%%2Bc\n%s\nhost:%s\n\nhost\n" ..
      "UNSIGNED-PAYLOAD"):format(query, host))
    local hash = shell.output("sha256sum <" .. place .. "/request"):match "%x+"
    tmpdir.write(place .. "/signed", ("GOOG4-RSA-SHA256\n%s\n%s/auto/storage/goog4_request\n%s")
      :format(time, time:sub(1, 8), hash))
    local bytes = signature:gsub("%x%x", function(hex) return string.char(tonumber(hex, 16)) end)
    tmpdir.write(place .. "/bytes", bytes)
    assert.equal("Verified OK", shell.output(("cd %s && openssl dgst -sha256 -verify public.pem " ..
      "-signature bytes signed"):format(place)))
    for _, wrong in ipairs { { "POST", 60 }, { "GET", 0 }, { "GET", 604801 } } do
      local _, _, code = modfs.presign("gs://bucket/a", wrong[1], wrong[2])
      assert.equal("INVALID_ARGUMENT", code)
    end
    assert(modfs.config("gs", { credentials_file = user "nosign.json" }))
    local _, message, code = modfs.presign("gs://bucket/a", "GET", 60)
    assert.equal("UNAUTHENTICATED", code)
    assert.truthy(message:find("the key of a service account", 1, true), message)
  end)
end)
