-- The rock: built and installed offline into a scratch tree, then used from there.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local clean_env = "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD -u LUA_PATH -u LUA_CPATH "

local function luarocks(scratch, ...)
  local config = scratch .. "/config.lua"
  assert(io.open(config, "w")):write("rocks_servers = {}\n"):close()
  local command = clean_env .. "LUAROCKS_CONFIG=" .. shell.quote(config)
    .. " luarocks-5.4 --tree " .. shell.quote(scratch .. "/tree")
  return shell.output(command, ...)
end

-- Runs Lua code far from the checkout, with the scratch tree's search paths only.
local function use(scratch, code)
  local paths = luarocks(scratch, "path")
  return shell.output("cd / && " .. paths .. " && lua5.4 -e", code)
end

describe("the rock", function()
  local scratch

  setup(function()
    scratch = tmpdir.new()
    luarocks(scratch, "make", "modfs-scm-1.rockspec")
  end)

  teardown(function()
    tmpdir.remove(scratch)
  end)

  it("has a rockspec without faults", function()
    assert.equal("", (luarocks(scratch, "lint", "modfs-scm-1.rockspec")))
  end)

  it("lays out Lua files, core, runtime library and plugins", function()
    local files = "\n" .. tmpdir.list(scratch .. "/tree") .. "\n"
    for _, file in ipairs {
      "share/lua/5.4/modfs/init.lua",
      "lib/lua/5.4/modfs/core.so",
      "lib/lua/5.4/modfs/libtensorflow_framework.so.2",
      "lib/lua/5.4/modfs/plugins/posix.so",
      "lib/lua/5.4/modfs/plugins/mem.so",
    } do
      assert.truthy(files:find("\n./" .. file .. "\n", 1, true), file .. " is not installed")
    end
  end)

  it("can be required from another directory and reads a file", function()
    local expected = shell.output("cat /etc/hostname")
    assert.equal(expected, use(scratch, [[
      io.write((assert(require("modfs").read("/etc/hostname")):gsub("\n$", "")))
    ]]))
  end)

  it("finds its plugins in the tree that it was installed into", function()
    assert.equal("mem content\n", use(scratch, [[
      local modfs = require "modfs"
      assert(modfs.write("mem://a", "mem content"))
      print(modfs.read("mem://a"))
    ]]) .. "\n")
    local plugin = use(scratch, [[
      local modfs = require "modfs"
      modfs.exists("mem://a")
      for _, plugin in ipairs(modfs.plugins()) do print(plugin.path) end
    ]])
    for path in plugin:gmatch("[^\n]+") do
      assert.equal(scratch .. "/tree/", path:sub(1, #scratch + 6))
    end
  end)

  it("brings the public headers, enough to compile a plugin", function()
    local folder = luarocks(scratch, "show", "--rock-dir", "modfs")
    for header in shell.output("cd include && ls modfs"):gmatch("[^\n]+") do
      assert.equal(shell.output("cat", "include/modfs/" .. header),
        shell.output("cat", folder .. "/include/modfs/" .. header))
    end
    local source = scratch .. "/plugin.c"
    assert(io.open(source, "w")):write([[
      #include <modfs/filesystem.h>
      int main(void) { return sizeof(TF_FilesystemOps) == 264 ? 0 : 1; }
    ]]):close()
    local program = scratch .. "/plugin"
    shell.output("gcc -std=c11 -Werror -I", folder .. "/include", source, "-o", program)
    assert.equal(0, (shell.run(program)))
  end)

  it("is removed without a trace of its files", function()
    luarocks(scratch, "remove", "modfs")
    assert.equal("", shell.output("find", scratch .. "/tree", "-path", "*/modfs/*", "-type", "f"))
  end)
end)
