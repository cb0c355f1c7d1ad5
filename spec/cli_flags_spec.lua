-- Flags of cp, mv, rm, mkdir, du, stat and diff beside the system's own programs, on odd names.
local beside = require "spec.support.beside"
local odd_tree = require "spec.support.odd_tree"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " " .. shell.output "pwd -P" .. "/bin/modfs"

local top

local sorted = beside.sorted

local function run(program, words, folder)
  return beside.run(folder or top, program, words)
end

-- All that is in a directory, with kinds, targets and contents.
local function picture(folder)
  return shell.output(("cd %s && find . -printf '%%p %%y %%l\\n' | LC_ALL=C sort "
    .. "&& find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r md5sum"):format(folder))
end

-- Runs the same words with a program and with modfs, each in a copy of a tree, and compares what
-- they print, and the trees. Lines of totals are modfs's own.
local function same(tree, program, words)
  local theirs, ours = tmpdir.new(), tmpdir.new()
  finally(function()
    tmpdir.remove(theirs)
    tmpdir.remove(ours)
  end)
  for _, folder in ipairs { theirs, ours } do
    shell.output(("cp -a %s/. %s/"):format(tree, folder))
  end
  local status, expected = run(program, words, theirs)
  local own, out, err = run(command .. " " .. program, words, ours)
  out = ("\n" .. out):gsub("\n[^\n']+ %l+ied\n$", "\n"):gsub("\n[^\n']+ moved\n$", "\n")
    :gsub("\n[^\n']+ deleted\n$", "\n"):sub(2)
  assert.equal(status, own, words .. ": " .. err)
  assert.equal(sorted(expected), sorted(out), words)
  assert.equal(picture(theirs), picture(ours), words)
end

