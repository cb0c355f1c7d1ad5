-- Credentials that others issue: signed URLs show which of them were used.
local child = require "spec.support.child"
local s3 = require "spec.support.s3"
local sanitized = require "spec.support.sanitized"
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

  it("are not there: which profile of which file could have them", function()
    local out = sign(1, "MODFS_S3_CREDENTIALS_FILE=" .. place .. "/keys AWS_PROFILE=prod")
    assert.truthy(out:find("the keys of the profile prod to " .. place .. "/keys (", 1, true), out)
    out = sign(1)
    assert.truthy(out:find("profile default to " .. place .. "/.aws/credentials (", 1, true), out)
  end)

  it("are those of other variables where one is empty", function()
    local out = sign(1, "MODFS_S3_RETRIES= MODFS_S3_REGION= AWS_REGION=eu-west-3 "
      .. "AWS_ACCESS_KEY_ID=AKIDEMPTY AWS_SECRET_ACCESS_KEY=s MODFS_S3_ADDRESSING=")
    assert.truthy(out:find("AKIDEMPTY", 1, true), out)
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

  describe("from a token service,", function()
    local web = require "spec.support.web"
    if web.missing() then
      pending(web.missing())
      return
    end
    local chaos

    setup(function() chaos = web.chaos() end)
    teardown(function() chaos.stop() end)

    local function identity(way, more)
      tmpdir.write(place .. "/token", "web+c4n4ry\n")
      return sign(2, ("AWS_ENDPOINT_URL_STS=%s/%s/ AWS_ROLE_ARN=arn:aws:iam::1:role/a+b " ..
        "AWS_WEB_IDENTITY_TOKEN_FILE=%s/token %s"):format(chaos.url, way, place, more or ""))
    end

    it("are those of a web identity, asked for once", function()
      local before = chaos.seen "sts"
      local out = identity("sts/web", "AWS_ROLE_SESSION_NAME=pod-1")
      assert.equal(2, select(2, out:gsub("Credential=AKWEB%%2F", "")), out)
      assert.equal(2, select(2, out:gsub("Token=role%%2Btoken&", "")), out)
      assert.equal(before + 1, chaos.seen "sts")
    end)

    it("are those of a profile's role, asked for with the keys of another", function()
      write(".aws/config", "[default]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = base\n" ..
        "[profile base]\naws_access_key_id = AKBASE\naws_secret_access_key = c4n4ry\n")
      local out = sign(2, "AWS_ENDPOINT_URL_STS=" .. chaos.url .. "/sts/role/")
      assert.equal(2, select(2, out:gsub("Credential=AKROLE%%2F", "")), out)
      write(".aws/config", "[default]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = gone\n")
      out = sign(1, "AWS_ENDPOINT_URL_STS=" .. chaos.url .. "/sts/role/")
      assert.truthy(out:find("source_profile", 1, true), out)
    end)

    it("leave no token of the web identity in memory", function()
      if sanitized then
        pending "a sanitizer keeps what was freed"
        return
      end
      tmpdir.write(place .. "/token", "web+c4n4ry\n")
      local _, out, err = child(([[
        local modfs = require "modfs"
        local scan = dofile "spec/fixtures/s3/scan.lua"
        assert(modfs.presign("s3://bucket/x", "GET", 60))
        modfs.flush_caches()
        print(table.concat(scan("c4n", "4ry"), " ") .. ".")
        local held = io.open(%q):read "*a"
        print(table.concat(scan("c4n", "4ry"), " ") .. ".")
      ]]):format(place .. "/token"), { before = ("export HOME=%s " ..
        "AWS_ENDPOINT_URL_STS=%s/sts/web/ " ..
        "AWS_ROLE_ARN=arn:aws:iam::1:role/a+b AWS_ROLE_SESSION_NAME=pod-1 " ..
        "AWS_WEB_IDENTITY_TOKEN_FILE=%s/token"):format(place, chaos.url, place) })
      local first, second = out:match "^([^\n]*)\n([^\n]*)"
      assert.equal(".", first, out .. err)
      assert.truthy(second:find "%w", out .. err) -- the control
    end)

    it("are not taken from a service that refuses, breaks off or answers something else", function()
      for _, way in ipairs { "sts/denied", "sts/part", "sts/html", "status/500", "cut/60" } do
        local out = identity(way, "MODFS_S3_RETRIES=0")
        assert.is_nil(out:find("https?://bucket") or out:find("Credential", 1, true), out)
        assert.truthy(out:find("AssumeRoleWithWebIdentity", 1, true) or
          out:find("no whole credentials", 1, true), out)
        assert.is_nil(out:find("c4n4ry", 1, true), out)
      end
      assert.truthy(identity("sts/denied"):find("UNAUTHENTICATED .*AccessDenied"))
      local out = sign(1, "AWS_ROLE_ARN=a AWS_WEB_IDENTITY_TOKEN_FILE=/none")
      assert.truthy(out:find("contains no token", 1, true), out)
    end)
  end)
end)
