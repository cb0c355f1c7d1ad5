-- Many jobs, each cancelled at a random moment: nothing is left behind. MODFS_CANCELS says how many
-- there are on each filesystem, MODFS_CANCELS_SEED where the dice begin.
local cancels = require "spec.support.cancels"
local child = require "spec.support.child"
local s3 = require "spec.support.s3"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local count = tonumber(os.getenv "MODFS_CANCELS") or 150
local seed = tonumber(os.getenv "MODFS_CANCELS_SEED") or 1
local missing = cancels.missing() or s3.missing() or web.missing()

describe("cancelled jobs", function()
  if missing then
    return pending(missing)
  end
  local chaos, place, environment

  setup(function()
    chaos, place = web.chaos(), tmpdir.new()
    environment = ("MODFS_S3_ENDPOINT=%s AWS_ACCESS_KEY_ID=AKID AWS_SECRET_ACCESS_KEY=secret "
      .. "MODFS_S3_PART_BYTES=5242880"):format(chaos.url)
  end)

  teardown(function()
    chaos.stop()
    tmpdir.remove(place)
  end)

  local function leaves_nothing(root)
    local status, out, err = cancels.many(count, seed, root, environment)
    assert.equal(0, status, out .. err)
    assert.is_true(tonumber(out:match "(%d+) cancelled") > count / 50, out)
  end

  it("leave nothing on posix", function() leaves_nothing(place .. "/many") end)
  it("leave nothing in mem", function() leaves_nothing "mem://many" end)
  it("leave nothing of http", function() leaves_nothing(chaos.url .. "/same/one") end)

  -- An upload without parts may be one whose beginning was cancelled, so that nobody knew of it.
  it("leave nothing on s3", function()
    leaves_nothing "s3://s3-good/many"
    local state = chaos.state("s3-good")
    for parts in state:gmatch "upload %S+ (%d+)" do
      assert.equal("0", parts, state)
    end
  end)

  -- Without their end, some of these processes crash in a library that cleans up after itself.
  it("end before the process does, when it exits with jobs under way", function()
    chaos.put("s3-good/exit", ("a few words "):rep(100))
    for i = 1, 20 do
      local status, _, err = child([[
        local modfs = require "modfs"
        local async = require "modfs.async"
        async.threads(32)
        async.exists("mem://before s3 is loaded"):wait()
        for _ = 1, 400 do
          async.read "s3://s3-good/exit"
        end
        modfs.poll(tonumber(...) / 200)
        os.exit(0, false)
      ]], { before = "export " .. environment, arguments = { tostring(i) } })
      assert.equal(0, status, err)
    end
  end)

  for _, what in ipairs { "descriptor", "thread", "memory", "file" } do
    it("that leave a " .. what .. " are found (the control)", function()
      local status, _, err = cancels.many(150, seed, place .. "/control", "CANCELS_LEAK=" .. what)
      assert.equal(1, status)
      assert.truthy(err:find(what == "memory" and "bytes" or what == "file" and "left in the folder"
        or what .. "s:"), err)
    end)
  end
end)
