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
  for _, words in ipairs { "--help", "help", "help cp", "--version", "cp --help", "check -h",
    "plugins", "plugins --json", "doctor mem://a", "doctor --json mem://a", "inspect " .. plugin,
    "inspect --json " .. plugin, "check --only upstream.001 " .. plugin, "repl </dev/null",
    "completion zsh", "ls", "cat README.md", "devices", "sum README.md" } do
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
    assert.truthy(err:find("close /dev/full", 1, true), err)
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

  -- A command that would go on, and gets the signal.
  local function interrupt(words, ...)
    local err = fails(130, "timeout --foreground --preserve-status -s INT 1 " .. command .. words:format(...))
    assert.truthy(err:find "^modfs: %l+: interrupted\n$", err)
  end

  it("ends a command with one line and 130", function()
    interrupt " cat </dev/zero >/dev/null"
    interrupt " sum /dev/zero"
  end)

  it("ends one that waits, and leaves nothing of what cp would have made", function()
    if _VERSION ~= "Lua 5.4" and not rawget(_G, "jit") then
      return pending "this Lua reads on"
    end
    interrupt " cat < <(sleep 3)"
    interrupt(" cp - %s/file < <(echo some; sleep 3)", folder)
    assert.equal("", tmpdir.list(folder))
  end)

  it("leaves nothing of what check has made", function()
    fails(130, ("TMPDIR=%s timeout --foreground --preserve-status -s INT 1 %s check --strict 6 %s"):format(folder,
      command, plugin))
    assert.equal("", tmpdir.list(folder))
  end)
end)
