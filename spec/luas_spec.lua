-- One source, five Luas: a core that another Lua finds says so in one line, and integers are exact
-- on each or refused.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local here = shell.output "pwd -P"
local root = os.getenv "BUILD" or "build"
local tree = root:find "^/" and root or here .. "/" .. root
local own = rawget(_G, "jit") and "LuaJIT" or _VERSION
local interpreters = { ["Lua 5.1"] = "lua5.1", ["Lua 5.2"] = "lua5.2", ["Lua 5.3"] = "lua5.3",
  ["Lua 5.4"] = "lua5.4", LuaJIT = "luajit" }

-- Runs code on a Lua of another version, which finds this build's core.
local function foreign(lua, code)
  local words = "cd / && env -u LUA_PATH_5_2 -u LUA_PATH_5_3 -u LUA_PATH_5_4 -u LUA_CPATH_5_2 "
    .. "-u LUA_CPATH_5_3 -u LUA_CPATH_5_4 -u LD_PRELOAD LUA_PATH=%s LUA_CPATH=%s %s -e"
  return shell.run(words:format(shell.quote(here .. "/lua/?.lua;" .. here .. "/lua/?/init.lua;;"),
    shell.quote(tree .. "/?.so"), lua), code)
end

-- LuaJIT has the binary interface of 5.1, and what is built for the one may serve the other.
local function is_family(name)
  local family = { LuaJIT = true, ["Lua 5.1"] = true }
  return family[name] and family[own]
end

describe("a core built for " .. own, function()
  for name, lua in pairs(interpreters) do
    if name ~= own and not is_family(name) then
      it("tells " .. name .. " in one line", function()
        if not shell.has(lua) then
          pending(lua .. " is not installed")
          return
        end
        local status, out = foreign(lua, 'print(select(2, pcall(require, "modfs")))')
        assert.equal(0, status)
        assert.equal(("modfs: %s/modfs/core.so is built for %s, and this is %s: build modfs with "
          .. "`make LUA=%s`, and put that build into package.cpath\n")
            :format(tree, own, name, lua), out)
      end)
    end
  end

  it("tells it to whoever uses the command", function()
    local other = own == "Lua 5.4" and "luajit" or "lua5.4"
    if not shell.has(other) then
      pending(other .. " is not installed")
      return
    end
    for _, word in ipairs { "--version", "plugins" } do
      local status, out, err = shell.run("env -u LD_PRELOAD " .. other .. " bin/modfs", word)
      assert.same({ 1, "" }, { status, out })
      assert.is_truthy(err:find("^modfs: [^\n]* is built for " .. own:gsub("%p", "%%%0")
        .. ", [^\n]*\n$"), err)
    end
  end)

  it("does not replace other errors", function()
    local status, out = foreign(interpreters[own],
      'package.cpath = "" print(select(2, pcall(require, "modfs")))')
    assert.equal(0, status)
    assert.is_truthy(out:find("module 'modfs.core' not found", 1, true), out)
  end)
end)

describe("an integer", function()
  local folder
  -- tmpfs alone has files of any length.
  setup(function()
    folder = shell.run "test -w /dev/shm" == 0 and shell.output "mktemp -d /dev/shm/modfs.XXXXXX"
  end)
  teardown(function()
    if folder then tmpdir.remove(folder) end
  end)

  local function sparse(length)
    if not folder then
      pending "no /dev/shm that can be written to"
      return
    end
    local path = folder .. "/" .. length
    shell.output("truncate -s " .. length, path)
    return path
  end

  it("is exact up to 2^53", function()
    local path = sparse "9007199254740991"
    if not path then return end
    assert.is_true(modfs.size(path) == 2 ^ 53 - 1)
    local file = assert(modfs.open(path))
    assert.is_true(file:seek("set", 2 ^ 53 - 2) == 2 ^ 53 - 2)
    assert.equal("\0", file:read(5))
    assert.is_true(file:seek() == 2 ^ 53 - 1)
    file:close()
  end)

  it("beyond 2^53 is exact, or a failure, and never rounded", function()
    local path = sparse "9007199254740993"
    if not path then return end
    if math.type then
      assert.equal("9007199254740993", tostring(modfs.size(path)))
    else
      local message = fails("OUT_OF_RANGE", modfs.size(path))
      assert.is_truthy(message:find("9007199254740993 bytes cannot be represented", 1,
        true), message)
    end
  end)
end)
