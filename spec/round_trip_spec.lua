-- Random trees from disk into memory and back: with links, modes, times of nanoseconds, empty
-- directories and odd names. rsync, or diff and stat, find no difference between first and last.
local modfs = require "modfs"
local odd_tree = require "spec.support.odd_tree"
local random = require "modfs.check.random"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local ROUNDS = tonumber(os.getenv "ROUND_TRIPS") or 5
local draw = random.generator(tonumber(os.getenv "ROUND_TRIP_SEED") or 1)

local function pick(list)
  return list[draw(#list)]
end

-- No two are alike, so nothing is ever written through a link.
local function name(i)
  local odd = pick(odd_tree.names)
  return draw(2) == 1 and odd .. i or i .. odd
end

local function target(names)
  return pick { pick(names), "../" .. pick(names), "/modfs.none/" .. pick(names), "none", ".",
    "..", "./" .. pick(names) .. "//x", "/" }
end

-- The shell's lines that make a tree in the present directory.
local function script()
  local lines, folders, names = { "RANDOM=" .. draw(30000) }, { "." }, { "a" }
  local function add(format, ...)
    lines[#lines + 1] = format:format(...)
  end
  for i = 1, 10 + draw(60) do
    local folder, own = pick(folders), name(i)
    local path = shell.quote(folder .. "/" .. own)
    names[#names + 1] = own
    local what = draw(6)
    if what == 1 then
      add("mkdir %s", path)
      folders[#folders + 1] = folder .. "/" .. own
    elseif what == 2 then
      add("ln -s %s %s", shell.quote(target(names)), path)
    else
      add("head -c %d /dev/urandom >%s", draw(3) == 1 and 0 or draw(70000), path)
      add("chmod %s %s", pick { "644", "600", "400", "755", "777", "1644", "640" }, path)
    end
  end
  -- What is deeper comes first, so that nothing changes a directory after it got its time.
  add("find . -depth -print0 | while IFS= read -r -d '' path; do "
    .. "test -L \"$path\" || test ! -d \"$path\" || chmod $((RANDOM %% 2 ? 755 : 2770)) \"$path\"; "
    .. "touch -h -d @$((RANDOM * 40000 + RANDOM)).$((RANDOM %% 10))$((RANDOM %% 1000))$((RANDOM "
    .. "%% 10000)) \"$path\"; done")
  return table.concat(lines, "\n") .. "\n"
end

local function plant(top)
  local text = os.tmpname()
  tmpdir.write(text, script())
  shell.output("mkdir", top)
  shell.output("cd " .. shell.quote(top) .. " && bash -e", text)
  os.remove(text)
end

local listing = [[ && find . \( -type l -printf '%p %y %l %T@\0' \) ]]
  .. [[-o -printf '%p %y %m %T@\0' | LC_ALL=C sort -z | tr '\0' '\n']]

-- Set-id bits stay behind without the owner.
local function describe_tree(top)
  return shell.output("cd " .. shell.quote(top) .. listing)
end

local function check_equal(first, last)
  if shell.has "rsync" then
    assert.equal("", shell.output("rsync -aniH --checksum --delete", first .. "/", last .. "/"))
  end
  assert.equal("", shell.output("diff -r --no-dereference", first, last))
  assert.equal(describe_tree(first), describe_tree(last))
end

describe("a random tree", function()
  local root

  before_each(function()
    root = tmpdir.new()
  end)
  after_each(function()
    tmpdir.remove(root)
    modfs.rmtree "mem://trip"
  end)

  local function copy(call, src, dst)
    local report = assert(call(src, dst, { threads = draw(4) }))
    assert.same({}, report.errors)
    return report
  end

  for round = 1, ROUNDS do
    for way, call in pairs { copytree = modfs.copytree, sync = modfs.sync } do
      it(("comes back from memory by %s, round %d"):format(way, round), function()
        plant(root .. "/first")
        shell.output("find", root .. "/first", "-type", "d", "-exec", "chmod", "g-s", "{}", "+")
        shell.output("touch -d @1234567890.123456789", root .. "/first")
        copy(call, root .. "/first", "mem://trip")
        copy(call, "mem://trip", root .. "/last")
        check_equal(root .. "/first", root .. "/last")
        copy(call, root .. "/first", root .. "/beside")
        check_equal(root .. "/first", root .. "/beside")
        for _, pair in ipairs { { root .. "/first", "mem://trip" },
          { "mem://trip", root .. "/last" }, { root .. "/last", root .. "/beside" },
          { root .. "/beside", root .. "/first" } } do
          assert.equal(0, copy(modfs.sync, pair[1], pair[2]).copied)
        end
        check_equal(root .. "/first", root .. "/last")
      end)
    end
  end

  it("that has changed is found out (the control)", function()
    plant(root .. "/first")
    tmpdir.write(root .. "/first/changed", "x")
    copy(modfs.copytree, root .. "/first", root .. "/last")
    shell.output("touch -d @1234567890.123456789", root .. "/last/changed")
    assert.has_error(function() check_equal(root .. "/first", root .. "/last") end)
  end)
end)
