-- The command where its surroundings fail: streams, folders for temporary files, parts of itself.
local shell = require "spec.support.shell"

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
