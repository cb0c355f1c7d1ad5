-- modfs touch, ln and readlink beside the system's own programs.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " " .. shell.output "pwd -P" .. "/bin/modfs"

local folder

local function run(words)
  return shell.run(("cd %s && %s"):format(folder, words))
end

-- Sets times by the system's touch and by modfs, and compares them.
local function same_time(words)
  run("rm -f a b; cp -p old a; cp -p old b; touch " .. words .. " b")
  local status, _, err = run(command .. " touch " .. words .. " a")
  assert.same({ 0, "" }, { status, err }, words)
  local _, times = run "stat -c %Y a b"
  local ours, theirs = times:match "(%d+)\n(%d+)"
  local apart = math.abs(ours - theirs)
  assert.is_true(apart <= (words:find "%-[dr]" and 0 or 5), words .. "\n" .. times)
end

describe("the command", function()
  before_each(function()
    folder = tmpdir.new()
    run "touch -d @1234567890.5 old; touch -d @987654321 older; mkdir d"
  end)
  after_each(function()
    tmpdir.remove(folder)
  end)

  it("touch creates files, unless -c", function()
    local status, out, err = run(command .. " touch new -- -n 'it'\"'\"'s'")
    assert.same({ 0, "", "" }, { status, out, err })
    assert.equal("./-n\n./d\n./it's\n./new\n./old\n./older", tmpdir.list(folder))
    assert.equal(0, (run(command .. " touch -c none")))
    assert.is_nil(tmpdir.content(folder .. "/none"))
    assert.equal(1, (run(command .. " touch no/such")))
    for _, words in ipairs { "", "-d yesterday a", "-d 2026-13-01 a", "-d 2026-01-01T25:00 a",
      "-d @x a", "-r old -d @1 a" } do
      assert.equal(2, (run(command .. " touch " .. words)))
    end
    assert.equal(1, (run(command .. " touch -r none a")))
  end)

  it("touch sets times as the system's does", function()
    for _, words in ipairs { "", "-c", "-r older", "-d @1", "-d 2020-02-03", "-d 2020-02-03T04:05",
      "-d '2020-02-03 04:05:06'", "-d 2020-07-03T04:05:06Z" } do
      same_time(words)
    end
    run(command .. " touch -d 2020-02-03 created d")
    assert.equal("1580688000\n1580688000\n", (select(2, run "TZ=UTC stat -c %Y created d")))
  end)

  it("ln -s makes links, and readlink reads them", function()
    for _, words in ipairs { "ln -s old new", "ln -sv 'no such' d/l", "ln -s ../old d",
      "ln -sf d new", "ln -s d/deep/x", "ln -sf older d/l" } do
      local status, out, err = run(command .. " " .. words)
      assert.same({ 0, "" }, { status, err }, words)
      assert.equal(words:find "^ln %-sv" and "'d/l' -> 'no such'\n" or "", out)
    end
    local links = "new d/l d/old x"
    assert.equal("d\nolder\n../old\nd/deep/x\n", (select(2, run(command .. " readlink " .. links))))
    for _, words in ipairs { "readlink " .. links, "readlink -n new", "readlink -z new x" } do
      assert.same({ run(words) }, { run(command .. " " .. words) }, words)
    end
    for _, words in ipairs { "ln -s old new", "ln -s old d/l", "readlink old", "readlink none" } do
      assert.equal(1, (run(command .. " " .. words)), words)
    end
  end)

  it("readlink -f, -e and -m print paths without links, as the system's does", function()
    run("mkdir -p d/e; ln -s d l; ln -s ../old d/up; ln -s e d/in; ln -s none broken; "
      .. "ln -s d/e/x new; ln -s a b; ln -s b a; ln -s $PWD/d/in abs; ln -s / root; ln -s d/ slash")
    for _, option in ipairs { "-f", "-e", "-m", "-fz", "-en", "-fm" } do
      for path in ("old old/ old/. old/.. d d/ ./d/../old l l/up l/in/.. l/in/../up broken broken/ "
        .. "broken/x new none none/ none/x none/../old a b abs abs/.. root/ root/../tmp slash "
        .. "slash/x / // /.. . .. d//e///x d/e/./x l/none/../x"):gmatch "%S+" do
        local words = ("readlink %s %s"):format(option, path)
        local expected, out = { run(words) }, { run(command .. " " .. words) }
        assert.same({ expected[1], expected[2] }, { out[1], out[2] }, words)
      end
    end
    assert.equal((select(2, run "readlink -fn old l")),
      (select(2, run(command .. " readlink -fn old l"))))
  end)

  it("readlink works on other filesystems, and prints JSON", function()
    local modfs, cli = require "modfs", require "modfs.cli"
    assert(modfs.makedirs "mem://links/d")
    assert(modfs.symlink("/links/d", "mem://links/l"))
    finally(function()
      modfs.rmtree "mem://links"
      io.output(io.stdout)
    end)
    local out = os.tmpname()
    io.output(out)
    assert.equal(0, cli.main { "readlink", "-f", "mem://links/l/../d/./x" })
    assert.equal(0, cli.main { "readlink", "--json", "mem://links/l" })
    io.close()
    assert.equal('mem://links/d/x\n[{"path":"mem://links/l","target":"/links/d"}]\n',
      tmpdir.content(out))
    os.remove(out)
  end)

  it("ln -sf does not replace a file by a link to itself", function()
    for _, words in ipairs { "ln -sf old old", "ln -sf old ./d/../old", "ln -sf old ." } do
      assert.equal(1, (run(words)), words)
      assert.equal(1, (run(command .. " " .. words)), words)
    end
    assert.equal("./d\n./old\n./older", tmpdir.list(folder))
    assert.equal(1, (run "readlink old"))
  end)

  it("ln makes symbolic links alone", function()
    assert.equal(2, (run(command .. " ln old new")))
  end)
end)
