-- SIGINT while a server is waited for: uploads, reads by several requests, trees. The server does
-- not go on at some point, and would be waited for half a minute.
local child = require "spec.support.child"
local s3 = require "spec.support.s3"

local SETTINGS = [[
  local modfs = require "modfs"
  local interrupt = require "modfs.interrupt"
  assert(modfs.config("s3", { endpoint = %q, access_key_id = "AKID", secret_access_key = "secret",
    retries = 0, part_bytes = 5 * 1024 * 1024, idle_timeout_ms = 30000 }))
  local url = %q
  local MIB = 1024 * 1024
  local fine, why = interrupt.run(function()
    os.execute "(sleep 0.5; kill -INT $PPID) &"
    %s
  end)
  local wall = interrupt.delay()
  print(fine, tostring(why):find "interrupted!$" ~= nil, wall and wall < 5)
  print(interrupt.run(modfs.exists, "s3://s3-good/dir"))
]]

s3.describe_chaos("SIGINT ends", { retries = 0 }, function(chaos)
  setup(function()
    chaos.put("s3-good/dir/file", "content")
    for i = 1, 20 do
      chaos.put("get.stall.100/dir/" .. i, ("x"):rep(4096))
    end
    chaos.put("get.stall.100/large", ("x"):rep(20 * 1024 * 1024))
  end)

  for what, line in pairs {
    ["an upload in one piece"] = "modfs.write('s3://put.stall.0/uploaded', 'content')",
    ["an upload in parts"] = "modfs.write('s3://part.stall.0/uploaded', ('x'):rep(20 * MIB))",
    ["a file that is written piece by piece"] = "local file = "
      .. "modfs.open('s3://part.stall.0/uploaded', 'w') for _ = 1, 20 do "
      .. "assert(file:write(('x'):rep(MIB))) end assert(file:close())",
    ["a copied tree"] = "modfs.copytree('s3://get.stall.100/dir', 'mem://dir', { threads = 8 })",
    ["a read by several requests"] = "modfs.read 's3://get.stall.100/large'",
    ["a read from a web server"] = "modfs.read(url .. '/stall/90')",
  } do
    it(what, function()
      local status, out, err = child(SETTINGS:format(chaos.url, chaos.url, line),
        { seconds = 120 })
      assert.equal(0, status, err)
      assert.equal("false\ttrue\ttrue\ntrue\ttrue\n", out)
      -- No part is left at the server, which knows nothing else of that name.
      assert.falsy(chaos.state("part.stall.0"):find("uploaded", 1, true))
    end)
  end

  -- Text is written to a file, which is left open; then the signal comes.
  local BETWEEN = [[
    if jit then jit.off() end -- what is compiled asks for no signal
    local file = modfs.open(%q, "w")
    assert(file:write "half")
    os.execute "(sleep 0.3; kill -INT $PPID) &"
    while true do end]]

  for name, path in pairs { ["s3"] = "s3://s3-good/half", ["mem"] = "mem://half",
    ["s3 that stalls"] = "s3://put.stall.0/half" } do
    it("a file that was left open between two writes: " .. name, function()
      local text = SETTINGS:format(chaos.url, chaos.url, BETWEEN:format(path))
        :gsub("os.execute[^\n]*", "", 1)
      local status, out, err = child('if warn then warn "@on" end ' .. text
        .. "print(modfs.read 'mem://half' or 'nothing')", { seconds = 60 })
      assert.equal(0, status, err)
      assert.equal("false\ttrue\ttrue\ntrue\ttrue\n"
        .. (name == "mem" and "half" or "nothing") .. "\n", out)
      assert.falsy(chaos.state("s3-good"):find("half", 1, true)) -- what the server has
      assert.falsy(chaos.state("put.stall.0"):find("half", 1, true))
      assert.equal(name ~= "mem", err:find("CANCELLED: close " .. path, 1, true) ~= nil, err)
    end)
  end

  it("nothing where it is not sent (the control)", function()
    local text = SETTINGS:format(chaos.url, chaos.url,
      "return modfs.write('s3://s3-good/new', 'content')"):gsub("kill %-INT %$PPID", "true")
    local status, out, err = child(text, { seconds = 60 })
    assert.equal(0, status, err)
    assert.truthy(out:find("^true\tfalse"), out)
  end)
end)
