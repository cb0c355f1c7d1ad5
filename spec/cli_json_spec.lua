-- --json of the commands that change something: a line for each result.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " " .. shell.output "pwd -P" .. "/bin/modfs"

local folder

local function run(words)
  return shell.run(("cd %s && %s %s"):format(folder, command, words))
end

-- The lines, sorted, of a command that succeeds.
local function lines(words)
  local status, out, err = run(words)
  assert.same({ 0, "" }, { status, err }, words)
  local list = {}
  for line in out:gmatch "[^\n]*" do
    list[#list + 1] = line ~= "" and line or nil
  end
  table.sort(list)
  return list
end

before_each(function()
  folder = tmpdir.new()
  shell.output(("cd %s && mkdir -p t/d && printf 12345 >t/a && touch 't/d/odd\n\"'"):format(folder))
end)
after_each(function()
  tmpdir.remove(folder)
end)

local ODD = 'odd\\n\\"'

describe("--json", function()
  it("of cp names what was copied, and where", function()
    assert.same({ '{"path":"t/a","target":"b"}' }, lines "cp --json t/a b")
    assert.same({ '{"path":"t","target":"new"}', '{"path":"t/a","target":"new/a"}',
      '{"path":"t/d","target":"new/d"}',
      '{"path":"t/d/' .. ODD .. '","target":"new/d/' .. ODD .. '"}' }, lines "cp -r --json t new")
    assert.same({}, lines "cp -rn --json t/. new")
    local status, out, err = run "cp --json t/none t/a t/d"
    assert.same({ 1, '{"path":"t/a","target":"t/d/a"}\n' }, { status, out })
    assert.truthy(err:find("NOT_FOUND", 1, true))
  end)

  it("of mv and ln does the same", function()
    assert.same({ '{"path":"t/a","target":"b"}' }, lines "mv --json t/a b")
    assert.same({ '{"path":"b","target":"t/b"}', '{"path":"t/d","target":"t/d2"}' },
      { lines "mv --json b t"[1], lines "mv --json t/d t/d2"[1] })
    assert.same({ '{"path":"link","target":"t/a"}' }, lines "ln -s --json t/a link")
  end)

  it("of rm, mkdir and touch names what was deleted or made", function()
    assert.same({ '{"path":"x"}', '{"path":"x/y"}' }, lines "mkdir -p --json x/y")
    assert.same({}, lines "mkdir -p --json x/y")
    assert.same({ '{"path":"t/a"}', '{"path":"x/new"}' }, lines "touch --json x/new t/a")
    assert.same({}, lines "touch -c --json x/none")
    assert.same({ '{"kind":"directory","path":"t"}', '{"kind":"directory","path":"t/d"}',
      '{"kind":"file","path":"t/a"}', '{"kind":"file","path":"t/d/' .. ODD .. '"}' },
      lines "rm -r --json t")
    assert.same({ '{"dry_run":true,"kind":"directory","path":"x"}',
      '{"dry_run":true,"kind":"directory","path":"x/y"}',
      '{"dry_run":true,"kind":"file","path":"x/new"}' }, lines "rm -r --dry-run --json x")
  end)
end)

describe("df", function()
  it("prints what df -P prints", function()
    local function compare(words)
      local theirs = shell.output(("cd %s && LC_ALL=C df %s"):format(folder, words))
      local status, out, err = run("df " .. words)
      assert.same({ 0, "" }, { status, err })
      -- Others write meanwhile: numbers may differ, their places hardly.
      local function shape(text)
        return (text:gsub("%d+%f[%s%%]", "0"):gsub("[%d.]+[KMGT]%f[%s]", "0"):gsub(" +", " "))
      end
      assert.equal(shape(theirs .. "\n"), shape(out))
      assert.equal(theirs:match "[^\n]*", out:match "[^\n]*")
    end
    compare "-P ."
    compare "-P / ."
    compare "-h ."
    compare "-k -P t/a"
  end)

  it("tells the room of mem://", function()
    local program = [[
      local modfs = require "modfs"
      modfs.config("mem", { limit_bytes = 10240 }) modfs.write("mem://a", ("x"):rep(1024))
      os.exit(require("modfs.cli").main({ "df", "mem:///", %s }, {}))]]
    local function out(more)
      return shell.output(lua .. " -e", program:format(more))
    end
    assert.equal("Filesystem     1024-blocks  Used Available Capacity Mounted on\n"
      .. "mem://                  10     1         9      10% mem:///", out "nil")
    assert.equal('[{"available":9216,"filesystem":"mem://","free":9216,"mounted":"mem:///",'
      .. '"path":"mem:///","total":10240}]', out '"--json"')
    local status, _, err = run "df mem:///"
    assert.equal(1, status)
    assert.truthy(err:find("UNIMPLEMENTED: df mem:///", 1, true), err)
  end)
end)
