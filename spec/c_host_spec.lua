-- A program in C that knows modfs by its installed headers, library and modfs.pc alone.
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local root = os.getenv "BUILD" or "build"
local program = shell.output "realpath spec/children/c_host.c"

describe("a C host", function()
  local folder, flags
  if sanitized then
    it("is compiled", function()
      pending "the library wants a sanitizer that a plain program does not start with"
    end)
    return
  end

  setup(function()
    folder = shell.output("realpath", tmpdir.new())
    shell.output("chmod 755", folder)
    shell.output("umask 022; env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make install BUILD=" .. root,
      "PREFIX=" .. folder .. "/installed")
    flags = shell.output("PKG_CONFIG_PATH=" .. folder .. "/installed/lib/pkgconfig pkg-config",
      "--cflags", "--libs", "modfs")
    shell.output(("cd %s && cc -std=c11 -Wall -Wextra -Wpedantic -Werror %s -o host %s"):format(
      folder, program, flags))
  end)

  teardown(function()
    tmpdir.remove(folder)
  end)

  it("is compiled, and finds library, runtime and plugins where they were installed", function()
    local plugins = folder .. "/installed/lib/modfs/plugins"
    local out = shell.output("cd / && env -u LD_LIBRARY_PATH " .. folder .. "/host mem://a",
      plugins .. "/?.so")
    assert.equal(("Hello 5 %s\nREFERENCE"):format(plugins), out)
    shell.output("cd / && " .. folder .. "/host", folder .. "/file")
    assert.equal("Hello", tmpdir.content(folder .. "/file"))
    local status, _, err = shell.run("cd / && " .. folder .. "/host", folder .. "/none/file")
    assert.equal(1, status)
    assert.equal(1, (err:find("open " .. folder .. "/none/file:", 1, true)), err)
  end)

  it("may be written in C++", function()
    local compile = "cd %s && g++ -std=c++11 -Wall -Wextra -Werror -x c++ %s -x none -o host_cxx %s"
    shell.output(compile:format(folder, program, flags))
  end)

  it("finds the version in modfs.pc", function()
    local version = shell.output("PKG_CONFIG_PATH=" .. folder .. "/installed/lib/pkgconfig "
      .. "pkg-config --modversion modfs")
    assert.equal(require("modfs")._VERSION, "modfs " .. version)
  end)

  it("needs a library with a name and a version of its own", function()
    local dynamic = shell.output("readelf -dW", folder .. "/host")
    assert.is_truthy(dynamic:find("[libmodfs.so.0]", 1, true))
    assert.is_truthy(shell.output("nm -D", folder .. "/host"):find "modfs_start@MODFS_0")
  end)

  it("sees nothing of the library but what the headers declare", function()
    local headers = shell.output "cd include/modfs && cat modfs.h device.h async.h"
    local symbols = shell.output("nm -D --defined-only", root .. "/libmodfs.so.0")
    local count = 0
    for name in symbols:gmatch "T ([%w_]+)@" do
      count = count + 1
      assert.is_truthy(headers:find("[^%w_]" .. name .. "%("), name .. " is not in the headers")
    end
    for name in headers:gmatch "MODFS_API [^;]-(modfs_[%w_]+)%(" do
      assert.is_truthy(symbols:find(name .. "@", 1, true), name .. " is not in the library")
    end
    assert.is_true(count > 100)
  end)
end)
