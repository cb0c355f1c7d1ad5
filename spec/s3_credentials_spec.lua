-- Credentials that others issue: signed URLs show which of them were used.
local child = require "spec.support.child"
local s3 = require "spec.support.s3"
local tmpdir = require "spec.support.tmpdir"

describe("credentials of s3,", function()
  if s3.missing() then
    pending(s3.missing())
    return
  end

  local place

  before_each(function() place = tmpdir.new() end)
  after_each(function() tmpdir.remove(place) end)

  -- Signs n URLs in a process with this home -> what it prints: a URL, or a code and the message.
  local function sign(n, before)
    local _, out, err = child([[
      local modfs = require "modfs"
      modfs.config("s3", { region = "us-east-1" })
      for _ = 1, ]] .. n .. [[ do
        local url, message, code = modfs.presign("s3://bucket/x", "GET", 60)
        print(url or code .. " " .. message)
      end
    ]], { before = "export HOME=" .. place .. (before and " " .. before or ""),
      under = "env -u AWS_ENDPOINT_URL -u AWS_REGION" })
    return out .. err
  end

  local function write(name, text)
    require("modfs").makedirs(place .. "/.aws")
    tmpdir.write(place .. "/" .. name, text)
  end

  -- A profile whose program prints that, and counts how often it ran.
  local function program(output)
    write("output", output)
    write(".aws/config", ("[profile other]\ncredential_process = false\n[default]\n" ..
      "credential_process = echo ran >>'%s/runs'; cat '%s/output'\n"):format(place, place))
  end

  local function runs()
    return select(2, (tmpdir.content(place .. "/runs") or ""):gsub("ran", ""))
  end

  local good = '{ "Version": 1, "AccessKeyId": "AKPROC", "SecretAccessKey": "c4n4ry",\n' ..
    '"SessionToken": "the-token"%s }\n'

  it("are printed by the program of a profile, once while they hold", function()
    program(good:format(', "Expiration": "2099-01-01T00:00:00Z"'))
    local out = sign(3)
    assert.equal(3, select(2, out:gsub("X%-Amz%-Credential=AKPROC%%2F", "")), out)
    assert.equal(3, select(2, out:gsub("X%-Amz%-Security%-Token=the%-token&", "")), out)
    assert.equal(1, runs())
  end)

  it("are printed without a token, and without an end", function()
    program '{"Version":1,"AccessKeyId":"AKPROC","SecretAccessKey":"c4n4ry"}'
    local out = sign(2)
    assert.equal(2, select(2, out:gsub("Credential=AKPROC%%2F", "")), out)
    assert.is_nil(out:find("Token", 1, true))
    assert.equal(1, runs())
  end)

  it("of the environment and of files come before a program", function()
    program(good:format "")
    local out = sign(1, "AWS_ACCESS_KEY_ID=AKENV AWS_SECRET_ACCESS_KEY=x")
    assert.truthy(out:find("Credential=AKENV%2F", 1, true), out)
    write(".aws/credentials", "[default]\naws_access_key_id=AKFILE\naws_secret_access_key=y\n")
    out = sign(1)
    assert.truthy(out:find("Credential=AKFILE%2F", 1, true), out)
    assert.equal(0, runs())
  end)

  it("in the config file count, and AWS_CONFIG_FILE and AWS_PROFILE say which", function()
    write("elsewhere", "[profile b]\naws_access_key_id=AKCONF\naws_secret_access_key=y\n")
    local out = sign(1, "AWS_PROFILE=b AWS_CONFIG_FILE=" .. place .. "/elsewhere")
    assert.truthy(out:find("Credential=AKCONF%2F", 1, true), out)
  end)

  it("are not taken from a program that fails, or prints something else", function()
    for _, output in ipairs { "", "c4n4ry", good:format "":gsub("1,", "2,"),
      '{"Version":1,"SecretAccessKey":"c4n4ry"}', ("c4n4ry"):rep(10000) } do
      program(output)
      local out = sign(1)
      assert.equal("UNAUTHENTICATED", out:match "^%S+", out)
      assert.truthy(out:find("credential_process", 1, true), out)
      assert.is_nil(out:find("c4n4ry", 1, true), out)
    end
    write(".aws/config", "[default]\ncredential_process = cat " .. place .. "/output; exit 3\n")
    write("output", good:format "")
    local out = sign(1)
    assert.truthy(out:find("it failed", 1, true), out)
    assert.is_nil(out:find("c4n4ry", 1, true), out)
  end)
end)
