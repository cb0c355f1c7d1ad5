-- Requests with and without bodies, as plugins/common/net sends them, to a server that looks at
-- them.
local build = require "spec.fixtures.build"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local missing
if shell.run "pkg-config --exists 'libcurl >= 7.85'" ~= 0 then
  missing = "libcurl4-openssl-dev is not installed"
elseif not web.can_launch() then
  missing = "luv for Lua 5.4 is not installed"
end

describe("net", function()
  if missing then
    pending(missing)
    return
  end

  local program, place, url, pid, content

  setup(function()
    program = build.compile("net_send", "spec/fixtures/net/send.c plugins/common/net",
      { program = true, libraries = "-lcurl -pthread" })
    place = tmpdir.new()
    local port
    pid, port = web.launch("spec/fixtures/net/taker.lua", place, place)
    url = "http://127.0.0.1:" .. port
    local lines = {}
    for i = 1, 400000 do
      lines[i] = ("%08d\n"):format(i)
    end
    content = table.concat(lines)
    tmpdir.write(place .. "/content", content)
    tmpdir.write(place .. "/one", "1")
    tmpdir.write(place .. "/nothing", "")
  end)

  teardown(function() web.stop(pid, place) end)

  -- send{ method, path, how =, file =, retries =, deadline =, once = } -> what it prints in its
  -- first line, and the body of the answer.
  local function send(request)
    local words = { request[1], url .. request[2], request.how or "none",
      place .. "/" .. (request.file or "content"), tostring(request.retries or 0),
      tostring(request.deadline or 60000), request.once and "once" or nil }
    local out = shell.output("env -u LD_PRELOAD " .. program, (table.unpack or unpack)(words))
    return out:match("^([^\n]*)\n?(.*)$")
  end

  local function body()
    return tmpdir.content(place .. "/body")
  end

  it("sends bodies of every length, from memory and by a callback", function()
    for _, file in ipairs { "nothing", "one", "content" } do
      for _, how in ipairs { "memory", "read" } do
        for _, method in ipairs { "PUT", "POST" } do
          os.remove(place .. "/body")
          local line, head = send { method, "/take", how = how, file = file }
          assert.equal("200 ok 1 ", line)
          assert.equal(tmpdir.content(place .. "/" .. file) == body(), true)
          assert.truthy(head:find("^" .. method .. " /take HTTP/1.1"), head)
          assert.truthy(head:find("\nContent-Length: " .. #body() .. "\r", 1, true), head)
        end
      end
    end
  end)

  it("sends a body without Expect, and adds no header that a signature would miss", function()
    local _, head = send { "PUT", "/take", how = "memory" }
    assert.is_nil(head:find "Expect")
    assert.is_nil(head:find "Transfer%-Encoding")
    assert.is_nil(head:find "Content%-Type")
    assert.truthy(head:find("X-Test: yes", 1, true))
  end)

  it("reads responses to HEAD, which have no body", function()
    assert.equal("200 ok 1 ", (send { "HEAD", "/length", deadline = 30000 }))
    assert.equal("200 ok 1 ", (send { "HEAD", "/bare", deadline = 30000 }))
    assert.equal("404 ok 1 ", (send { "HEAD", "/status/404", deadline = 30000 }))
    assert.truthy(send { "GET", "/bare" }:find "^200 cut 1 ")
  end)

  it("sends DELETE without a length", function()
    assert.equal("204 ok 1 ", (send { "DELETE", "/none" }))
    local _, head = send { "DELETE", "/take" }
    assert.truthy(head:find "^DELETE /take")
    assert.is_nil(head:find "Content%-Length")
  end)

  it("sends a body again from its start", function()
    for _, how in ipairs { "memory", "read" } do
      os.remove(place .. "/body")
      assert.equal("200 ok 3 ", (send { "PUT", "/heals/2/" .. how, how = how, retries = 3 }))
      assert.is_true(content == body())
    end
  end)

  it("sends a body again that a broken connection took half of", function()
    local line = send { "PUT", "/breaks/2", how = "read", retries = 4 }
    assert.equal("200 ok 3 ", line)
    assert.is_true(content == body())
  end)

  it("does not repeat what must not be repeated, nor what cannot begin again", function()
    assert.truthy(send { "POST", "/status/503", how = "memory", retries = 3, once = true }
      :find "^503 ok 1 ")
    assert.truthy(send { "POST", "/status/500", how = "stuck", retries = 3 }:find "^500 ok 1 ")
    assert.truthy(send { "POST", "/status/502", how = "read", retries = 1 }:find "^502 ok 2 ")
  end)

  it("never sends less than it promised", function()
    os.remove(place .. "/body")
    local line = send { "PUT", "/take", how = "short", retries = 3 }
    assert.truthy(line:find "^0 stopped 1 the body is shorter than its Content%-Length", line)
    assert.is_nil(body())
  end)

  it("reads an answer that arrives before the whole body is sent", function()
    local line, page = send { "PUT", "/early/403", how = "read" }
    assert.truthy(line:find "^403 ok 1 " or line:find "^%d+ broken 1 ", line)
    assert.truthy(page == "why" or line:find "broken", page)
    assert.truthy(send { "PUT", "/early/200", how = "read" }:find "^%d+ broken 1 ")
  end)

  it("ends at its deadline, whatever the server does", function()
    assert.truthy(send { "PUT", "/silent", how = "memory", deadline = 300 }:find "^0 timeout 1 ")
    local line = send { "PUT", "/status/503", how = "memory", retries = 100, deadline = 1500 }
    assert.truthy(line:find "^503 ok %d+ " or line:find "^0 timeout %d+ ", line)
  end)
end)
