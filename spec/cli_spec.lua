-- The command `modfs`: its words, its statuses, and that it runs from wherever it stands.
local build = require "spec.fixtures.build"
local json = require "modfs.cli.json"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root = os.getenv "BUILD" or "build"
local lua = os.getenv "LUA" or "lua5.4"
local modfs = lua .. " bin/modfs"
local version = lua:match "%d%.%d" or "5.1"

local function fails_as_usage(...)
  local status, out, err = shell.run(...)
  assert.equal(2, status, out .. err)
  assert.equal("", out)
  assert.is_truthy(err:find "^modfs: [^\n]+\n$", err)
  return err
end

describe("the command modfs", function()
  it("ends with 2 and one line for what it does not understand", function()
    assert.is_truthy(fails_as_usage(modfs):find("no command", 1, true))
    assert.is_truthy(fails_as_usage(modfs, "nosuch"):find("'nosuch'", 1, true))
    for word, near in pairs { fnid = "find", lss = "ls", pugins = "plugins", cpp = "cp" } do
      local err = fails_as_usage(modfs, word)
      assert.is_truthy(err:find(("did you mean '%s'?"):format(near), 1, true), err)
    end
    assert.is_nil(fails_as_usage(modfs, "frobnicate"):find("mean", 1, true))
    assert.is_truthy(fails_as_usage(modfs, "ls", "--recursve"):find("'--recursive'", 1, true))
    fails_as_usage(modfs, "inspect")
    fails_as_usage(modfs, "inspect", "a", "b")
    fails_as_usage(modfs, "inspect", "--nosuch", "a")
    fails_as_usage(modfs, "inspect", "no/such.so")
    fails_as_usage(modfs, "inspect", "a\nb")
  end)

  it("helps, and tells its version", function()
    for _, word in ipairs { "--help", "-h", "help" } do
      local out = shell.output(modfs, word)
      assert.is_truthy(out:find("inspect FILE.so", 1, true))
      assert.is_truthy(out:find("check FILE.so", 1, true))
    end
    assert.is_truthy(shell.output(modfs, "inspect", "--help"):find("--json", 1, true))
    assert.equal(require("modfs")._VERSION, shell.output(modfs, "--version"))
    assert.equal(require("modfs")._VERSION, shell.output(modfs, "version"))
    assert.is_truthy(shell.output(modfs, "--help"):find("--version", 1, true))
    assert.equal(shell.output(modfs, "cp", "--help"), shell.output(modfs, "help", "cp"))
    fails_as_usage(modfs, "help", "nosuch")
  end)

  it("names the package that is missing", function()
    local status, out, err = shell.run(lua .. " -e", [[
      package.preload.argparse = function() error "away" end
      arg = { [0] = "bin/modfs", "inspect", "README.md" }
      dofile "bin/modfs"
    ]])
    assert.same({ 1, "" }, { status, out })
    assert.is_truthy(err:find "^modfs: [^\n]+lua%-argparse[^\n]+\n$", err)
  end)

  it("runs from any folder by its own name", function()
    local here = shell.output "pwd -P"
    local tree = root:find "^/" and root or here .. "/" .. root
    local clean = "env -u LUA_PATH -u LUA_CPATH -u LUA_PATH_5_4 -u LUA_CPATH_5_4 "
    local out = shell.output("cd / && BUILD=" .. shell.quote(root) .. " " .. clean
      .. (version == "5.4" and "" or lua .. " ") .. shell.quote(here .. "/bin/modfs"), "inspect",
      tree .. "/modfs/plugins/mem.so")
    assert.is_truthy(out:find("mem.so: would load", 1, true))
  end)

  it("runs through links to it", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    shell.output("ln -s", shell.output "pwd -P" .. "/bin/modfs", folder .. "/it's")
    shell.output("ln -s", "it's", folder .. "/again")
    for _, name in ipairs { "it's", "again" } do
      local out = shell.output(("cd %s && env -u LUA_PATH -u LUA_CPATH %s"):format(folder, lua),
        name, "--version")
      assert.equal(require("modfs")._VERSION, out)
    end
  end)

  it("is installed with the places of what it needs", function()
    local folder = tmpdir.new()
    finally(function() tmpdir.remove(folder) end)
    shell.output("env -u MAKEFLAGS -u MAKELEVEL make install BUILD=" .. root, "PREFIX=" .. folder)
    local clean = "cd / && env -u LUA_PATH -u LUA_CPATH -u LUA_PATH_5_4 -u LUA_CPATH_5_4 -u BUILD "
    local out = shell.output(clean .. folder .. "/bin/modfs", "inspect",
      folder .. "/lib/lua/" .. version .. "/modfs/plugins/posix.so")
    assert.is_truthy(out:find("posix.so: would load", 1, true))
    assert.is_truthy(out:find(("%s/lib/lua/%s/modfs/libtensorflow_framework"):format(folder,
      version), 1, true))
    shell.output("test -s", folder .. "/share/man/man1/modfs.1")
    out = shell.output("echo 'help \"isdir\"' | env -u LUA_PATH -u LUA_CPATH " .. folder
      .. "/bin/modfs repl")
    assert.is_truthy(out:find("modfs.isdir(path)", 1, true), out)
  end)
end)

