-- Files that the plugin copies with their attributes: what it does not keep is set afterwards, and
-- what it says is checked.
local modfs = require "modfs"
local over_posix = require "spec.support.over_posix"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

-- 2017, in nanoseconds that a double has exactly.
local TIME = 1500000000512000000

local shelf, root

setup(function()
  shelf = over_posix("keeping", "spec/fixtures/keeping/keeping.c")
end)
teardown(function()
  shelf:remove()
end)
before_each(function()
  root = tmpdir.new()
  assert(modfs.mkdir(root .. "/src"))
end)
after_each(function()
  tmpdir.remove(root)
end)

local function plant(name, mode)
  local path = root .. "/src/" .. name
  assert(modfs.write(path, name))
  assert(modfs.utime(path, TIME))
  assert(modfs.chmod(path, mode or 416))
end

local function seen(name)
  local stat = assert(modfs.lstat(root .. "/dst/" .. name))
  return { stat.mode, stat.mtime_nsec, assert(modfs.read(root .. "/dst/" .. name)) }
end

for _, verb in ipairs { "copytree", "sync" } do
  describe(verb, function()
    local function run(opts)
      return assert(modfs[verb]("keeping://" .. root .. "/src", "keeping://" .. root .. "/dst",
        opts))
    end

    it("sets what the plugin has not kept", function()
      for _, name in ipairs { "nothing", "mode", "all" } do
        plant(name)
        for _, taken in ipairs { false, true } do
          if taken then
            assert(modfs.write(root .. "/dst/" .. name, "another content"))
          end
          assert.same({}, run().errors)
          assert.same({ 416, TIME, name }, seen(name))
        end
      end
    end)

    it("keeps what was asked for alone", function()
      plant("all")
      assert.same({}, run({ preserve = { "mode" } }).errors)
      local now = seen("all")
      assert.equal(416, now[1])
      assert.not_equal(TIME, now[2])
    end)

    it("sets no mode that the plugin does not tell", function()
      plant("modeless")
      assert.same({}, run().errors)
      assert.not_equal(0, seen("modeless")[1])
      assert.equal(TIME, seen("modeless")[2])
    end)

    for name, message in pairs {
      more = "copy_entry_keeping kept more than it was to",
      kindless = "copy_entry_keeping returned the unknown kind 0",
      directory = "copy_entry_keeping returned those of no file",
    } do
      it("reports a plugin that answers wrongly: " .. name, function()
        plant(name)
        plant("all")
        local errors = run().errors
        assert.equal(1, #errors)
        assert.equal("INTERNAL", errors[1].code)
        assert.matches(message, errors[1].message, 1, true)
        assert.same({ 416, TIME, "all" }, seen("all"))
      end)
    end

    it("gives an owner before the mode", function()
      if shell.output("id -u"):match "%d+" ~= "0" then
        return pending("only root may give files away")
      end
      plant("all")
      shell.output("chown 12345:12346 " .. root .. "/src/all && chmod 4755 " .. root .. "/src/all")
      assert(modfs.utime(root .. "/src/all", TIME))
      assert.same({}, run({ preserve = { "owner", "mode", "mtime" } }).errors)
      local line = shell.output("stat -c '%u %g %a' " .. root .. "/dst/all")
      assert.equal("12345 12346 4755", line)
      assert.equal(TIME, seen("all")[2])
    end)
  end)
end
