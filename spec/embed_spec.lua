-- examples/embed: a program that holds Lua and modfs, built and run as its README says.
local build = require "spec.fixtures.build"
local instrumented = require "spec.support.instrumented"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local web = require "spec.support.web"

local root = os.getenv "BUILD" or "build"
local here = shell.output "pwd -P"

describe("a program with Lua and modfs inside", function()
  local reason = sanitized
    and "the archives want a sanitizer that a plain program does not start with"
    or _VERSION ~= "Lua 5.4" and "the example holds Lua 5.4, and this build is for " .. _VERSION
  if reason then
    it("is built as its README says", function() pending(reason) end)
    return
  end

  local place, folder

  setup(function()
    place = build.shelf()
    folder = place.folder .. "/embed"
    shell.output("umask 022; mkdir", folder)
    for _, name in ipairs { "embed.c", "fetch.c", "work.lua", "Makefile" } do
      shell.output("cp examples/embed/" .. name, folder)
    end
  end)

  teardown(function()
    place:remove()
  end)

  it("is built and runs as its README says", function()
    local file = assert(io.open "examples/embed/README.md")
    local block = file:read "*a":match "```sh\n(.-)```"
    file:close()
    local out = shell.output("cd " .. shell.quote(folder) .. " && umask 022 && env -u MAKEFLAGS"
      .. " -u MAKELEVEL -u MFLAGS -u CC -u CFLAGS -u LUA_PATH -u LUA_CPATH BUILD=" .. root
      .. (instrumented and (" CFLAGS='-O2 %s'"):format(instrumented) or "")
      .. " sh -ec", (block:gsub("/path/to/modfs", function() return here end)))
    assert.is_truthy(out:find("8 threads wrote 1600 files", 1, true), out)
    assert.is_truthy(out:find("REFERENCE:0 is open", 1, true), out)
    assert.is_truthy(out:find "\nembed.c: %d+ bytes\n", out)
  end)

  it("has no warnings, however strict the compiler", function()
    shell.output("cc -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only "
      .. "-DMODFS_LUA='\"lua\"' $(pkg-config --cflags lua5.4) -Iinclude examples/embed/embed.c "
      .. "examples/embed/fetch.c")
  end)

  it("needs no library of Lua's or of modfs's but the runtime", function()
    local dynamic = shell.output("readelf -d", folder .. "/embed")
    assert.is_truthy(dynamic:find("[libtensorflow_framework.so.2]", 1, true))
    assert.is_nil(dynamic:find "NEEDED[^\n]*lua")
    assert.is_nil(dynamic:find "NEEDED[^\n]*modfs")
    assert.is_truthy(shell.output("nm", folder .. "/embed"):find " T luaopen_modfs_core\n")
  end)

  it("loads plugins from files, once for all states", function()
    local plugin = place:path "hello"
    shell.output("umask 022; cc -std=c11 -fPIC -fvisibility=hidden -shared -Iinclude "
      .. "examples/plugin/hello.c -Wl,--no-as-needed " .. build.stub .. " -o", plugin)
    local out = shell.output("cd / && " .. folder .. "/embed " .. folder .. "/work.lua 16", plugin)
    assert.is_truthy(out:find("16 threads wrote 3200 files\nplugins: hello; ", 1, true), out)
  end)

  it("tells what goes wrong in a thread, and ends with 1", function()
    local script = place:write("wrong.lua", [[
      local number = ...
      local modfs = require "modfs"
      if number == 2 then assert(modfs.read "mem://nothing") end
    ]])
    local status, out, err = shell.run(folder .. "/embed", script, "3")
    assert.same({ 1, "" }, { status, out })
    assert.equal("thread 2: NOT_FOUND: open mem://nothing: no such file or directory\n",
      (err:gsub("%S+wrong%.lua:3: ", "")))
    assert.equal(2, (shell.run(folder .. "/embed", script, "0")))
  end)

  describe("with a loop of its own", function()
    if not web.can_launch() then
      pending "luv for Lua 5.4, on which the server runs, is not installed"
      return
    end

    local server, url

    setup(function()
      local port
      local shelf = place.folder
      server, port = web.launch("spec/fixtures/http/late.lua", shelf .. "/port", shelf)
      url = "http://127.0.0.1:" .. port
    end)
    teardown(function() shell.run("kill " .. server) end)

    -- Its exit status, what it prints, and by how many milliseconds its clock was late.
    local function fetch(words, input)
      local status, out, err = shell.run(("%s | MODFS_PLUGIN_PATH=%s/modfs/plugins/?.so "
        .. "%s/fetch %s"):format(input or "sleep 5", shell.output("realpath", root), folder, words))
      local late = out:match "\nthe clock was at most (%d+) ms late\n$"
      assert.is_truthy(late, out .. err)
      return status, out, tonumber(late)
    end

    it("reads files in jobs while its clock ticks on", function()
      local least = math.huge
      for i = 1, 15 do -- another process may have the processor
        if least > 20 then
          local status, out, late = fetch(("9 %s/700/%d examples/embed/embed.c %s/0/none")
            :format(url, i, url))
          assert.equal(0, status, out)
          assert.is_truthy(out:find("/700/" .. i .. ": 16 bytes\nthe clock", 1, true), out)
          assert.is_truthy(out:find("embed.c: %d+ bytes\n"), out)
          least = math.min(least, late)
        end
      end
      assert.is_true(least <= 200, least .. " ms") -- more than 20 only where all is busy
    end)

    it("ends a job at its deadline, and at a line of input", function()
      local status, out = fetch(("0.3 %s/9000/slow %s/0/quick"):format(url, url))
      assert.equal(1, status)
      assert.is_truthy(out:find("fetch " .. url .. "/9000/slow: not done within "
        .. "0.3 seconds", 1, true), out)
      assert.is_truthy(out:find("/0/quick: 16 bytes", 1, true), out)
      status, out = fetch(("60 %s/9000/slow"):format(url), "(sleep 0.3; echo; sleep 0.3)")
      assert.equal(1, status)
      assert.is_truthy(out:find("fetch " .. url .. "/9000/slow: cancelled", 1, true), out)
    end)

    it("tells what is missing", function()
      local status, out = fetch("9 nowhere://a /none/b")
      assert.equal(1, status)
      assert.is_truthy(out:find("open /none/b: ", 1, true), out)
      assert.equal(2, (shell.run(folder .. "/fetch", "0", "/etc/passwd")))
    end)
  end)
end)
