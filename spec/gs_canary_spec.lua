-- Secrets of gs that can be told from all else: they turn up in no output, message or log, and not
-- in memory once they are not needed.
local child = require "spec.support.child"
local gs = require "spec.support.gs"
local kept_in_memory = require "spec.support.kept_in_memory"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local token, refresh, secret = "0pt10n-c4n4ry-t0k3n-0123456789", "r3fr3sh-c4n4ry-0123456789",
  "cl13nt-s3cr3t-c4n4ry-0123456789"

gs.describe_server("the secrets of gs", {}, function(server)
  local place, pem

  -- A credentials file; the token server answers as `way` says.
  local function account(kind, way)
    local name = ("%s/%s%s.json"):format(place, kind, way:gsub("/", "-"))
    local uri = server.endpoint .. "/token" .. way
    local text = kind == "user" and ('"type":"authorized_user","client_id":"id","client_secret":' ..
      '"%s","refresh_token":"%s"'):format(secret, refresh) or
      ('"type":"service_account","client_email":"robot@x","private_key":"%s"'):format(
      pem:gsub("\n", "\\n"))
    tmpdir.write(name, ("{%s,\"token_uri\":\"%s\"}"):format(text, uri))
    return name
  end

  setup(function()
    place = tmpdir.new()
    shell.output(("openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out %s/key.pem")
      :format(place))
    pem = tmpdir.content(place .. "/key.pem")
    tmpdir.write(place .. "/token", token)
  end)

  teardown(function() tmpdir.remove(place) end)

  local function clean(text)
    local key = pem:match "\n([^\n]+)\n"
    for _, needle in ipairs { token, refresh, secret, "t0k3n-", "m4ch1n3-", "s3ss10n", "Bearer",
      "upload_id", "eyJ", key, key:sub(20, 44) } do
      local at = text:find(needle, 1, true)
      assert.is_nil(at, at and text:sub(math.max(1, at - 100), at + 100))
    end
  end

  local function run(options)
    table.insert(options, 1, server.endpoint)
    local status, out, err = child("spec/children/gs_everything.lua", { arguments = options,
      before = "export HOME=/none TF_CPP_MIN_LOG_LEVEL=0 TF_CPP_MAX_VLOG_LEVEL=9", seconds = 300 })
    assert.equal(0, status, err)
    assert.truthy(#out > 5000)
    return out .. err
  end

  it("are told in no word, whatever they come from", function()
    clean(run { "access_token", token })
    clean(run { "token_file", place .. "/token" })
    for _, way in ipairs { "", "/echoes", "/refuses", "/empty" } do
      clean(run { "credentials_file", account("user", way) })
      clean(run { "credentials_file", account("robot", way) })
    end
    clean(run { "metadata_host", server.endpoint:match "//(.*)" })
  end)

  it("would be found in a word (the control)", function()
    assert.has_error(function() clean("some words, " .. secret) end)
    assert.has_error(function() clean(run { "user_agent", token }) end)
  end)

  it("are gone from memory when they were used", function()
    if sanitized then
      pending "a sanitizer keeps what was freed"
      return
    end
    local key = pem:match "\n([^\n]+)\n"
    local found, held = kept_in_memory(([[
      modfs.config("gs", { endpoint = %q, retries = 0 })
      for _, file in ipairs { %q, %q } do
        modfs.config("gs", { credentials_file = file })
        for _, bucket in ipairs { "wants-token", "all.status.500", "all.cut.40", "wants-new" } do
          modfs.write("gs://" .. bucket .. "/new", "text")
          modfs.read("gs://" .. bucket .. "/new")
          modfs.listdir("gs://" .. bucket .. "/dir")
        end
        modfs.presign("gs://wants-token/new", "GET", 60)
      end
      assert(modfs.read "gs://wants-token/new")
      modfs.flush_caches()
    ]]):format(server.endpoint, account("robot", ""), account("user", "")),
      { refresh, secret, key:sub(20, 60) }, { account("robot", ""), account("user", "") })
    assert.same({ "", "", "" }, found)
    assert.truthy(held[1] ~= "" and held[2] ~= "" and held[3] ~= "", "the control")
  end)

  it("of requests are gone from memory, what servers repeat and sessions of uploads, too",
    function()
      if sanitized then
        pending "a sanitizer keeps what was freed"
        return
      end
      local session = "s3ss10n-c4n4ry"
      tmpdir.write(place .. "/session", session)
      local found, held = kept_in_memory(([[
        modfs.config("gs", { endpoint = %q, token_file = %q, retries = 0, part_bytes = 5242880 })
        local large = ("x"):rep(11 * 1024 * 1024)
        local buckets = { "wants-token", "all.echo", "chunk.echo.x", "finish.status.500" }
        for _, bucket in ipairs(buckets) do
          modfs.write("gs://" .. bucket .. "/new", "text")
          modfs.write("gs://" .. bucket .. "/large", large)
          modfs.read("gs://" .. bucket .. "/new")
          modfs.listdir("gs://" .. bucket .. "/dir")
        end
        assert(modfs.size "gs://wants-token/large" == #large)
        modfs.flush_caches()
      ]]):format(server.endpoint, place .. "/token"), { token, session },
        { place .. "/token", place .. "/session" })
      assert.same({ "", "" }, found)
      assert.truthy(held[1] ~= "" and held[2] ~= "", "the control")
    end)
end)