describe("modfs plugins", function()
  it("lists what is loaded and what is offered", function()
    local out = shell.output(modfs, "plugins")
    for _, name in ipairs { "posix", "mem", "reference" } do
      assert.is_truthy(out:find("available  [^\n]*/" .. name .. "%.so"), out)
    end
    assert.is_truthy(out:find("loaded     [^\n]*/mem%.so  mem://"), out)
    local text = shell.output(modfs, "plugins", "--json")
    assert.is_truthy(text:find('"schemes":["mem"]', 1, true), text)
    fails_as_usage(modfs, "plugins", "more")
  end)
end)

describe("modfs doctor", function()
  it("names the plugin of a path", function()
    local status, out = shell.run(modfs, "doctor", "mem://a")
    assert.equal(0, status)
    assert.is_truthy(out:find("served by [^\n]*/mem%.so"), out)
    assert.is_truthy(shell.output(modfs, "doctor", "/etc"):find("posix.so", 1, true))
    fails_as_usage(modfs, "doctor")
  end)

  it("asks it for the path, too", function()
    local status, out = shell.run(modfs, "doctor", "file://elsewhere/x")
    assert.equal(1, status)
    assert.is_truthy(out:find("which refuses it: INVALID_ARGUMENT: exists file://else", 1, true))
  end)

  it("names the plugin of a device, whatever the case of its name", function()
    for _, name in ipairs { "REFERENCE:0", "reference:1" } do
      local status, out = shell.run(modfs, "doctor", name)
      assert.equal(0, status)
      assert.is_truthy(out:find("/plugins/reference.so: serves it", 1, true), out)
    end
    for name, words in pairs { ["REFERENCE:2"] = "INVALID_ARGUMENT: open a device of REFERENCE: ",
      ["NOSUCH:0"] = "/nosuch.so: no such file",
      ["MEM:0"] = 'offers no platform "MEM"; it has: none' } do
      local status, out = shell.run(modfs, "doctor", name)
      assert.equal(1, status)
      assert.is_truthy(out:find(words, 1, true), out)
    end
    assert.is_truthy(shell.output(modfs, "doctor", "./REFERENCE:0"):find("posix.so", 1, true))
    local text = shell.output(modfs, "doctor", "--json", "REFERENCE:0")
    assert.is_truthy(text:find('"platform":"REFERENCE","plugin":"/', 1, true), text)
  end)

  it("tells why a server cannot be reached, and which plugin serves the path", function()
    local paths = { hdfs = "hdfs://127.0.0.1/a", webhdfs = "webhdfs://127.0.0.1:1/a",
      az = "az://acc/con/a", s3 = "s3://bucket/a", gs = "gs://bucket/a",
      http = "http://127.0.0.1:1/a" }
    local settings = "MODFS_HDFS_HTTP_PORT=1"
    for _, name in ipairs { "HDFS", "AZ", "S3", "GS", "HTTP" } do
      settings = settings .. (" MODFS_%s_RETRIES=0"):format(name)
    end
    for _, name in ipairs { "AZ", "S3", "GS" } do
      settings = settings .. (" MODFS_%s_ENDPOINT=http://127.0.0.1:1 MODFS_%s_ANONYMOUS=1"):format(
        name, name)
    end
    for _, plugin in ipairs((require("modfs").available())) do
      local path = paths[plugin.name]
      if path then
        local status, out = shell.run("env " .. settings .. " " .. modfs, "doctor", path)
        assert.equal(1, status)
        assert.is_nil(out:find("no plugin serves it", 1, true), out)
        assert.is_truthy(out:find((".so: serves it, but fails: UNAVAILABLE: exists %s: ")
          :format(path), 1, true), out)
        assert.is_truthy(out:find("connect", 1, true), out)
        out = select(2, shell.run("env " .. settings .. " " .. modfs, "doctor", "--json", path))
        assert.is_truthy(out:find('"plugin":"/[^"]*/' .. plugin.name .. '%.so"'), out)
        assert.is_truthy(out:find('"fault":"UNAVAILABLE: ', 1, true), out)
      end
    end
  end)

  it("tells where it looked for one that nobody has", function()
    local status, out = shell.run(modfs, "doctor", "nosuch://a")
    assert.equal(1, status)
    assert.is_truthy(out:find("/nosuch.so: no such file", 1, true), out)
    assert.is_truthy(out:find("mem", 1, true), out)
  end)

  it("finds plugins, and tells why one fails", function()
    local shelf = build.shelf()
    finally(function() shelf:remove() end)
    local gallery = build.compile("broken.so", "spec/fixtures/broken")
    local runner = shelf:write("run.lua", ([[
      package.path, package.cpath = "lua/?.lua;lua/?/init.lua;" .. package.path, %q .. package.cpath
      require("modfs").plugin_path = %q
      os.exit(require("modfs.cli").main { "doctor", arg[1] }, true)
    ]]):format(root .. "/?.so;", shelf.folder .. "/?.so"))
    local doctor = lua .. " " .. runner
    shelf:put(gallery, "good", "abi.filesystem")
    shelf:write("text.so", "no plugin")
    assert.is_truthy(shell.output(doctor, "good://x"):find("good.so: serves it", 1, true))
    for uri, words in pairs { ["abi.filesystem://x"] = "filesystem table has ABI 1",
      ["text://x"] = "not an ELF file", ["none://x"] = "no such file" } do
      local status, out = shell.run(doctor, uri)
      assert.equal(1, status)
      assert.is_truthy(out:find(words, 1, true), out)
    end
  end)
end)

