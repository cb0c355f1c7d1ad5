-- Who resumes what awaits: plain Lua, and the loops of other libraries.
local async = require "modfs.async"
local child = require "spec.support.child"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local content = "0123456789abcdef"

local function has(library)
  return (child("require(...)", { arguments = { library } })) == 0
end

-- A server that answers /MILLISECONDS/... after that time, for the tests of a block.
local function serve_late()
  local server = {}
  setup(function()
    server.place = tmpdir.new()
    local pid, port = web.launch("spec/fixtures/http/late.lua", server.place .. "/port",
      server.place)
    server.pid, server.url = pid, "http://127.0.0.1:" .. port
  end)
  teardown(function()
    shell.run("kill " .. server.pid)
    tmpdir.remove(server.place)
  end)
  return server
end

describe("the loop of plain Lua", function()
  if not web.can_launch() then
    pending "luv for Lua 5.4, on which the server runs, is not installed"
    return
  end

  local server = serve_late()
  local threads

  setup(function()
    threads = async.threads()
    async.threads(200)
  end)
  teardown(function() async.threads(threads) end)

  -- How many of 400 reads the server has at once, which answers after some milliseconds.
  local function most_at_once(milliseconds)
    local good = 0
    async.run(function()
      for i = 1, 400 do
        async.go(function()
          local text, message = async.read(("%s/%d/%d"):format(server.url, milliseconds, i)):await()
          assert.equal(content, text, message)
          good = good + 1
        end)
      end
    end)
    assert.equal(400, good)
    return tonumber(modfs.read(server.url .. "/0/most"))
  end

  it("waits for 200 answers at once", function()
    local most = 0
    for round = 0, 5 do -- a busy machine takes long to send as many requests
      if most < 200 then
        most = most_at_once(300 * 2 ^ round)
      end
    end
    assert.equal(200, most)
  end)

  it("resumes what awaits, while another coroutine is an iterator", function()
    local slow, quick = server.url .. "/300/nested", server.url .. "/0/nested"
    local order = {}
    async.run(function()
      async.go(function()
        async.read(quick):await()
        order[#order + 1] = "quick"
      end)
      local step = coroutine.wrap(function() coroutine.yield(async.read(slow):await()) end)
      local answer = step()
      order[#order + 1] = answer
    end)
    table.sort(order)
    assert.same({ content, "quick" }, order)
  end)

  it("runs async.run within async.run beside the others", function()
    local order = {}
    async.run(function()
      async.go(function()
        async.run(function()
          assert.equal(content, (async.read(server.url .. "/400/inner"):await()))
        end)
        order[#order + 1] = "inner"
      end)
      async.read(server.url .. "/50/outer"):await()
      order[#order + 1] = "outer"
    end)
    assert.same({ "outer", "inner" }, order)
  end)

  it("waits in a callback for what is done by callbacks only", function()
    local result
    local job = async.exists "mem://loops"
    job:on_done(function()
      result = async.all({ async.read(server.url .. "/100/callback") }):wait()[1][1]
    end)
    while result == nil do
      modfs.poll(1)
    end
    assert.equal(content, result)
  end)

  it("takes the wait of another loop", function()
    local waits = 0
    assert.is_true(async.use { wait = function(job)
      local thread = coroutine.running()
      waits = waits + 1
      job:on_done(function() coroutine.resume(thread) end)
      coroutine.yield()
    end })
    finally(function() async.use "poll" end)
    local result
    coroutine.wrap(function() result = async.read(server.url .. "/50/other"):await() end)()
    while result == nil do
      modfs.poll(1)
    end
    assert.equal(content, result)
    assert.equal(1, waits)
  end)

  it("tells when a coroutine waits for something else", function()
    assert.error_matches(function()
      async.run(function() coroutine.yield() end)
    end, "a coroutine waits for something else than a job")
  end)
end)

describe("async.use", function()
  after_each(function() async.use "poll" end)

  it("refuses what is no loop", function()
    assert.has_error(function() async.use "none" end, "unknown loop 'none'")
    assert.has_error(function() async.use {} end)
  end)

  it("takes a loop again, also after another one", function()
    for _, name in ipairs { "luv", "cqueues", "copas" } do
      if has(name) then
        for _, again in ipairs { name, name, "poll", name } do
          assert.is_true(async.use(again))
        end
      end
    end
    assert.equal(false, (async.exists("mem://loops"):wait()))
  end)

  it("may be called within async.run", function()
    assert.equal(false, async.run(function()
      assert.is_true(async.use(has "luv" and "luv" or "poll"))
      return async.exists("mem://loops"):await()
    end))
  end)

  it("names the library that a loop needs", function()
    local status, out, err = child([[
      package.preload.luv = function() error("module 'luv' not found", 0) end
      local made, message, code = require("modfs.async").use "luv"
      print(made, code, message:match "^[^\n]*")
    ]])
    assert.equal("nil\tUNIMPLEMENTED\tUNIMPLEMENTED: async.use: the loop 'luv' needs its " ..
      "library: module 'luv' not found\n", out, err)
    assert.equal(0, status)
  end)
end)

for name, library in pairs { luv = "luv", cqueues = "cqueues", copas = "copas" } do
  describe("the loop of " .. name, function()
    if not has(library) then
      pending(("%s is not installed for this Lua"):format(library))
      return
    elseif not web.can_launch() then
      pending "luv for Lua 5.4, on which the server runs, is not installed"
      return
    end

    local server = serve_late()

    -- Milliseconds that the timer was late.
    local function lateness_beside(what, expected, how)
      local status, out, err = child("spec/children/loop_timer.lua",
        { arguments = { name, what, how } })
      assert.equal(0, status, err)
      local late, text, told = out:match "^(%d+) (%w+) (%w+)\n$"
      assert.equal(expected, text, out .. err)
      return tonumber(late), told
    end

    local function lateness(how)
      return lateness_beside(server.url .. "/2000/x", content, how)
    end

    if name == "luv" then
      it("reports the error of a coroutine as it does that of a callback", function()
        local status, out, err = child(([[
          require("modfs.async").use "luv"
          coroutine.wrap(function()
            require("modfs.async").read(%q):await() -- not done before it is awaited
            error "mine"
          end)()
          require("luv").run()
          io.write "not reached"]]):format(server.url .. "/100/x"))
        assert.same({ 255, "" }, { status, out })
        assert.truthy(err:find("Uncaught Error: .*mine\n"), err)
      end)
    end

    it("goes on while a server stalls", function()
      local least, told = math.huge, nil
      for _ = 1, 15 do -- another process may have the processor
        if least > 20 then
          local late
          late, told = lateness()
          least = math.min(least, late)
        end
      end
      assert.equal("true", told)
      assert.truthy(least <= 200, least .. " ms") -- more than 20 only where all is busy
    end)

    it("would not, if the read were a plain one", function()
      assert.truthy(lateness "blocks" >= 1900)
    end)

    it("goes on beside a slow filter of a tree, which blocks it in a plain call", function()
      local late, blocked, told
      for _ = 1, 15 do -- another process may have the processor
        if not late or late > blocked / 5 then
          late, told = lateness_beside("filter", "101")
          blocked = lateness_beside("filter", "101", "blocks")
        end
      end
      assert.equal("true", told)
      assert.truthy(blocked >= 450, blocked .. " ms")
      assert.truthy(late <= blocked / 5, late .. " ms")
    end)
  end)
end

describe("a coroutine of async.go", function()
  if not has "luv" then
    pending "luv is not installed for this Lua"
    return
  end

  it("may wait for what luv brings, too", function()
    local status, out, err = child [[
      local async = require "modfs.async"
      local uv = require "luv"
      assert(async.use "luv")
      local function sleep()
        local thread, timer = coroutine.running(), uv.new_timer()
        timer:start(10, 0, function()
          timer:close()
          coroutine.resume(thread)
        end)
        coroutine.yield()
      end
      local job = async.go(function()
        sleep()
        local found = async.exists("mem://"):await()
        sleep()
        return found
      end)
      job:on_done(function() print(job:wait()) end)
      uv.run()
    ]]
    assert.equal("true\n", out, err)
    assert.equal(0, status)
  end)
end)

describe("the connection that wakes a loop", function()
  local place
  before_each(function() place = tmpdir.new() end)
  after_each(function() tmpdir.remove(place) end)

  -- Where it listens, with TMPDIR as given.
  local function listens(directory)
    local status, out, err = child("require 'modfs'; print(require('modfs.jobs').listen())",
      { before = "export TMPDIR=" .. directory })
    assert.equal(0, status, err)
    return out
  end

  it("begins in TMPDIR, of which nothing is left", function()
    assert.equal(place, listens(place):match "^(.*)/modfs%-%w+/bell\n$")
    assert.equal("", tmpdir.list(place))
  end)

  it("begins in /tmp where TMPDIR is relative, or too long for a socket", function()
    shell.output("mkdir -p", place .. "/" .. ("long"):rep(30))
    assert.truthy(listens("."):find "^/tmp/modfs%-")
    assert.truthy(listens(place .. "/" .. ("long"):rep(30)):find "^/tmp/modfs%-")
  end)

  it("tells that TMPDIR is missing", function()
    assert.truthy(listens(place .. "/none"):find("mkdtemp " .. place .. "/none/modfs-", 1, true))
  end)
end)
