-- The rock: built and installed offline into a scratch tree, then used from there.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local version = lua:match "%d%.%d" or "5.1"
-- LuaRocks itself runs on the plain Lua of that version, and would build for that.
local variables = lua:find "jit" and { "LUA=/usr/bin/luajit",
  "LUA_INCDIR=" .. shell.output "pkg-config --variable=includedir luajit" } or {}

local clean_env = "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u BUILD -u LUA_PATH -u LUA_CPATH "

local function luarocks(scratch, ...)
  local config = scratch .. "/config.lua"
  tmpdir.write(config, "rocks_servers = {}\n")
  local command = clean_env .. "LUAROCKS_CONFIG=" .. shell.quote(config)
    .. " lua" .. version .. " /usr/bin/luarocks --lua-version=" .. version
    .. " --tree " .. shell.quote(scratch .. "/tree")
  return shell.output(command, ...)
end

-- Runs Lua code far from the checkout, with the scratch tree's search paths only.
local function use(scratch, code)
  local paths = luarocks(scratch, "path")
  return shell.output("cd / && " .. paths .. " && " .. lua .. " -e", code)
end

describe("the rock", function()
  local scratch

  setup(function()
    scratch = tmpdir.new()
    luarocks(scratch, "make", "--deps-mode=none", "modfs-scm-1.rockspec",
      (table.unpack or unpack)(variables))
  end)

  teardown(function()
    tmpdir.remove(scratch)
  end)

  it("has rockspecs without faults", function()
    for _, name in ipairs { "modfs-scm-1.rockspec", "rockspecs/modfs-0.1.0-1.rockspec" } do
      assert.equal("", (luarocks(scratch, "lint", name)))
    end
  end)

  it("has a rockspec of the present version, the same but for version and source", function()
    local function content(name)
      local file = assert(io.open(name))
      local text = file:read "*a"
      file:close()
      text = text:gsub('\nversion = "[^"]*"', ""):gsub("\nsource = {.-\n}", "")
      return text
    end
    local released = require("modfs")._VERSION:gsub("^modfs ", "")
    assert.equal(content "modfs-scm-1.rockspec",
      (content("rockspecs/modfs-" .. released .. "-1.rockspec")))
  end)

  it("lays out Lua files, core, runtime library and plugins", function()
    local files = "\n" .. tmpdir.list(scratch .. "/tree") .. "\n"
    for _, file in ipairs {
      "share/lua/" .. version .. "/modfs/init.lua",
      "lib/lua/" .. version .. "/modfs/core.so",
      "lib/lua/" .. version .. "/modfs/libtensorflow_framework.so.2",
      "lib/lua/" .. version .. "/modfs/plugins/posix.so",
      "lib/lua/" .. version .. "/modfs/plugins/mem.so",
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
    tmpdir.write(source, [[
      #include <modfs/filesystem.h>
      int main(void) { return sizeof(TF_FilesystemOps) == 264 ? 0 : 1; }
    ]])
    local program = scratch .. "/plugin"
    shell.output("gcc -std=c11 -Werror -I", folder .. "/include", source, "-o", program)
    assert.equal(0, (shell.run(program)))
  end)

  it("is removed without a trace of its files", function()
    luarocks(scratch, "remove", "modfs")
    assert.equal("", shell.output("find", scratch .. "/tree", "-path", "*/modfs/*", "-type", "f"))
  end)
end)