describe("-h", function()
  local modules = require("modfs.cli").modules

  it("is never help with status 0 behind the name of a command", function()
    for name in pairs(modules) do
      local status, out, err = shell.run(modfs, name, "-h", "/no/such/place")
      assert.is_true(status ~= 0, name .. "\n" .. out)
      assert.is_nil(out:find("Usage:", 1, true), name)
      assert.is_truthy(err:find "^modfs: [^\n]+\n$", err)
    end
    assert.equal("modfs: cp: unknown option '-h'; help is --help\n",
      fails_as_usage(modfs, "cp", "-h"))
  end)

  it("means sizes with units for ls and du", function()
    local folder = tmpdir.new()
    tmpdir.write(folder .. "/a", ("x"):rep(4200))
    assert.equal("a", shell.output(modfs, "ls", "-h", folder))
    assert.is_truthy(shell.output(modfs, "ls", "-l", "-h", folder)
      :find "^%-rw.* 4%.2K %d%d%d%d%-.* a$")
    assert.is_truthy(shell.output(modfs, "du", "-h", folder):find "^4%.2K\t1 files\t1 dirs\t")
    tmpdir.remove(folder)
  end)
end)

describe("names with control bytes", function()
  local folder, name = nil, "a\27[31m\tb\nc\127"

  setup(function()
    folder = tmpdir.new()
    tmpdir.write(folder .. "/" .. name, "x")
  end)
  teardown(function() tmpdir.remove(folder) end)

  for _, words in ipairs { "ls", "ls -l", "find", "du", "stat", "sum", "glob" } do
    it("are escaped by " .. words .. " on a terminal, and there alone", function()
      local command = ("%s %s %s"):format(modfs, words, shell.quote(folder .. "/*"))
      if words == "ls" then
        command = ("%s ls %s"):format(modfs, shell.quote(folder))
      end
      local escaped = words:find "^ls" and "a'$'\\033''[31m'$'\\t''b'$'\\n''c'$'\\177'"
        or "a\\033[31m\\tb\\nc\\177"
      local shown = shell.output("script -qec", command, "/dev/null")
      assert.is_truthy(shown:find(escaped, 1, true), shown)
      assert.is_nil(shown:find("\27", 1, true), shown)
      assert.is_truthy(shell.output(command):find(name, 1, true))
    end)
  end
end)

