-- --exclude, --exclude-from and --include of the commands on trees, -j, and what sync -v tells.
local beside = require "spec.support.beside"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " " .. shell.output "pwd -P" .. "/bin/modfs"

local folder

local function sh(words)
  return shell.output(("cd %s && %s"):format(folder, words))
end

-- Runs a command that succeeds.
local function run(words)
  local status, out, err = beside.run(folder, command, words)
  assert.same({ 0, "" }, { status, err }, words)
  return out
end

local function files_in(name)
  return sh(("cd %s && find . -type f | LC_ALL=C sort | tr '\\n' ' '"):format(name))
end

local function fails(words, fragment)
  local status, out, err = beside.run(folder, command, words)
  assert.same({ 2, "" }, { status, out }, words)
  assert.truthy(err:find(fragment, 1, true), err)
end

before_each(function()
  folder = tmpdir.new()
  sh "mkdir -p t/build t/src/build && touch t/a.c t/a.o t/src/b.c t/src/b.o t/build/x t/src/build/y"
  sh "printf '# objects\\n*.o\\nbuild/\\n' >ignored && printf 12345 >t/src/b.c"
end)
after_each(function()
  tmpdir.remove(folder)
end)

describe("--exclude", function()
  it("leaves out of cp -r what matches, as rsync does", function()
    for words, left in pairs {
      ["--exclude '*.o' --exclude build"] = "./a.c ./src/b.c ",
      ["--exclude-from ignored"] = "./a.c ./src/b.c ",
      ["--exclude=/build -j 2"] = "./a.c ./a.o ./src/b.c ./src/b.o ./src/build/y ",
      ["--include '*.c'"] = "./a.c ./src/b.c ",
      ["-v --exclude '*.o' --exclude build"] = "./a.c ./src/b.c ",
      ["-n --exclude '*.o' --exclude build"] = "./a.c ./src/b.c ",
    } do
      run("cp -r " .. words .. " t new")
      assert.equal(left, files_in "new", words)
      sh "rm -r new"
    end
  end)

  it("is what cp -v does not tell of", function()
    assert.equal("'t' -> 'new'\n't/a.c' -> 'new/a.c'\n't/src' -> 'new/src'\n"
      .. "'t/src/b.c' -> 'new/src/b.c'\n2 files, 2 directories, 5 B copied\n",
      beside.sorted(run "cp -rv --exclude '*.o' --exclude build t new"))
  end)

  it("is what mv leaves behind", function()
    for _, words in ipairs { "--exclude '*.o' --exclude build", "--exclude-from ignored" } do
      run("mv " .. words .. " t new")
      assert.equal("./a.c ./src/b.c ", files_in "new", words)
      assert.equal("./a.o ./build/x ./src/b.o ./src/build/y ", files_in "t", words)
      run "cp -rn new/. t/"
      sh "rm -r new"
    end
    run "mv --include '*.o' t new"
    assert.equal("./a.o ./src/b.o ", files_in "new")
    assert.equal("./a.c ./build/x ./src/b.c ./src/build/y ", files_in "t")
  end)

  it("is what find does not find", function()
    assert.equal(sh "find t ! -name '*.o' ! -path '*/build*' | LC_ALL=C sort",
      (beside.sorted(run "find --exclude '*.o' --exclude build t"):gsub("\n$", "")))
    assert.equal("t/a.c\nt/src/b.c\n",
      beside.sorted(run "find t --exclude-from=ignored -type f"))
    assert.equal("t/a.o\nt/src/b.o\n",
      beside.sorted(run "find t --include '*.o' -type f --exclude /build"))
    run "find t --exclude '*.c' -type f -delete"
    assert.equal("./a.c ./src/b.c ", files_in "t")
    fails("find t --exclude", "--exclude")
  end)

  it("is what diff does not compare", function()
    run "cp -r t new"
    sh "rm -r new/build new/src/b.o && printf other >new/a.o && touch new/more.o new/more.c"
    local status, out = beside.run(folder, command, "diff --exclude '*.o' --exclude build t new")
    assert.same({ 1, "Only in new: more.c\n" }, { status, out })
    status, out = beside.run(folder, command, "diff --include '*.o' t new")
    assert.same({ 1, "Files t/a.o and new/a.o differ\nOnly in new: more.o\n"
      .. "Only in t/src: b.o\nOnly in t: build\n" }, { status, beside.sorted(out) })
    run "diff --exclude-from ignored --exclude more.c t new"
  end)

  it("is what rm -r leaves", function()
    assert.equal("2 files, 0 directories would be deleted\nwould remove 't/a.o'\n"
      .. "would remove 't/src/b.o'\n", beside.sorted(run "rm -r --dry-run --include '*.o' t"))
    assert.equal("2 files, 0 directories deleted\nremoved 't/a.o'\nremoved 't/src/b.o'\n",
      beside.sorted(run "rm -rv --include '*.o' t"))
    assert.equal("./a.c ./build/x ./src/b.c ./src/build/y ", files_in "t")
    run "rm -r --exclude '*.c' t"
    assert.equal("./a.c ./src/b.c ", files_in "t")
    run "rm -rj4 t"
    assert.equal("./ignored", tmpdir.list(folder))
    fails("rm -ri --exclude x t", "-i")
  end)

  it("is what du does not count, as the system's", function()
    for _, words in ipairs { "-b --exclude '*.o' t", "-ab --exclude build t", "-bs --exclude=src t",
      "-b --exclude 'b*' t t/src" } do
      local _, expected = beside.run(folder, "du", words)
      assert.equal(beside.sorted(expected), beside.sorted(run("du " .. words)), words)
    end
    assert.equal("5\t2 files\t2 dirs\tt\n", run "du -j 3 --exclude-from ignored t")
  end)

  it("is what sync neither copies nor deletes", function()
    run "cp -a t new"
    sh "touch new/z.o new/z.c && rm new/a.c"
    assert.equal("1 copied, 3 kept, 1 deleted, 0 B\n", run "sync -d --exclude '*.o' t new")
    assert.equal("./a.c ./a.o ./build/x ./src/b.c ./src/b.o ./src/build/y ./z.o ", files_in "new")
  end)

  it("takes a word that looks like an option", function()
    sh "touch t/-x t/--x"
    run "cp -r --exclude -x --exclude --x --exclude-from ignored t new"
    assert.equal("./a.c ./src/b.c ", files_in "new")
    run "cp -rt new -- t/-x"
    assert.equal("./-x ./a.c ./src/b.c ", files_in "new")
  end)

  it("fails for a file of patterns that is missing", function()
    for _, words in ipairs { "cp -r --exclude-from none t new", "du --exclude-from none t",
      "rm -r --exclude-from none t", "sync --exclude-from none t new" } do
      local status, _, err = beside.run(folder, command, words)
      assert.equal(1, status, words)
      assert.truthy(err:find("NOT_FOUND", 1, true), err)
    end
  end)
end)

