-- What surrounds the command: completion in real shells, the man page, and the bar.
local modfs = require "modfs"
local modules = require("modfs.cli").modules
local progress = require "modfs.cli.progress"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " bin/modfs"

-- Long options of a command that has its words in a parser.
local function options_of(name)
  local module = require(modules[name])
  local options = {}
  if module.configure then
    local parser = require "argparse"(name)
    module.configure(parser)
    for option in parser:get_help():gmatch "%-%-[%a-]+" do
      options[#options + 1] = option
    end
  end
  return options
end

describe("modfs completion", function()
  local folder
  setup(function()
    folder = tmpdir.new()
    for _, name in ipairs { "bash", "zsh", "fish" } do
      shell.output(command .. " completion " .. name .. " >" .. folder .. "/" .. name)
    end
  end)
  teardown(function()
    tmpdir.remove(folder)
  end)

  -- What bash offers for the words of a line.
  local function offers(...)
    local words = { "modfs", ... }
    tmpdir.write(folder .. "/ask", ([[
      source %s/bash
      COMP_WORDS=(%s) COMP_CWORD=%d COMPREPLY=()
      _modfs
      printf '%%s\n' "${COMPREPLY[@]}"
    ]]):format(folder, "'" .. table.concat(words, "' '") .. "'", #words - 1))
    return "\n" .. shell.output("bash", folder .. "/ask") .. "\n"
  end

  it("lets bash complete commands and their options", function()
    local all = offers ""
    for name in pairs(modules) do
      assert.truthy(all:find("\n" .. name .. "\n", 1, true), name)
    end
    assert.equal("\nmkdir\n", offers "mk")
    for _, name in ipairs { "cp", "find", "sync", "ls" } do
      local offered = offers(name, "--")
      for _, option in ipairs(options_of(name)) do
        assert.truthy(offered:find("\n" .. option .. "\n", 1, true), name .. " " .. option)
      end
    end
    assert.equal("\n--checksum\n", offers("sync", "--ch"))
    assert.truthy(offers("check", "--"):find("\n--only\n", 1, true))
    assert.equal("\n--help\n--json\n", offers("devices", "-"))
    assert.equal("\n--version\n", offers "--v")
  end)

  it("lets bash complete what a command is about", function()
    assert.equal("\nbash\nzsh\nfish\n", offers("completion", ""))
    assert.equal("\nzsh\n", offers("completion", "z"))
    assert.equal("\nmkdir\n", offers("help", "mk"))
  end)

  it("is a script that zsh takes", function()
    if not shell.has "zsh" then
      return pending "zsh is not installed"
    end
    shell.output("zsh -n", folder .. "/zsh")
  end)

  it("names every command for zsh", function()
    local text = tmpdir.content(folder .. "/zsh")
    for name in pairs(modules) do
      assert.truthy(text:find("\n    " .. name .. ")", 1, true), name)
    end
  end)

  it("names every command and its options for fish", function()
    local text = tmpdir.content(folder .. "/fish")
    for name in pairs(modules) do
      assert.truthy(text:find((" -xa '%s'"):format(name), 1, true), name)
    end
    assert.truthy(text:find("seen_command cp' -s r", 1, true), text)
    if shell.has "fish" then
      shell.output("fish --no-execute", folder .. "/fish")
    end
  end)

  it("knows three shells", function()
    local status, _, err = shell.run(command, "completion", "tcsh")
    assert.equal(2, status)
    assert.truthy(err:find("'bash', 'zsh', 'fish'", 1, true), err)
  end)
end)

describe("the man page", function()
  local page = tmpdir.content "docs/modfs.1"

  it("has every command and every option", function()
    for name in pairs(modules) do
      local at = page:find("\n.SS " .. name .. "\n", 1, true)
      assert.truthy(at, name .. ": run lua5.4 scripts/man.lua >docs/modfs.1")
      local section = page:sub(at):match "^\n[^\n]*\n(.-\n)%.S" :gsub("\\%-", "-")
      for _, option in ipairs(options_of(name)) do
        assert.truthy(section:find(option, 1, true), name .. " " .. option)
      end
    end
  end)

  it("has the words that are no command", function()
    assert.truthy(page:find("\\-\\-version", 1, true))
  end)

  it("is one that groff takes", function()
    if not shell.has "groff" then
      return pending "groff is not installed"
    end
    local status, out, err = shell.run "env -u LD_PRELOAD groff -man -ww -z docs/modfs.1"
    assert.same({ 0, "", "" }, { status, out, err })
  end)
end)

describe("the progress line", function()
  local function line(is_terminal)
    local shown = {}
    local out = { write = function(_, text) shown[#shown + 1] = text end, flush = function() end }
    return progress.line { out = out, is_terminal = function() return is_terminal end }, shown
  end

  it("replaces one text by the next, and goes", function()
    local self, shown = line(true)
    self:show "1 of 2: one"
    self:show(("long/"):rep(30) .. "\n")
    self:finish()
    assert.equal("\r1 of 2: one\27[K", shown[1])
    assert.equal("\r" .. ("long/"):rep(15) .. "...\27[K", shown[2])
    assert.equal("\r\27[K", shown[3])
    assert.equal(3, #shown)
  end)

  it("is nothing where there is no terminal", function()
    local self, shown = line(false)
    self:show "1 of 2: one"
    self:finish()
    assert.same({}, shown)
  end)

  local check = command .. " check " .. (os.getenv "BUILD" or "build")
    .. "/modfs/plugins/mem.so --only upstream.09"

  it("of modfs check stands on a terminal until the report comes", function()
    if not shell.has "script" then
      pending "script is not installed"
    end
    local status, out = shell.run("script -qec " .. shell.quote(check) .. " /dev/null </dev/null")
    assert.equal(0, status)
    -- Cases end in any order.
    assert.truthy(out:find "\r11 of 11: upstream%.09%d%.%w+\27%[K\r\27%[Kverdict", out)
    assert.truthy(out:find("\r1 of 1: load\27[K", 1, true), out)
  end)

  it("of modfs check is nothing elsewhere", function()
    local status, out, err = shell.run(check)
    assert.equal(0, status)
    assert.equal("", err)
    assert.is_nil(out:find "[\r\27]")
  end)
end)

describe("the progress bar", function()
  local function bar(is_terminal)
    local now, shown = 0, {}
    local out = { write = function(_, text) shown[#shown + 1] = text end, flush = function() end }
    local self = progress.new { out = out, clock = function() return now end,
      is_terminal = function() return is_terminal end }
    return self, shown, function(seconds) now = now + seconds end
  end

  it("shows after a second, and then once each", function()
    local self, shown, wait = bar(true)
    self:update(1, 100, "a")
    wait(1)
    self:update(10, 100, "b")
    assert.equal(0, #shown)
    wait(1)
    self:update(50, 100, "mem://x/y")
    self:update(51, 100, "mem://x/z")
    assert.equal(1, #shown)
    assert.truthy(shown[1]:find("[###############...............]  50% 50 B of 100 B, "
      .. "25 B/s, 0:02 left  mem://x/y", 1, true), shown[1])
    wait(1)
    self:update(100, 100, ("long/"):rep(30) .. "\n")
    assert.truthy(shown[2]:find("100%", 1, true))
    assert.is_nil(shown[2]:find("\n", 1, true))
    self:finish()
    assert.equal("\r\27[K", shown[3])
  end)

  it("shows from the beginning where it is told to", function()
    local shown = {}
    local self = progress.new { at_once = true, is_terminal = function() return true end,
      clock = function() return 7 end,
      out = { write = function(_, text) shown[#shown + 1] = text end, flush = function() end } }
    self:update(1, 4, "a")
    self:update(2, 4, "a")
    assert.same({ "\r[#######.......................]  25% 1 B of 4 B  a\27[K" }, shown)
  end)

  it("shows nothing where there is no terminal, or for what is quick", function()
    for _, is_terminal in ipairs { true, false } do
      local self, shown, wait = bar(is_terminal)
      self:update(1, 2, "a")
      wait(is_terminal and 0 or 10)
      self:update(2, 2, "a")
      self:finish()
      assert.same({}, shown)
    end
  end)

  -- Runs cp on a terminal whose clock goes on by a second whenever it is asked.
  local function cp(...)
    local self, shown, wait = bar(true)
    local clock, new = self.clock, progress.new
    self.clock = function()
      wait(1)
      return clock()
    end
    progress.new = function() return self end -- luacheck: ignore 122
    local fine, status = pcall(require("modfs.cli").main, { "cp", ... })
    progress.new = new -- luacheck: ignore 122
    assert.same({ true, 0 }, { fine, status })
    return shown
  end

  it("shows the copy of one large file, and goes", function()
    local folder = tmpdir.new()
    assert(modfs.write("mem://large", ("x"):rep(1024 * 1024)))
    local shown = cp("mem://large", folder .. "/large")
    assert.equal(modfs.read "mem://large", tmpdir.content(folder .. "/large"))
    assert.equal("\r\27[K", table.remove(shown))
    local before = 0
    for _, line in ipairs(shown) do
      local part, path = line:match("^\r%[[#.]+%] +(%d+)%% [%d.]+ %a+ of 1.0 MB, [%d.]+ %a+/s, "
        .. "%d+:%d%d left  (%S+)\27%[K$")
      assert.is_true(tonumber(part) > before, line)
      assert.equal("mem://large", path)
      before = tonumber(part)
    end
    assert.equal(100, before)
    assert.is_true(#shown > 4)
    modfs.remove "mem://large"
    tmpdir.remove(folder)
  end)

  it("writes sizes for people", function()
    for bytes, text in pairs { [0] = "0 B", [999] = "999 B", [1000] = "1.0 kB",
      [1234567] = "1.2 MB", [2 ^ 53] = "9.0 PB" } do
      assert.equal(text, require("modfs.cli.bar").size(bytes))
    end
  end)
end)
