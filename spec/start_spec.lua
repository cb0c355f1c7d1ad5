-- What starting costs, counted: modules that are compiled, libraries that are mapped, system calls.
-- Each takes its time in every script and command.
local child = require "spec.support.child"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local plain_51 = rawget(_G, "setfenv") and not rawget(_G, "jit") -- where all is compiled at once

-- What is there after any start, and where all is compiled at once.
local always = { "modfs", "modfs.core", "modfs.entry", "modfs.interrupt", "modfs.jobs",
  "modfs.own" }
local at_once = { "modfs.chunk", "modfs.compile", "modfs.devices", "modfs.options",
  "modfs.plugin_path", "modfs.plugins", "modfs.step", "modfs.temporary", "modfs.tree",
  "modfs.with" }

local function with(...)
  local names = {}
  for _, list in ipairs { always, plain_51 and at_once or {}, ... } do
    for _, name in ipairs(list) do
      names[name] = true
    end
  end
  return names
end

-- The modules of modfs, and argparse, that are loaded when the code has run.
local function loaded_by(code, ...)
  local status, out, err = child(code .. [[
    for name in pairs(package.loaded) do
      if name:find "^modfs" or name == "argparse" then io.stderr:write(name, "\n") end
    end]], { arguments = { ... } })
  assert.equal(0, status, out .. err)
  local names = {}
  for name in err:gmatch "[^\n]+" do
    names[name] = true
  end
  return names
end

local function loaded_by_command(...)
  return loaded_by("assert(require('modfs.cli').main({ ... }, { ends = true }) == 0)\n", ...)
end

describe("a start", function()
  local folder
  setup(function()
    folder = tmpdir.new()
    for i = 1, 3 do
      shell.output("mkdir -p", folder .. "/a")
      tmpdir.write(folder .. "/a/" .. i, "text")
    end
  end)
  teardown(function()
    tmpdir.remove(folder)
  end)

  it("of modfs compiles what is always needed", function()
    assert.same(with(), loaded_by "require 'modfs'\n")
  end)

  local command = { "argparse", "modfs.cli", "modfs.cli.argparse", "modfs.cli.command",
    "modfs.cli.later", "modfs.cli.task", "modfs.cli.words" }

  it("of modfs ls compiles nothing that only a terminal or an option needs", function()
    assert.same(with(command, { "modfs.cli.entry", "modfs.cli.ls", "modfs.cli.terminal" }),
      loaded_by_command("ls", folder .. "/a"))
  end)

  it("of modfs cp -r compiles what copies trees", function()
    assert.same(with(command, { "modfs.cli.choosing", "modfs.cli.cp", "modfs.cli.keeping",
      "modfs.cli.progress", "modfs.cli.resolve", "modfs.cli.system", "modfs.cli.terminal",
      "modfs.cli.threads", "modfs.cli.transfer", "modfs.options", "modfs.step", "modfs.tree",
      "modfs.with" }), loaded_by_command("cp", "-r", folder .. "/a", folder .. "/b"))
  end)

  it("maps the core, the runtime and two plugins", function()
    local status, out, err = child [[
      local names = {}
      local function add(step)
        for line in io.lines "/proc/self/maps" do
          local name = line:match "/([^/]*%.so[^/]*)$"
          if name and not names[name] then names[name] = step end
        end
      end
      add "before"
      require "modfs"
      add "by modfs"
      for name, step in pairs(names) do
        if step == "by modfs" then print(name) end
      end]]
    assert.equal(0, status, err)
    for name in out:gmatch "[^\n]+" do
      assert.is_truthy(name:find "^core%.so" or name:find "^posix%.so" or name:find "^mem%.so"
        or name:find "^libtensorflow_framework%.so" or sanitized, name)
    end
  end)

  it("of the installed command makes few system calls", function()
    if sanitized or shell.run "strace -o /dev/null true" ~= 0 then
      return pending "strace is not installed, or cannot trace here"
    end
    local build = os.getenv "BUILD" or "build"
    local log = folder .. "/calls"
    shell.output("strace -f -o", log, build .. "/bin/modfs", "ls", folder .. "/a")
    local counts = {}
    for line in io.lines(log) do
      local name = line:match "^%d+ +([%w_]+)%("
      if name and not line:find(" = -1 ", 1, true) then
        counts[name] = (counts[name] or 0) + 1
      end
    end
    assert.equal(1, counts.execve) -- and no other program, such as env
    assert.is_nil(counts.clone or counts.clone3)
    for name, most in pairs { process_vm_readv = 36, pread64 = 32, openat = 58, mmap = 56 } do
      assert.is_true((counts[name] or 0) <= most, ("%s: %d"):format(name, counts[name] or 0))
    end
  end)
end)