describe("beside the system's own program", function()
  local small
  setup(function()
    top, small = odd_tree.new(), tmpdir.new()
    shell.output(("cd %s && mkdir -p e/sub && echo other >e/sub/plain && echo p >e/plain")
      :format(top))
    shell.output(("cd %s && mkdir -p e/sub sub/deep\\ er .dot tmp open && echo p >e/plain"
      .. " && echo o >e/sub/plain && for i in plain b.txt it\\'s -dash --all sub/plain sub/it\\'s"
      .. " sub/-x sub/deep\\ er/new$(printf '\\nline\\033') .dot/.x sub/.y; do"
      .. " echo $i >./\"$i\"; done"):format(small))
  end)
  teardown(function()
    tmpdir.remove(top)
    tmpdir.remove(small)
  end)

  for _, words in ipairs { "cp -v plain new", "cp -v plain \"it's\" e", "cp -vn plain e",
    "cp -n plain b.txt e", "cp -rn sub e", "cp -rvn sub e", "cp -r sub new", "cp -R sub e",
    "cp -rv sub new", "cp -v -t e plain b.txt", "cp -r -t e -- -dash --all", "cp -f plain e",
    "cp plain ./plain e", "cp -v plain plain", "mv plain ./plain", "cp -r sub sub/ e",
    "cp -rn sub .", "mv -n -f plain e", "mv -fn plain e",
    "cp -rf sub .dot e", "mv -v plain new", "mv -v plain b.txt e",
    "mv -vn plain b.txt e", "mv -n plain e", "mv -f plain e", "mv -t e -v b.txt \"it's\"",
    "mv -v sub new", "rm -v plain b.txt", "rm -rv sub", "rm -rf sub none", "rm -fv none plain",
    "rm -rfv sub plain none", "rm -vd tmp open", "rm -r -v -- -dash --all", "rm -dv plain",
    "mkdir -v new", "mkdir -pv new/er/est sub/x", "mkdir -vp plain2 plain2/a b\\ c/d" } do
    local program, rest = words:match "^(%l+) (.*)$"
    it("does the same: " .. words, function()
      same(small, program, rest)
    end)
  end

  it("is what du prints", function()
    shell.output(("cd %s && ln plain hard && ln -s sub soft && truncate -s 5G e/large"):format(top))
    for _, words in ipairs { "-b", "-bs", "-ab", "-b -d 1", "-b --max-depth=0", "-bc sub e",
      "-bsc sub e plain", "-abd1", "-b plain hard", "-sb .dot sub", "-bh", "-bsh ./*", "-b soft",
      "--apparent-size -sk e sub", "--apparent-size -k", "-bsh sub e plain",
      "-bsc", "-bs sub/", "-bs soft", "-bs e/large", "-bd 0 e",
      "-b sub sub/", "-abc plain sub/deep\\ er sub plain .", "-bs . sub" } do
      local _, expected = run("du", words)
      local status, out, err = run(command .. " du", words)
      assert.same({ 0, "" }, { status, err }, words)
      assert.equal(sorted(expected), sorted(out), words)
    end
    for _, words in ipairs { "-sa", "-s -d 1", "-d x" } do
      assert.equal(2, (run(command .. " du", words)))
    end
    shell.output(("cd %s && rm hard soft e/large"):format(top))
  end)

  it("is what stat -c prints", function()
    for _, format in ipairs { "%n", "%N", "%s %F %a %A %h %i %u %g %U %G %d %f", "%Y",
      rawget(math, "type") and "%y" or "", -- nanoseconds need integers of 64 bits
      "100%% %10s|%-10s|%5a", "%A%n\\n", "", "no" } do
      local words = ("-c %s -- * sub/* ."):format(shell.quote(format))
      local _, expected = run("stat", words)
      local status, out, err = run(command .. " stat", words)
      assert.same({ 0, "" }, { status, err }, words)
      assert.equal(expected, out, words)
    end
    local words = "--printf '%s\\t%a\\n\\\\101\\101' plain sub"
    assert.equal((select(2, run("stat", words))), (select(2, run(command .. " stat", words))))
    assert.equal("? ?\n", (select(2, run(command .. " stat", "-c '%Q %Z' plain"))))
  end)

  it("is what diff -rq prints", function()
    local copy = tmpdir.new()
    finally(function() tmpdir.remove(copy) end)
    local function compare(status, words)
      words = words:gsub("COPY", copy)
      local theirs, expected = run("diff -rq", words)
      local ours, out, err = run(command .. " diff", words)
      assert.equal("", err)
      assert.equal(expected, out)
      assert.same({ status, status }, { theirs, ours }, words)
    end
    shell.output(("cp -a %s/. %s"):format(top, copy))
    compare(0, ". COPY")
    shell.output(("cd %s && echo more >>plain && rm b.txt && mkdir b.txt "
      .. "&& rmdir 'sub/deep er/empty' && echo x >sub/empty && touch new && mkdir newer "
      .. "&& echo y >>'sub/with space'")
      :format(copy))
    compare(1, ". COPY")
    compare(1, "COPY .")
    compare(1, "sub COPY/sub")
    compare(1, "plain COPY/plain")
    compare(1, "plain COPY")
    compare(0, "c.tar COPY/c.tar")
    compare(0, "c.tar COPY")
    compare(1, "c.tar A.TXT")
    for folder, target in pairs { [top] = "a", [copy] = "b" } do
      shell.output(("mkdir %s/links && cd %s/links && ln -s same s && ln -s %s d"):format(folder,
        folder, target))
    end
    finally(function() shell.run(("rm -r %s/links %s"):format(top, copy)) end)
    assert.equal(select(2, run("diff -rq --no-dereference", "links " .. copy .. "/links")),
      (select(2, run(command .. " diff", "links " .. copy .. "/links"))))
    local status, out, err = run(command .. " diff", "none " .. copy .. "/none")
    assert.same({ 2, "" }, { status, out })
    assert.truthy(err:find "^modfs: diff: NOT_FOUND: [^\n]+\n")
    out = select(2, run(command .. " diff --json", "plain " .. copy .. "/plain"))
    assert.equal(('[{"kind":"content","other":"%s/plain","path":"plain"}]\n'):format(copy), out)
  end)

  it("asks before rm -i deletes", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    shell.output(("cd %s && mkdir -p d/e && touch a b d/x d/e/y"):format(folder))
    local status, _, err = run("printf 'y\\nno\\n' | " .. command .. " rm", "-i a b", folder)
    assert.same({ 0, "modfs: rm: remove regular empty file 'a'? "
      .. "modfs: rm: remove regular empty file 'b'? " }, { status, err })
    assert.equal("./b\n./d\n./d/e\n./d/e/y\n./d/x", tmpdir.list(folder))
    run("printf 'y\\ny\\nn\\ny\\ny\\n' | " .. command .. " rm", "-ri d", folder)
    assert.equal("./b\n./d\n./d/e\n./d/e/y", tmpdir.list(folder))
    run(command .. " rm", "-ri d b", folder) -- no answer is no
    run("yes | " .. command .. " rm", "-ri d", folder)
    assert.equal("./b", tmpdir.list(folder))
    run("echo n | " .. command .. " rm", "-i -f b", folder)
    assert.equal("", tmpdir.list(folder))
  end)

  it("deletes nothing with rm --dry-run", function()
    local before = picture(small)
    local _, out = run(command .. " rm", "-r --dry-run sub plain", small)
    assert.truthy(out:find("\nwould remove directory 'sub'\nwould remove 'plain'\n", 1, true), out)
    assert.truthy(out:find("files, 2 directories would be deleted\n$"), out)
    assert.equal(before, picture(small))
  end)

  it("deletes neither . nor ..", function()
    for _, words in ipairs { "-rf .", "-rf ./", "-r sub/..", "-rf ../", "-rfv sub/." } do
      local status, _, err = run(command .. " rm", words, small)
      assert.equal(1, status)
      assert.truthy(err:find "^modfs: rm: FAILED_PRECONDITION: [^\n]+not deleted\n$", err)
    end
    assert.truthy(tmpdir.content(small .. "/sub/plain"))
  end)

  it("tells of all that cp -v and mv -v do between filesystems", function()
    local _, out = run(command .. " cp", "-rv e mem://new", small)
    assert.equal("'e' -> 'mem://new'\n'e/plain' -> 'mem://new/plain'\n"
      .. "'e/sub' -> 'mem://new/sub'\n'e/sub/plain' -> 'mem://new/sub/plain'\n"
      .. "2 files, 2 directories, 4 B copied\n", sorted(out))
    out = select(2, run(command .. " mv", "-v plain file://$PWD/plain3", small))
    assert.truthy(out:find("^copied 'plain' %-> 'file://[^\n]+/plain3'\nremoved 'plain'\n$"), out)
  end)

  it("is a usage error without a target, or where -t is no directory", function()
    for _, words in ipairs { "cp e/plain", "mv e/plain", "cp -t none e/plain", "cp -t e",
      "mv -t e/plain b.txt" } do
      local status, _, err = run(command, words, small)
      assert.equal(2, status, words)
      assert.truthy(err:find "^modfs: %l+: [^\n]+\n$", err)
    end
  end)
end)