describe("-j", function()
  it("is a number of jobs", function()
    for _, word in ipairs { "0", "x", "-1", "1.5", "99999" } do
      fails("cp -r -j " .. word .. " t new", "is not a number of jobs")
    end
  end)
end)

describe("sync -v", function()
  local first = "'t/a.c' -> 'new/a.c'\n't/a.o' -> 'new/a.o'\n't/build/x' -> 'new/build/x'\n"
    .. "'t/src/b.c' -> 'new/src/b.c'\n't/src/b.o' -> 'new/src/b.o'\n"
    .. "'t/src/build/y' -> 'new/src/build/y'\n6 copied, 0 kept, 0 deleted, 5 B\n"

  it("tells of each file that it copies, and of no other", function()
    assert.equal(first, beside.sorted(run "sync -nv t new"))
    assert.equal("./ignored", sh "ls -d ./ignored new 2>/dev/null || true")
    assert.equal(first, beside.sorted(run "sync -v --progress t new"))
    assert.equal("0 copied, 6 kept, 0 deleted, 0 B\n", run "sync -v t new")
    sh "echo more >>t/src/b.c"
    assert.equal("'t/src/b.c' -> 'new/src/b.c'\n1 copied, 5 kept, 0 deleted, 10 B\n",
      run "sync -v t new")
  end)

  it("tells of what it deletes", function()
    run "sync t new"
    sh "mkdir new/more new/more/er && touch new/more/er/z new/y.o"
    local told = "0 copied, 6 kept, 4 deleted, 0 B\n%s 'new/more/er/z'\n%s 'new/y.o'\n"
      .. "%s directory 'new/more'\n%s directory 'new/more/er'\n"
    for _, row in ipairs { { "sync -dnv t new", "would remove" },
      { "sync -dv t new", "removed" } } do
      assert.equal(told:gsub("%%s", row[2]) .. "", beside.sorted(run(row[1])))
    end
    assert.equal(files_in "t", files_in "new")
  end)

  it("prints JSON alone where that is asked for", function()
    assert.truthy(run "sync -v --json t new":find "^{[^\n]+}\n$")
  end)
end)
