-- The first minutes: what `make install`, `make env` and `modfs --help` tell a new user.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local lua, root = os.getenv "LUA" or "lua5.4", os.getenv "BUILD" or "build"
local clean = "cd / && unset ${!LUA_@} BUILD PKG_CONFIG_PATH LD_LIBRARY_PATH && "
local install = "umask 022; env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s install LUA=" .. lua
  .. " BUILD=" .. root

describe("make install", function()
  local folder, printed

  setup(function()
    folder = tmpdir.new()
    printed = shell.output(install, "PREFIX=" .. folder .. "/a prefix")
  end)
  teardown(function() tmpdir.remove(folder) end)

  it("prints the lines that make it usable from anywhere", function()
    local lines = {}
    for line in printed:gmatch "[^\n]+" do
      lines[#lines + 1] = line:match "^  (export .*)"
    end
    assert.is_true(#lines >= 5, printed)
    local out = shell.output("bash -c", clean .. table.concat(lines, "\n") .. [[

      modfs --version
      command -v modfs
      pkg-config --modversion modfs
      ]] .. lua .. [[ -e 'print(require("modfs").exists "mem://a")']])
    local version = require("modfs")._VERSION
    assert.equal(table.concat({ version, folder .. "/a prefix/bin/modfs",
      version:match "%d.*", "false" }, "\n"), out)
  end)

  it("prints nothing of the kind for DESTDIR, where nothing is used from", function()
    local out = shell.output(install, "PREFIX=/usr", "DESTDIR=" .. folder .. "/stage")
    assert.is_nil(out:find("export", 1, true), out)
  end)
end)

describe("scripts/env.sh", function()
  it("puts the command of that build on the PATH", function()
    local out = shell.output("bash -c", ([[
      eval "$(scripts/env.sh %s)"; %s modfs --version; command -v modfs]]):format(root,
      clean:gsub("unset ${!LUA_@} BUILD", "unset BUILD")))
    assert.is_truthy(out:find("^modfs [%d.]+\n/.*/bin/modfs$"), out)
  end)
end)

describe("modfs --help", function()
  local function help_without(module)
    local hide = ("package.preload[%q] = function() error 'hidden' end"):format(module)
    return shell.output(lua .. " -e", hide, "bin/modfs", "--help")
  end

  it("says beside the commands which package they miss", function()
    assert.is_truthy(help_without "argparse":find("\nNo command works here: [^\n]*lua%-argparse"))
    assert.is_truthy(help_without "readline":find("\n  repl [^\n]*\n +%([^\n]*lua%-readline%)\n"))
    assert.is_nil(help_without "nothing":find("here:", 1, true))
  end)

  it("names the schemes whose plugins were not built, each with its .missing file", function()
    local place = tmpdir.new()
    for _, name in ipairs { "wire.missing", "gone.missing", "there.missing", "there.so" } do
      tmpdir.write(place .. "/" .. name, "its plugin is not built\n")
    end
    local function help(path)
      return shell.output(lua .. " -e", ([[
        require("modfs").plugin_path = %q
        os.exit(require("modfs.cli").main { "--help" })]]):format(path))
    end
    local out = help("/none/?.so;" .. place .. "/?.so")
    assert.is_truthy(out:find("Not built here: gone://, wire://.", 1, true), out)
    assert.is_nil(help("/none/?.so;" .. place .. "/?.xso"):find("Not built", 1, true))
    tmpdir.remove(place)
  end)

  -- What `make WITHOUT=WITHOUT` writes in the place of each of these plugins.
  local function notes(without, names)
    local place = tmpdir.new()
    local folder, files = place .. "/modfs/plugins/", {}
    for i, name in ipairs(names) do
      files[i] = folder .. name .. ".missing"
    end
    shell.output("env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s WITHOUT=" .. without ..
      " BUILD=" .. place, (table.unpack or unpack)(files))
    for i, file in ipairs(files) do
      files[i] = tmpdir.content(file)
    end
    tmpdir.remove(place)
    return files
  end

  -- The note of the packages in plugins/FOLDER/packages.
  local function note_of(folder)
    local names = {}
    for name in io.lines("plugins/" .. folder .. "/packages") do
      names[#names + 1] = name
    end
    local last = table.remove(names)
    local list = #names == 0 and last .. " is" or table.concat(names, ", ") .. " and " .. last ..
      " are"
    return "its plugin is built where " .. list .. " installed\n"
  end

  it("has such a file for each plugin that lacks its libraries", function()
    local http = "its plugin is built where libcurl4-openssl-dev is installed\n"
    assert.equal(http, note_of "http")
    local hdfs, az, s3 = note_of "hdfs", note_of "az", note_of "s3"
    assert.same({ http, http, s3, s3, az, az, az, hdfs, hdfs, hdfs, hdfs }, notes("curl", { "http",
      "https", "s3", "gs", "az", "abfs", "abfss", "hdfs", "webhdfs", "swebhdfs", "viewfs" }))
    assert.same({ hdfs, hdfs, hdfs, hdfs }, notes("hdfs", { "hdfs", "webhdfs", "swebhdfs",
      "viewfs" }))
    assert.same({ az, az, az }, notes("az", { "az", "abfs", "abfss" }))
  end)

  it("and the failure of each of its schemes says so", function()
    local place = tmpdir.new()
    for _, name in ipairs { "hdfs", "webhdfs", "swebhdfs", "viewfs", "az", "abfs", "abfss" } do
      local note = note_of(name:find "fs$" and not name:find "^abfs" and "hdfs" or "az")
      tmpdir.write(place .. "/" .. name .. ".missing", note)
      local message = shell.output(lua .. " -e", ([[
        local modfs = require "modfs"
        modfs.plugin_path = %q
        io.write((select(2, modfs.read "%s://host/a")))]]):format(place .. "/?.so", name))
      assert.is_truthy(message:find(('^UNIMPLEMENTED: [^\n]*no filesystem for the scheme "%s"')
        :format(name)), message)
      assert.is_truthy(message:find("; " .. note:gsub("\n", ""), 1, true), message)
    end
    tmpdir.remove(place)
  end)
end)
