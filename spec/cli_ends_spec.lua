-- The counts of head and tail, and the names that they write, beside the system's own.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " bin/modfs"

describe("the counts of head and tail", function()
  local folder
  setup(function()
    folder = tmpdir.new()
    local lines = {}
    for i = 1, 30000 do
      lines[i] = ("line %d"):format(i)
    end
    tmpdir.write(folder .. "/long", table.concat(lines, "\n"))
    tmpdir.write(folder .. "/short", "one\ntwo\nthree\n")
    tmpdir.write(folder .. "/empty", "")
  end)
  teardown(function()
    tmpdir.remove(folder)
  end)

  it("that begin with + are where tail begins", function()
    for _, count in ipairs { "+0", "+1", "+2", "+3", "+4", "+5", "+20000", "+65537", "+999999" } do
      for _, option in ipairs { "-n", "-c" } do
        for _, name in ipairs { "long", "short", "empty" } do
          local words = ("tail %s %s %s/%s | md5sum"):format(option, count, folder, name)
          assert.equal(shell.output(words), shell.output(command .. " " .. words), words)
          local piped = ("cat %s/%s | %s tail %s %s | md5sum"):format(folder, name, command,
            option, count)
          assert.equal(shell.output(words), shell.output(piped), piped)
        end
      end
    end
  end)

  it("are digits, and no more than can be counted", function()
    for _, count in ipairs { "0x2", "1e1", "-1", "1.5", " 1", "99999999999999999999", "+", "++1",
      "+99999999999999999999", "" } do
      for _, words in ipairs { "head -n", "head -c", "tail -n", "tail -c" } do
        local status, out, err = shell.run(("cat %s/short | %s %s"):format(folder, command, words),
          count)
        assert.same({ 2, "" }, { status, out }, words .. " " .. count)
        assert.truthy(err:find "^modfs: %l+: [^\n]+\n$", err)
      end
    end
    assert.equal(2, (shell.run(command, "head", "-n", "+1", folder .. "/short")))
  end)

  it("may be as many as can be counted", function()
    for _, words in ipairs { "head -n", "head -c", "tail -n", "tail -c" } do
      assert.equal("one\ntwo\nthree",
        shell.output(("cat %s/short | %s %s 9007199254740992"):format(folder, command, words)))
      assert.equal("one\ntwo\nthree",
        shell.output(("%s %s 4294967297 %s/short"):format(command, words, folder)))
    end
  end)

  it("are of files that can be opened, which alone are named", function()
    for _, name in ipairs { "head", "tail" } do
      local words = ("%s/none %s/short %s/none %s/empty"):format(folder, folder, folder, folder)
      local _, expected = shell.run(name .. " " .. words)
      local status, out, err = shell.run(command .. " " .. name .. " " .. words)
      assert.same({ 1, expected }, { status, out })
      assert.equal(2, select(2, err:gsub("NOT_FOUND", "")))
    end
  end)
end)
