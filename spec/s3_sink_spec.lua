-- The memory of a large upload to S3, to a server that keeps nothing.
-- MODFS_S3_MEGABYTES=10240: of 10 GB.
local child = require "spec.support.child"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local megabytes = tonumber(os.getenv "MODFS_S3_MEGABYTES" or 768)

describe("s3, a large upload", function()
  local reason = s3.missing()
    or not web.can_launch() and "luv for Lua 5.4 is not installed"
  if reason then
    pending(reason)
    return
  end

  it("takes less than 64 MB of memory, however large it is", function()
    local place = tmpdir.new()
    local pid, port = web.launch("spec/fixtures/s3/sink.lua", place, place)
    local status, out, err = child(([[
      local modfs = require "modfs"
      assert(modfs.config("s3", { endpoint = "http://127.0.0.1:%s", access_key_id = "a",
        secret_access_key = "b" }))
      local file, megabyte = assert(modfs.open("s3://bucket/large", "w")), ("x"):rep(2 ^ 20)
      for i = 1, %d do
        assert(file:write(megabyte))
      end
      assert(file:close())
      for line in io.lines "/proc/self/status" do
        io.write(line:match "^VmHWM:%%s*(%%d+)" or "")
      end
    ]]):format(port, megabytes), { seconds = 600 })
    shell.run("kill " .. pid)
    local summary = tmpdir.content(place .. "/summary")
    tmpdir.remove(place)
    assert.equal(0, status, err)
    assert.equal(("%d parts, %.0f bytes"):format(megabytes / 8, megabytes * 2 ^ 20), summary)
    if not os.getenv "LD_PRELOAD" then -- a checker has memory of its own
      assert.is_true(tonumber(out) < 64 * 1024, out .. " KiB")
    end
  end)
end)
