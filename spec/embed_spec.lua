-- examples/embed: a program that holds Lua and modfs, built and run as its README says.
local build = require "spec.fixtures.build"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"

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
    for _, name in ipairs { "embed.c", "work.lua", "Makefile" } do
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
      .. " sh -ec", (block:gsub("/path/to/modfs", function() return here end)))
    assert.is_truthy(out:find("8 threads wrote 1600 files", 1, true), out)
    assert.is_truthy(out:find("REFERENCE:0 is open", 1, true), out)
  end)

  it("has no warnings, however strict the compiler", function()
    shell.output("cc -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fsyntax-only "
      .. "-DMODFS_LUA='\"lua\"' $(pkg-config --cflags lua5.4) examples/embed/embed.c")
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
end)
