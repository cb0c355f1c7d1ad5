-- The command where its surroundings fail: streams, folders for temporary files, parts of itself.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root = os.getenv "BUILD" or "build"
local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " bin/modfs"
local plugin = root .. "/modfs/plugins/mem.so"

-- Shell words that fail with that status and one line; returns the line and the output.
local function fails(status, words, ...)
  local got, out, err = shell.run("bash -c", words, ...)
  assert.equal(status, got, words .. ": " .. out .. err)
  assert.truthy(err:find "^modfs: [^\n]+\n$", words .. ": " .. err)
  return err, out
end

describe("an output that cannot be written", function()
  for _, words in ipairs { "--help", "help", "help cp", "--version", "cp --help", "check --help",
    "plugins", "plugins --json", "doctor mem://a", "doctor --json mem://a", "inspect " .. plugin,
    "inspect --json " .. plugin, "check --only upstream.001 " .. plugin, "repl </dev/null",
    "completion zsh", "ls", "ls -l", "cat README.md", "cat -n README.md", "head README.md",
    "tail README.md", "devices", "sum README.md", "find docs", "find docs -print0", "du", "du -s",
    "stat -c %n docs", "tree docs", "version", "rm -r --dry-run docs", "glob 'docs/*'" } do
    it("is a failure of modfs " .. words, function()
      for to, why in pairs { ["/dev/full"] = "No space left", ["&-"] = "Bad file descriptor" } do
        local err = fails(1, ("%s %s >%s"):format(command, words, to))
        assert.truthy(err:find("standard output: " .. why, 1, true), err)
      end
    end)
  end
end)

describe("an input that cannot be read", function()
  local folder
  before_each(function()
    folder = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(folder)
  end)

  for _, words in ipairs { "cat", "cat -", "head", "head -c 5", "tail", "tail -c 5", "tail -n +2",
    "sum", "repl" } do
    it("is a failure of modfs " .. words, function()
      for from, why in pairs { ["/tmp"] = "Is a directory", ["&-"] = "Bad file descriptor" } do
        local err = fails(1, ("%s %s <%s"):format(command, words, from))
        assert.truthy(err:find("standard input: " .. why, 1, true), err)
      end
    end)
  end

  it("stops neither cat nor head before the next file", function()
    tmpdir.write(folder .. "/next", "next\n")
    for _, words in ipairs { "cat", "head" } do
      local _, out = fails(1, ("%s %s - %s/next </tmp"):format(command, words, folder))
      assert.truthy(out:find "next\n$")
    end
  end)

  it("leaves what cp would have replaced", function()
    local file = folder .. "/file"
    fails(1, ("%s cp - %s </tmp"):format(command, file))
    assert.equal("", tmpdir.list(folder))
    tmpdir.write(file, "old")
    fails(1, ("%s cp - %s </tmp"):format(command, file))
    assert.equal("old", tmpdir.content(file))
    assert.equal("./file", tmpdir.list(folder))
  end)

  it("lets cp write where nothing can be replaced", function()
    local err = fails(1, ("printf given | %s cp - /dev/full"):format(command))
    assert.truthy(err:find("cp /dev/full", 1, true), err)
  end)
end)

describe("a folder for temporary files that is missing", function()
  it("is what inspect and check fail for", function()
    for _, words in ipairs { "inspect ", "check --only upstream.001 " } do
      for _, folder in ipairs { "/nonexistent", "/proc" } do
        local err = fails(1, ("TMPDIR=%s %s %s"):format(folder, command, words .. plugin))
        assert.truthy(err:find("no directory for temporary files: [%u_]+: mkdir " .. folder), err)
      end
    end
  end)

  it("is what doctor says of a plugin that it cannot load", function()
    local status, out, err = shell.run("TMPDIR=/nonexistent " .. command .. " doctor REFERENCE:0")
    assert.same({ 1, "" }, { status, err })
    assert.truthy(out:find("no directory for temporary files: NOT_FOUND: mkdir /non", 1, true), out)
  end)

  it("may be named from where the command stands", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    local here = shell.output "pwd -P"
    shell.output("mkdir", folder .. "/here")
    shell.output(("cd %s && TMPDIR=here %s %s/bin/modfs"):format(folder, lua, here), "check",
      "--only", "upstream.001", plugin:find "^/" and plugin or here .. "/" .. plugin)
    assert.equal("./here", tmpdir.list(folder))
  end)
end)

describe("SIGINT", function()
  local folder
  before_each(function()
    folder = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(folder)
  end)

  local interrupted = "timeout --foreground --preserve-status -s INT 1 "

  -- A command that would go on, and gets the signal.
  local function interrupt(words, ...)
    local err = fails(130, interrupted .. command .. words:format(...))
    assert.truthy(err:find "^modfs: %l+: interrupted\n$", err)
  end

  it("ends a command with one line and 130", function()
    interrupt " cat </dev/zero >/dev/null"
    interrupt " sum /dev/zero"
  end)

  it("ends one that waits, and leaves nothing of what cp would have made", function()
    interrupt " cat < <(sleep 3)"
    interrupt(" cp - %s/file < <(echo some; sleep 3)", folder)
    assert.equal("", tmpdir.list(folder))
  end)

  it("leaves nothing of what check has made", function()
    fails(130, ("TMPDIR=%s %s %s check --strict 6 %s"):format(folder, interrupted, command, plugin))
    assert.equal("", tmpdir.list(folder))
  end)
end)

describe("a part that is missing", function()
  local folder
  before_each(function()
    folder = tmpdir.new()
    shell.output(("cp -r bin lua %s && mkdir %s/build && cp -r %s/modfs %s/build"):format(folder,
      folder, root, folder))
  end)
  after_each(function()
    tmpdir.remove(folder)
  end)

  -- The command in a tree without something: its status is 1, and its line is short.
  local function lacks(path, ...)
    shell.output("rm -rf", folder .. "/" .. path)
    local err = fails(1, ("unset ${!LUA_@} BUILD; %s %s/bin/modfs plugins"):format(lua, folder))
    assert.truthy(#err < 300, err)
    for _, words in ipairs { ... } do
      assert.truthy(err:find((words:gsub("^/", folder .. "/")), 1, true), err)
    end
  end

  for what, row in pairs {
    ["the core"] = { "build/modfs/core.so", "modfs/core.so", "/bin/../build/", "`make`" },
    ["the plugins"] = { "build/modfs/plugins", "plugins" },
    ["a module in Lua"] = { "lua/modfs/tree.lua", "modfs.tree" },
    ["a module of the command"] = { "lua/modfs/cli/plugins.lua", "modfs.cli.plugins" },
  } do
    it("is told in one line: " .. what, function()
      lacks((table.unpack or unpack)(row)) -- luacheck: ignore 113
    end)
  end
end)