describe("modfs check", function()
  local mem = root .. "/modfs/plugins/mem.so"

  it("takes its words as the others do", function()
    assert.equal(shell.output(modfs, "help", "check"),
      shell.output(modfs, "check", "--help"))
    assert.is_truthy(shell.output(modfs, "check", "--only=upstream.001", "--tap", mem)
      :find("\nok 2 - upstream.001", 1, true))
  end)

  it("refuses in one line what it does not understand", function()
    fails_as_usage(modfs, "check")
    fails_as_usage(modfs, "check", "--nosuch", mem)
    fails_as_usage(modfs, "check", "--json", "--tap", mem)
    fails_as_usage(modfs, "check", "--scheme", "mem", "--platform", "X", mem)
    for _, option in ipairs { "--strict", "--seed", "--jobs", "--seconds" } do
      for _, word in ipairs { "x", "1.5", "0x2" } do
        fails_as_usage(modfs, "check", option, word, mem)
      end
    end
    fails_as_usage(modfs, "check", "--only", "[", mem)
    fails_as_usage(modfs, "check", "no/such.so")
    assert.equal("modfs: check: /tmp is a directory\n", fails_as_usage(modfs, "check", "/tmp"))
  end)
end)

describe("the JSON of the command", function()
  for value, text in pairs {
    [1] = "1", [-1.5] = "-1.5", [2 ^ 53] = "9007199254740992", [1e300 * 1e10] = "null",
    ["a\"\\\n\0\127"] = [["a\"\\\n\u0000\u007f"]],
    ["\195\164\255"] = "\"\195\164\\u00ff\"",

    ["\237\160\128"] = [["\u00ed\u00a0\u0080"]], ["\192\128"] = [["\u00c0\u0080"]],
    [true] = "true", [print] = "null",
  } do
    it("has " .. text, function()
      assert.equal(text, json.encode(value))
    end)
  end

  it("has every digit of an integer, where Lua has integers", function()
    local kind = rawget(math, "type")
    if not kind then
      return pending "this Lua has floats alone"
    end
    assert.equal("[1795336816478963499,-9223372036854775807]",
      json.encode { tonumber "1795336816478963499", tonumber "-9223372036854775807" })
    assert.equal("9.2233720368547758e+18", json.encode(2 ^ 63))
  end)

  it("has arrays and objects, these in order", function()
    assert.equal('{"a":[],"b":[1,[2]],"c":{"d":false}}',
      json.encode { a = {}, b = { 1, { 2 } }, c = { d = false } })
  end)

  it("is what inspect prints", function()
    local out = shell.output(modfs, "inspect", "--json", root .. "/modfs/plugins/mem.so")
    assert.is_truthy(out:find '^{"build_id":"%x+","entry_points":%["TF_InitPlugin","modfs_', out)
    assert.is_truthy(out:find('"would_load":true}', 1, true), out)
    assert.is_nil(out:find "\n")
  end)
end)
