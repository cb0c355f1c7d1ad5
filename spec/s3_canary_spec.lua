-- Secrets that can be told from all else: they turn up in no output, message or log, at no other
-- server, and not in memory once they are not needed.
local child = require "spec.support.child"
local kept_in_memory = require "spec.support.kept_in_memory"
local s3 = require "spec.support.s3"
local sanitized = require "spec.support.sanitized"
local tmpdir = require "spec.support.tmpdir"

local key, secret, token = "AKIDCANARYKEY0017", "canary/sEcReT+0123456789abcdef",
  "cAnArY-ToKeN-9876543210"

s3.describe_chaos("the secrets of s3", {}, function(chaos)
  local place

  setup(function()
    place = tmpdir.new()
    chaos.put("s3-good/file", ("0123456789abcdef"):rep(10000))
    chaos.put("s3-good/dir/a", "a")
    tmpdir.write(place .. "/credentials", ("[default]\naws_access_key_id = %s\n" ..
      "aws_secret_access_key = %s\naws_session_token = %s\n"):format(key, secret, token))
  end)

  teardown(function() tmpdir.remove(place) end)

  local environment = "export TF_CPP_MIN_LOG_LEVEL=0 TF_CPP_MAX_VLOG_LEVEL=9"

  local function run(options, before)
    table.insert(options, 1, chaos.url)
    local status, out, err = child("spec/children/s3_everything.lua", { arguments = options,
      before = environment .. (before or ""), seconds = 300 })
    assert.equal(0, status, err)
    assert.truthy(#out > 3000)
    return out .. err
  end

  local function clean(text)
    for _, needle in ipairs { secret, token, key, "Signature=", "AWS4-HMAC", "Credential=" } do
      local at = text:find(needle, 1, true)
      assert.is_nil(at, at and text:sub(at - 100, at + 100))
    end
  end

  it("are told in no word, from the options", function()
    clean(run { "access_key_id", key, "secret_access_key", secret, "session_token", token })
  end)

  it("are told in no word, from the environment", function()
    clean(run({}, (" AWS_ACCESS_KEY_ID=%s AWS_SECRET_ACCESS_KEY='%s' AWS_SESSION_TOKEN=%s")
      :format(key, secret, token)))
  end)

  it("are told in no word, from the credentials file", function()
    clean(run { "credentials_file", place .. "/credentials" })
  end)

  it("would be found in a word (the control)", function()
    assert.has_error(function() clean("some words, " .. secret) end)
    assert.has_error(function() clean(run { "user_agent", token }) end)
  end)

  it("go to no other server", function()
    assert.equal(0, chaos.seen "visits")
  end)

  it("are gone from memory when they were used", function()
    if sanitized then
      pending "a sanitizer keeps what was freed"
      return
    end
    local found, held = kept_in_memory(([[
      modfs.config("s3", { endpoint = %q, credentials_file = %q, retries = 0 })
      local buckets = { "s3-good", "all.status.500", "all.cut.40", "all.reset.0", "all.echo" }
      for _, bucket in ipairs(buckets) do
        modfs.read("s3://" .. bucket .. "/file")
        modfs.write("s3://" .. bucket .. "/new", "text")
        modfs.listdir("s3://" .. bucket .. "/dir")
      end
      assert(select(3, modfs.read "s3://all.echo/file") == "UNAUTHENTICATED")
      assert(modfs.read "s3://control.good/file")
      modfs.flush_caches()
    ]]):format(chaos.url, place .. "/credentials"), { secret, token }, { place .. "/credentials" })
    assert.same({ "", "" }, found)
    assert.truthy(held[1] ~= "" and held[2] ~= "", "the control")
  end)
end)
