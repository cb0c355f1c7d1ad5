-- modfs ls beside the system's own, on odd names.
local odd_tree = require "spec.support.odd_tree"
local quote = require "modfs.cli.quote"
local shell = require "spec.support.shell"
local sizes = require "modfs.cli.sizes"
local tmpdir = require "spec.support.tmpdir"

local lua = os.getenv "LUA" or "lua5.4"
local command = lua .. " " .. shell.output "pwd -P" .. "/bin/modfs"

describe("modfs ls", function()
  local top
  setup(function()
    top = odd_tree.new()
  end)
  teardown(function()
    tmpdir.remove(top)
  end)

  local function run(program, words)
    return shell.run(("cd %s && LC_ALL=C.UTF-8 TZ=UTC-3 %s %s"):format(shell.quote(top), program,
      words))
  end

  -- The same output as ls, where it adds nothing of its own.
  local function same(words, more, filter)
    local _, expected = run("ls", (more or "") .. words)
    local status, out, err = run(command .. " ls", words)
    assert.same({ 0, "" }, { status, err }, words)
    assert.equal(filter and filter(expected) or expected, out, words)
  end

  it("lists names as ls does", function()
    for _, words in ipairs { "", "-1", "-a", "-A", "-aA", "-r", "-t", "-S", "-tr", "-St", "-tS",
      "-Sr1", "-at", "-d", "-d sub .dot b.txt", "sub", "sub/", "-t b.txt plain sub .dot/x", "-R",
      "-aR", "-R sub", "-rtR sub .dot/", "-1d -- -dash --all", "-- --all sub", "plain",
      "-a sub/deep\\ er/empty", "-Ra .", "-F", "-p", "-Fa sub plain b.txt", "-FpR", "-pF sub",
      "-dF sub plain" } do
      same(words)
    end
  end)

  it("lists attributes as ls -l does", function()
    local function without_totals(text)
      return (("\n" .. text):gsub("\ntotal [%d.]+%a?%f[\n]", ""):sub(2))
    end
    for _, words in ipairs { "-l", "-la sub", "-ln", "-lh", "-lhS", "-ltr", "-ld", "-lR",
      "-l sub", "-l b.txt plain", "-ld tmp open stuck sub plain", "-lF",
      "-lpa sub" } do
      same(words, "--time-style=long-iso ", without_totals)
    end
  end)

  it("colors names as ls does", function()
    local colors = "di=01;34:ln=01;36:ex=01;32:mh=00:mi=00:*.txt=33:*.tar=01;31:*r=35:"
    for _, environment in ipairs { colors, colors .. "rs=1", "ow=0:tw=00:st=44:fi=1",
      "rs=0" } do
      for _, words in ipairs { "--color=always", "-lA --color=always", "-R --color sub" } do
        local set = ("LS_COLORS='%s' "):format(environment)
        local _, expected = run(set .. "ls", "--time-style=long-iso " .. words)
        local _, out = run(set .. command .. " ls", words)
        assert.equal((("\n" .. expected):gsub("\ntotal [%d.]+%a?%f[\n]", ""):sub(2)), out, words)
      end
    end
    local _, plain = run("ls", "")
    for _, words in ipairs { "--color=never", "--color=auto", "" } do
      assert.equal(plain, (select(2, run(command .. " ls", words))))
    end
  end)

  it("quotes and colors on a terminal as ls does", function()
    local function on_terminal(program, words)
      local _, out = run(("TERM=xterm LS_COLORS='di=01;34:ex=01;32' script -qec %s /dev/null")
        :format(shell.quote(program .. " " .. words)), "")
      return out
    end
    for _, words in ipairs { "-1", "-1a", "-R1 sub", "-1 sub .", "", "-a", "-R", "sub b.txt", "-d",
      "plain", ".dot/x" } do
      assert.equal(on_terminal("ls --color=never", words),
        on_terminal(command .. " ls --color=never", words))
      assert.equal(on_terminal("ls --color=auto", words), on_terminal(command .. " ls", words))
      assert.equal(on_terminal("ls --color=never", words),
        on_terminal("NO_COLOR=1 " .. command .. " ls", words))
    end
    local long = on_terminal("ls --color=never --time-style=long-iso", "-l")
    assert.equal((("\n" .. long):gsub("\ntotal %d+\r%f[\n]", ""):sub(2)),
      on_terminal(command .. " ls --color=never", "-l"))
  end)

  it("fills columns as ls does", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    for i = 1, 90 do
      tmpdir.write(("%s/%s"):format(folder, ("name"):rep(i * i % 7, "-") .. i), "")
    end
    shell.output(("cd %s && touch '\230\150\135\229\173\151' e\204\129t\195\169 '\240\159\152\128'")
      :format(folder))
    for _, width in ipairs { 20, 1, 3, 37, 80, 200, 1000 } do
      local line = ("cd %s && export LC_ALL=C.UTF-8 COLUMNS=%d && stty cols %d && "):format(folder,
        width, width)
      local function on_terminal(program)
        return (select(2, shell.run("script -qec", line .. program, "/dev/null")))
      end
      assert.equal(on_terminal "ls", on_terminal(command .. " ls --color=never"))
    end
  end)

  it("lists a link to a directory with -l and -d, and else what is in it", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    shell.output(("cd %s && mkdir d && echo x >d/x && ln -s d l"):format(folder))
    assert.equal("x", shell.output(command .. " ls", folder .. "/l"))
    assert.equal(folder .. "/l", shell.output(command .. " ls -d", folder .. "/l"))
    assert.truthy(shell.output(command .. " ls -l", folder .. "/l"):find("^lrwx[^\n]+/l"))
    assert.truthy(shell.output(command .. " ls -l", folder .. "/l/"):find("^%-rw[^\n]+ x$"))
    shell.output(("cd %s && ln -s 'a b' broken && ln -s d/x file && chmod +x d/x"):format(folder))
    for _, words in ipairs { "-l", "-lF", "-lp" } do
      local line = ("cd %s && %%s %s --color=never"):format(folder, words)
      assert.equal(shell.output(line:format "ls --time-style=long-iso" .. " | sed 1d"),
        shell.output(line:format(command .. " ls")))
    end
    for _, words in ipairs { "-F", "-p", "-F l l/ broken file d", "-p l broken", "-1F l" } do
      local line = ("cd %s && %%s %s"):format(folder, words)
      assert.equal(shell.output(line:format "ls"), shell.output(line:format(command .. " ls")))
    end
  end)

  it("prints JSON with what is known", function()
    local _, out = run(command .. " ls", "--json -R sub/deep\\ er")
    assert.truthy(out:find('"kind":"directory","length":%d+,"links":2,"mode":493,"mtime":'), out)
    assert.truthy(out:find('"name":"empty"', 1, true))
    assert.truthy(out:find('"path":"sub/deep er/it\'s\\nx"', 1, true))
  end)

  it("goes on behind what is missing", function()
    local status, out, err = run(command .. " ls", "none sub/deep\\ er/empty")
    assert.same({ 1, "sub/deep er/empty:\n" }, { status, out })
    assert.truthy(err:find "^modfs: ls: NOT_FOUND: [^\n]+\n$")
    assert.equal(2, (run(command .. " ls", "--color=sometimes")))
    assert.equal(2, (run(command .. " ls", "--colour")))
  end)

  it("shows . and .. only where they are entries", function()
    local _, out = run(command .. " ls", "-a mem://")
    assert.equal("", out)
  end)
end)

describe("quoting for messages", function()
  it("is what the shell reads back", function()
    for _, names in ipairs { odd_tree.names, odd_tree.hidden } do
      for _, name in ipairs(names) do
        for _, form in ipairs { "shell", "always" } do
          local text = quote[form](name)
          assert.equal(name .. "|", shell.output(("bash -c %s"):format(
            shell.quote(("printf '%%s|' %s"):format(text)))), text)
        end
      end
    end
    assert.equal("''", quote.shell "")
  end)
end)

describe("sizes with units", function()
  it("are those of GNU", function()
    local numbers = { 0, 1, 999, 1000, 1023, 1024, 1025, 1075, 1126, 1127, 4200, 10137, 10138,
      10239, 10240, 10241, 102400, 1023 * 1024, 1024 * 1024 - 1, 1024 * 1024, 1234567, 2 ^ 30 - 1,
      2 ^ 40, 2 ^ 43 + 1, 123456789012 }
    for _, number in ipairs(numbers) do
      assert.equal(shell.output(("numfmt --to=iec --round=up %d"):format(number)),
        sizes.human(number))
    end
  end)
end)
