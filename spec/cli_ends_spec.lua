-- The counts of head and tail, and the names that they write, beside the system's own.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " bin/modfs"
local absolute = lua .. " " .. shell.output "pwd -P" .. "/bin/modfs"

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
    for _, count in ipairs { "0x2", "1e1", "1.5", " 1", "--1", "-",
      "1KK", "K", "9PiBs", "1E", "9999P", "99999999999999999999", "+", "++1",
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

  -- The same bytes as the system's own, from files and from a pipe.
  local function same(words, ...)
    for _, name in ipairs { ... } do
      local path = folder .. "/" .. name
      local expected = shell.output(("%s %s | md5sum"):format(words, path))
      assert.equal(expected, shell.output(("%s %s %s | md5sum"):format(command, words, path)),
        words .. " " .. name)
      assert.equal(expected, shell.output(("cat %s | %s %s | md5sum"):format(path, command,
        words)), "a pipe, " .. words .. " " .. name)
    end
  end

  it("that begin with - are what head leaves out, and nothing new for tail", function()
    for _, count in ipairs { "-0", "-1", "-3", "-20000", "-65536" } do
      for _, option in ipairs { "-n ", "-c" } do
        same("head " .. option .. count, "long", "short")
        same("tail " .. option .. count, "short")
      end
    end
    same("head --lines=-1", "empty", "short")
    same("head --bytes -1", "empty", "short")
  end)

  it("may have units, or stand alone behind a dash", function()
    for _, words in ipairs { "-c 1K", "-c 2k", "-c 1kB", "-c 3b", "-c1KiB", "-n 1K", "-1", "-2",
      "-20000", "-c 1M", "-qn 2", "-n 2 -q" } do
      same("head " .. words, "long")
      same("tail " .. words, "long")
    end
    same("head -c -1K", "long", "short")
    assert.equal(2, (shell.run(command .. " head -3x " .. folder .. "/short")))
    assert.equal(1, (shell.run(command .. " head -- -3")))
  end)

  it("stand behind names that -v and -q ask for", function()
    for _, words in ipairs { "-v", "-q", "-qn1", "-vc 3", "", "-qv", "-vq", "-vn0", "-c0" } do
      for _, names in ipairs { "short", "short empty long", "- short" } do
        local line = (" %s %s </dev/null"):format(words, names)
        for _, tool in ipairs { "head", "tail" } do
          local expected = shell.output(("cd %s && %s"):format(folder, tool .. line))
          assert.equal(expected, shell.output(("cd %s && %s"):format(folder,
            absolute .. " " .. tool .. line)), tool .. line)
        end
      end
    end
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

describe("tail -f", function()
  local folder
  before_each(function()
    folder = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(folder)
  end)

  -- What it has written after the script, in which $f is the folder and "step" a wait for it.
  local function follow(words, script)
    local out = folder .. "/out"
    shell.output("bash -c", ([[
      f=%s
      cd $f && : >out
      step() { for i in {1..100}; do grep -qs -- "$1" out err && return; sleep 0.1; done; exit 3; }
      %s tail -f %s >out 2>err & pid=$!
      %s
      kill -INT $pid
      wait $pid
      test $? = 130
    ]]):format(folder, absolute, words, script))
    return tmpdir.content(out), tmpdir.content(folder .. "/err")
  end

  it("goes on with what is appended", function()
    tmpdir.write(folder .. "/a", "1\n2\n3\n")
    assert.same({ "2\n3\n4\n5\n", "modfs: tail: interrupted\n" }, { follow("-n 2 a",
      "step 3; echo 4 >>a; step 4; echo 5 >>a; step 5") })
  end)

  it("names the file that goes on, and begins anew where it became shorter", function()
    tmpdir.write(folder .. "/a", "1\n2\n")
    tmpdir.write(folder .. "/b", "3\n")
    local out, err = follow("a b",
      "step 3; echo 4 >>b; step 4; echo 5 >>a; step 5; echo 6 >b; step 6")
    assert.equal("==> a <==\n1\n2\n\n==> b <==\n3\n4\n\n==> a <==\n5\n\n==> b <==\n6\n", out)
    assert.equal("modfs: tail: b: the file became shorter\nmodfs: tail: interrupted\n", err)
  end)

  it("ends for what cannot be followed", function()
    assert.equal(1, (shell.run(command .. " tail -f", folder .. "/none")))
    assert.equal("x", shell.output("echo x | " .. command .. " tail -f"))
  end)
end)

describe("cat -n", function()
  it("numbers lines as the system does", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    tmpdir.write(folder .. "/a", "one\n\n\tthree\nfour")
    tmpdir.write(folder .. "/b", "more of four\nfive\n")
    tmpdir.write(folder .. "/c", ("line\n\n"):rep(60000))
    tmpdir.write(folder .. "/d", "")
    -- The system's cat allocates in a way that AddressSanitizer refuses.
    for _, names in ipairs { "a", "a b", "d a d b c", "c c", "a a", "b - a", "" } do
      local line = ("cat -n %s <b | md5sum"):format(names)
      assert.equal(shell.output(("cd %s && LD_PRELOAD= %s"):format(folder, line)),
        shell.output(("cd %s && %s %s"):format(folder, absolute, line)), names)
    end
  end)
end)
