-- The address 169.254.169.254 is asked for the token of the machine's identity when a program says
-- so, and never else. All runs in a network of its own that has this address, and an Azurite.
local azurite = require "spec.support.azurite"
local child = require "spec.support.child"
local own_network = require "spec.support.own_network"
local sanitized = require "spec.support.sanitized"
local tmpdir = require "spec.support.tmpdir"

describe("az and the address for tokens:", function()
  local reason = azurite.missing() or own_network.missing()
  if reason then
    pending(reason)
    return
  end

  local place

  before_each(function() place = tmpdir.new() end)
  after_each(function() tmpdir.remove(place) end)

  -- Runs Lua in that network, after the shell text given; -> its output, who came to the address.
  local function run(code, before, ...)
    local status, out, err = child(code, { seconds = 300, before = before, arguments = { ... },
      under = own_network.unshare .. " bash spec/fixtures/az/network.sh " .. place })
    assert.equal(0, status, err)
    local log = tmpdir.content(place .. "/log")
    assert.equal("listens\n", log:sub(1, 8))
    return out, log:sub(9), err
  end

  -- A service over TLS that takes tokens, with a file, and then no other credentials.
  local service = [[
    local modfs = require "modfs"
    local azurite = require "spec.support.azurite"
    local server = assert(azurite.start { "con", secure = true })
    local uri = "az://devstoreaccount1/con/file"
    assert(modfs.write(uri, "content"))
    local key = server.key
    assert(modfs.config("az", { account_key = "" }))
    local function try()
      modfs.flush_caches()
      local got, message, code = modfs.read(uri)
      print(got or code, got and "" or message:match "%: (request of a token.*)" or "")
    end
  ]]
  local target = "GET /metadata/identity/oauth2/token?api-version=2018-02-01&resource=" ..
    "https%3A%2F%2Fstorage.azure.com%2F"

  it("somebody waits there, and wants the header (the control)", function()
    local out, log = run [[os.execute "env -u LD_PRELOAD curl -s http://169.254.169.254/x"]]
    assert.equal("GET /x\n", log)
    assert.truthy(out:find("bad_request_102", 1, true), out)
  end)

  it("nobody goes there by default, or while there are other credentials", function()
    local out, log = run(service .. [[
      try()
      modfs.config("az", { anonymous = 1, metadata = 1 })
      try()
      modfs.config("az", { anonymous = 0, account_key = key })
      try()
      server.stop()]])
    assert.equal("", log)
    assert.truthy(out:find "^UNAUTHENTICATED[^\n]*\n[%u_]+[^\n]*\ncontent\t\n$", out)
  end)

  it("somebody goes there when a program says so, once for all that it does", function()
    local out, log = run(service .. [[
      modfs.config("az", { metadata = 1 })
      for _ = 1, 3 do try() end
      print(modfs.write(uri .. "2", ("x"):rep(20000000)), modfs.size(uri .. "2"))
      print(modfs.append(uri .. "2", "y"), modfs.copy(uri .. "2", uri .. "3"))
      print(#modfs.listdir "az://devstoreaccount1/con", modfs.remove(uri .. "2"))
      server.stop()]])
    assert.equal(("content\t\n"):rep(3) .. "true\t20000000\ntrue\ttrue\n3\ttrue\n", out)
    assert.equal(target .. "\n", log)
  end)

  it("it is asked for the identity of client_id, if that is set", function()
    local out, log = run(service .. [[
      modfs.config("az", { metadata = 1, client_id = "6b1f-9 a&b" })
      try()
      modfs.config("az", { client_id = "" })
      try()
      server.stop()]])
    assert.equal(("content\t\n"):rep(2), out)
    assert.equal(target .. "&client_id=6b1f-9%20a%26b\n" .. target .. "\n", log)
  end)

  it("what it refuses is told, and what passes is repeated", function()
    for way, words in pairs {
      unknown = "^UNAUTHENTICATED\t[^\n]*HTTP status 400, invalid_request\n$",
      empty = "^UNAUTHENTICATED\t[^\n]*contains no token\n$",
      updating = "^UNAVAILABLE\t[^\n]*HTTP status 410", silent = "^DEADLINE_EXCEEDED\t" } do
      local out, log = run(service .. [[
        modfs.config("az", { metadata = 1 })
        try()
        server.stop()]], "export MACHINE_WAY=" .. way)
      assert.truthy(out:find(words), way .. ": " .. out)
      assert.equal(target .. "\n", log)
    end
    local out, log = run(service .. [[
      modfs.config("az", { metadata = 1, retries = 2 })
      try()
      server.stop()]], "export MACHINE_WAY=busy")
    assert.equal("content\t\n", out)
    assert.equal((target .. "\n"):rep(2), log)
  end)

  it("nobody goes there as to an endpoint", function()
    local out, log = run [[
      local modfs = require "modfs"
      modfs.config("az", { account_key = "a2V5", account = "acc" })
      for _, host in ipairs { "169.254.169.254", "[::ffff:169.254.169.254]" } do
        modfs.config("az", { endpoint = "http://" .. host })
        local _, message, code = modfs.read "az://acc/metadata/identity"
        print(code, message:match "link%-local")
      end]]
    assert.equal("", log)
    assert.equal(("FAILED_PRECONDITION\tlink-local\n"):rep(2), out)
  end)

  it("the token is told in no word", function()
    local everything = [[
      local azurite = require "spec.support.azurite"
      local server = assert(azurite.start { "con", secure = true })
      require "modfs".config("az", { account_key = "" })
      assert(loadfile "spec/children/az_everything.lua")(server.url, "http://127.0.0.1:1",
        "account", "devstoreaccount1", "metadata", 1, "ca_file", server.ca)
      server.stop()]]
    local out, log, err = run(everything,
      "export TF_CPP_MIN_LOG_LEVEL=0 TF_CPP_MAX_VLOG_LEVEL=9")
    assert.truthy(#out > 3000)
    assert.truthy(log:find(target, 1, true), log)
    for _, needle in ipairs { "m4ch1n3", "c4n4ry", "eyJ", "Bearer " } do
      local at = (out .. err):find(needle, 1, true)
      assert.is_nil(at, at and (out .. err):sub(math.max(1, at - 100), at + 100))
    end
  end)

  it("the token stands in memory where it is kept alone", function()
    if sanitized then
      pending "a sanitizer keeps what was freed"
      return
    end
    local out = run(service .. [[
      local scan = dofile "spec/fixtures/s3/scan.lua"
      local function look()
        print(#scan(".m4ch1n3-c4", "n4ry-0123456789"))
      end
      look()
      modfs.config("az", { metadata = 1 })
      for _ = 1, 3 do try() end
      print(modfs.write(uri .. "2", "text"), #modfs.listdir "az://devstoreaccount1/con")
      modfs.flush_caches()
      look()
      local held = io.open(...):read "*a"
      look()
      server.stop()]], nil, place .. "/token")
    -- Then a second copy, which is the control.
    assert.equal("0\n" .. ("content\t\n"):rep(3) .. "true\t2\n1\n2\n", out)
  end)
end)
