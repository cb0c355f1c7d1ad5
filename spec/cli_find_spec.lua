-- modfs find beside the system's own, on odd names.
local beside = require "spec.support.beside"
local modfs = require "modfs"
local odd_tree = require "spec.support.odd_tree"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local command = lua .. " " .. shell.output "pwd -P" .. "/bin/modfs"

describe("modfs find", function()
  local top
  before_each(function()
    top = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(top)
  end)

  local sorted = beside.sorted

  local function run(program, words, folder)
    return beside.run(folder or top, program, words)
  end

  describe("on odd names", function()
    local odd
    setup(function()
      odd = odd_tree.new()
      shell.output(("cd %s && mkdir a a/b a/b/c && touch a/b/c/new && ln -s a/b link "
        .. "&& ln -s none broken && chmod 600 A.TXT"):format(odd))
    end)
    teardown(function()
      tmpdir.remove(odd)
    end)

    local lines = { "", ".", "sub .dot plain", "sub/ -name sub", "-- sub", ". -maxdepth 0",
      ". -maxdepth 1", ". -mindepth 2", ". -mindepth 1 -maxdepth 2 -type d", "-depth",
      "-type f", "-type d", "-type l", "-type f,l", "-not -type f", "! -type f",
      "-name '*'", "-name '.*'", "-name 'it?s'", "-name '?'", "-name '??'", "-name '[a-c]*'",
      "-name '[!a-z]*'", "-name '[^a-z]*'", "-name '*.txt'", "-iname '*.txt'", "-iname 'A*'",
      "-name 'star\\*'", "-name '[[]x]'", "-name '[]x[]*'", "-name '*['", "-name '[[:upper:]]*'",
      "-name '[[:space:]]*'", "-name '*%*'", "-name '*\\\\*'", "-name '[a-'", "-name ''",
      "-path '*sub*'", "-path './sub/*'", "-wholename '*/a?b*'", "-ipath '*SUB*x*'",
      "-empty", "-type d -empty", "-size 0", "-size +1", "-size -3", "-size 2", "-size +1000c",
      "-size 8c", "-size -2k", "-size 1k", "-size +1M", "-size 4w",
      "-mtime +1000", "-mtime -1", "-mtime 0", "-mmin -10", "-mmin +10", "-mmin 1000000000",
      "-newer plain", "-newer sub", "-newermt 2015-01-01", "-newermt '2001-09-20 01:46:40'",
      "-perm 644", "-perm -111", "-perm /111", "-perm /6000", "-perm -2000", "-perm 0600",
      "-perm /000", "-perm -0", "-user root", "-user 0", "-group 0 -type d", "-user nobody",
      "-name a -o -name b", "-name a -or -name b -type f", "\\( -name a -o -name b \\) -type d",
      "-name a -a -type d", "-true", "-false", "-name a , -name b", "-name a -print , -name b",
      "! \\( -name '*a*' -o -name '*b*' \\)", "! ! -name a",
      "-name sub -prune -o -type f -print", "-name sub -prune", "-path ./sub -prune -o -name 'p*'",
      "-name sub -prune -print", "-type f -print -name plain -print",
      "-type f -name '*.txt'", "-type d -name sub", "-type f,l -name '*n*' -type l",
      "-name 'p*' -o -type f -name 'a*'", "-name '*' -name 'a*'", "-print -name 'a*'",
      "-name 'su*' -prune -o -name 'a**b'", "-name a -exec printf '%s|' {} + -name b",
      "sub -name none -o -print", "a -depth -name b -print", "link", "broken", "-print0",
      "sub -name 'a*' -print0", "-type f -exec printf '%s|' {} ';'",
      "-exec printf '%s\\n' x{}y{} ';'", "sub -type f -exec printf '%s|' {} +",
      "-name plain -exec false {} ';' -o -name 'p*' -print",
      "-type d -exec test -e {}/plain ';' -print", "sub -exec printf '%s%%|' {} +",
      "-name none -exec echo {} +", "-printf '%p\\n'", "sub plain -printf '%p|%f|%h|%H|%P\\n'",
      "sub/ ./sub -printf '%f|%h|%P\\n'", "-printf '%y %d %s %m %M %n %i %D\\0'",
      "-printf '%u %U %g %G\\n'", "-printf '%l<%p>\\n'",
      "-printf '%TY-%Tm-%Td %TH:%TM %TF %Ta %Tb %Tj\\n'",
      "-printf '%10s|%-10f|%05m|%%\\t'",
      "-printf '\\101\\\\\\x|'", "-type f -printf '%f\\n' -o -printf '%p/\\n'" }

    if rawget(math, "type") then -- elsewhere a time is the nearest double
      lines[#lines + 1] = "-printf '%t|%T@|%T+|%TS|%TT\\n'"
    end

    for _, line in ipairs(lines) do
      it("says what find says: " .. line, function()
        local _, expected = run("find", line, odd)
        local status, out, err = run(command .. " find", line, odd)
        assert.same({ 0, "" }, { status, err })
        assert.equal(sorted(expected), sorted(out))
      end)
    end

    it("ends with 1 where a program fails that gets several paths", function()
      assert.equal(1, (run(command .. " find", "sub -exec false {} +", odd)))
      assert.equal(0, (run(command .. " find", "sub -exec false {} ';'", odd)))
    end)
  end)

  it("lists more names than it writes at once, some of them with newlines", function()
    for i = 1, 2500 do
      modfs.write(("%s/name %04d"):format(top, i), "")
    end
    modfs.write(top .. "/a\nb", "")
    modfs.write(top .. "/name 2000\n.", "")
    for _, words in ipairs { "", ".//", "-name 'name*'", "-type f" } do
      local _, expected = run("find", words)
      local status, out, err = run(command .. " find", words)
      assert.same({ 0, "" }, { status, err })
      assert.equal(sorted(expected), sorted(out))
    end
  end)

  it("takes what --include says where there is a pattern of names, too", function()
    shell.output(("cd %s && mkdir d && touch ab ac d/ab d/bc"):format(top))
    local _, out = run(command .. " find", "--include '*b' -name 'a*'")
    assert.equal("./ab\n./d/ab\n", sorted(out))
    _, out = run(command .. " find", "--exclude d -name 'a*'")
    assert.equal("./ab\n./ac\n", sorted(out))
  end)

  it("passes as many paths to a program as the system takes", function()
    shell.output(("cd %s && seq -f '%%040.0f it'\"'\"'s a long name' 1 4000 | tr '\\n' '\\0' "
      .. "| xargs -0 touch"):format(top))
    local _, out = run(command .. " find", "-type f -exec sh -c 'echo $#' - {} +")
    local sum, calls = 0, 0
    for number in out:gmatch "%d+" do
      sum, calls = sum + tonumber(number), calls + 1
    end
    assert.equal(4000, sum)
    assert.is_true(calls > 1 and calls < 20, out)
  end)

  it("deletes what is in a directory before it", function()
    shell.output(("cd %s && mkdir -p a/b/c keep && touch a/x a/b/y keep/z it\\'s && ln -s keep l")
      :format(top))
    run(command .. " find", "a -delete")
    assert.equal("./it's\n./keep\n./keep/z\n./l", tmpdir.list(top))
    run(command .. " find", ". -type l -delete")
    run(command .. " find", "-name it\\* -print -delete")
    assert.equal("./keep\n./keep/z", tmpdir.list(top))
    local status, _, err = run(command .. " find", "keep -type d -delete")
    assert.equal(1, status)
    assert.truthy(err:find "^modfs: find: FAILED_PRECONDITION: find keep", err)
    status, _, err = run(command .. " find", "/ -name none -delete")
    assert.equal(1, status)
    assert.truthy(err:find("root directory", 1, true), err)
    run(command .. " find", "-delete")
    assert.equal("", tmpdir.list(top))
  end)

  it("ends at -quit", function()
    shell.output(("cd %s && mkdir d && touch d/a d/b"):format(top))
    assert.equal("./d/a\n", (select(2, run(command .. " find", "-type f -print -quit"))))
    assert.equal("./d\n", (select(2, run(command .. " find", "-type d -name d -print -quit"))))
  end)

  it("works on other filesystems, and prints JSON", function()
    local cli = require "modfs.cli"
    assert(modfs.makedirs "mem://find/d")
    modfs.write("mem://find/d/a", "12345")
    modfs.write("mem://find/b", "")
    finally(function()
      modfs.rmtree "mem://find"
      io.output(io.stdout)
    end)
    for _, row in ipairs { { '["mem://find/d","mem://find/d/a"]\n', "-mindepth", "1", "--json",
      "-not", "-name", "b" }, { "mem://find/d/a\n", "-size", "5c", "-type", "f" },
      { "mem://find/b\n", "-empty" }, { "mem://find\nmem://find/d\n", "--type=d" },
      { "mem://find/b\n", "--name", "b" } } do
      local out = os.tmpname()
      io.output(out)
      local status = cli.main { "find", "mem://find", unpack(row, 2) }
      io.close()
      assert.equal(0, status)
      assert.equal(row[1], tmpdir.content(out))
      os.remove(out)
    end
  end)

  it("names the word that it does not understand", function()
    for line, words in pairs { ["-nmae x"] = "unknown test '-nmae'; did you mean '-name'?",
      ["-zzzzzzzz"] = "--help", ["-name"] = "'-name' needs a pattern behind it",
      [". -name a b"] = "'b' is a path behind the expression", ["\\( -name a"] = "'(' has no ')'",
      ["-name a \\)"] = "')' has no '('", ["-o -name a"] = "'-o' has no test before it",
      ["-name a -o"] = "a test is missing at the end", ["-type x"] = "'x' is not a known type",
      ["-size x"] = "'x' is not a number", ["-size 1x"] = "'1x'", ["-mtime +"] = "'+'",
      ["-maxdepth -1"] = "'-1' is not a depth", ["-perm u+x"] = "'u+x' is not a mode",
      ["-newermt soon"] = "'soon' is not a time", ["-exec echo {}"] = "needs a command and ';'",
      ["-exec ';'"] = "needs a command",
      ["-printf"] = "needs a format", ["-printf '%Q'"] = "'%Q' is not a known directive",
      ["-printf '%T'"] = "'%T' is", ["--jsno"] = "did you mean '--json'?",
      ["!"] = "a test is missing at the end" } do
      local status, out, err = run(command .. " find", line)
      assert.same({ 2, "" }, { status, out }, line .. err)
      assert.truthy(err:find "^modfs: find: [^\n]+\n$", err)
      assert.truthy(err:find(words, 1, true), err)
    end
    local status, _, err = run(command .. " find", "-newer none")
    assert.equal(1, status)
    assert.truthy(err:find("NOT_FOUND", 1, true), err)
  end)
end)
