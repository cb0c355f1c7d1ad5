-- What the host does where a plugin leaves a slot empty: a plugin with as few slots as upstream's
-- posix plugin has, over real directories, with the operating system's tools as the second opinion.
-- What each operation promises belongs to the cases of `modfs check`, which run here, too.
local build = require "spec.fixtures.build"
local check = require "modfs.check"
local fails = require "spec.support.fails"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"
local modfs = require "modfs"

local shelf, fs, root

-- The URI of a path below the test's directory.
local function uri(path)
  return "few://" .. root .. "/" .. path
end

local function here(path)
  return root .. "/" .. path
end

local function touch(...)
  for _, path in ipairs { ... } do
    shell.output("mkdir -p", (here(path):gsub("/[^/]*$", "")))
    tmpdir.write(here(path), "content of " .. path)
  end
end

-- What the plugin was asked since the last time, as the lines that begin with verb.
local function asked(verb)
  local lines = {}
  for line in assert(modfs.read "few:///few.log"):gmatch("[^\n]+") do
    local what, argument = line:match "^(%S+) (.*)$"
    lines[#lines + 1] = what == verb and argument or nil
  end
  return lines
end

setup(function()
  shelf = build.shelf()
  local few = build.compile("few.so", "spec/fixtures/defaults/few.c")
  local deep = build.compile("deep.so", "spec/fixtures/defaults/deep.c")
  assert(modfs.load(shelf:put(few, "few")))
  assert(modfs.load(shelf:put(deep, "deep")))
  fs = assert(modfs.filesystem "few")
end)

teardown(function() shelf:remove() end)

before_each(function() root = shell.output("realpath", tmpdir.new()) end)

after_each(function() tmpdir.remove(root) end)

describe("operations()", function()
  it("reports who fills each of the 33 slots", function()
    local expected = {}
    for origin, names in pairs {
      plugin = "init cleanup new_random_access_file new_writable_file new_appendable_file"
        .. " create_dir delete_file delete_dir path_exists stat get_children",
      default = "recursively_create_dir delete_recursively rename_file copy_file paths_exist"
        .. " is_directory get_file_size translate_name get_matching_paths flush_caches"
        .. " decode_transaction_token get_filesystem_configuration"
        .. " get_filesystem_configuration_option set_filesystem_configuration_option"
        .. " get_filesystem_configuration_keys",
      missing = "new_read_only_memory_region_from_file start_transaction end_transaction"
        .. " add_to_transaction get_transaction_for_path get_or_start_transaction_for_path"
        .. " set_filesystem_configuration",
    } do
      for name in names:gmatch "%S+" do
        expected[name] = origin
      end
    end
    assert.same(expected, fs:operations())
  end)
end)

describe("the host's defaults", function()
  for group, least in pairs { upstream = 95, replacing = 14, trees = 15, globs = 9, extras = 2 } do
    it("pass the cases of modfs check: " .. group, function()
      local report = check.run { file = shelf:path "few", only = group .. ".*", seconds = 30 }
      assert.equal("", verdict.failures(report))
      assert.is_true(report.ok)
      assert.is_true(report.passed >= least, report.passed .. " passed")
    end)
  end
end)

describe("translate_name", function()
  it("drops scheme and host, and cleans the rest by its text", function()
    for given, expected in pairs {
      [""] = "",
      ["/"] = "/",
      ["//"] = "/",
      ["a_file"] = "a_file",
      ["a_dir/.."] = ".",
      ["//a//b/"] = "/a/b",
      ["/.."] = "/",
      ["/a/b/../../.."] = "/",
      ["../../a/b/../c"] = "../../a/c",
      ["few://"] = "/",
      ["few:///"] = "/",
      ["few:////"] = "/",
      ["few://host"] = "/",
      ["few://host/a/./b//c"] = "/a/b/c",
      ["few:///a/../../x"] = "/x",
    } do
      assert.equal(expected, fs:translate_name(given), given)
    end
  end)

  it("refuses a URI of another scheme", function()
    fails("INVALID_ARGUMENT", fs:translate_name "mem://a")
  end)
end)

describe("recursively_create_dir", function()
  it("succeeds on the root", function()
    assert.is_true(modfs.makedirs "few:///")
  end)
end)

describe("delete_recursively", function()
  it("counts what it could not delete, and deletes the rest", function()
    touch("tree/keep.1", "tree/a", "tree/deep/keep.2", "tree/deep/b", "tree/gone/c")
    local result = { modfs.rmtree(uri "tree") }
    fails("PERMISSION_DENIED", result[1], result[2], result[3])
    assert.same({ 2, 2 }, { result[4], result[5] })
    assert.equal("./tree\n./tree/deep\n./tree/deep/keep.2\n./tree/keep.1", tmpdir.list(root))
  end)

  it("deletes links, and never what they lead to, although the plugin cannot tell them", function()
    touch("outside/precious", "tree/file")
    shell.output("ln -s", here "outside", here "tree/to_directory")
    shell.output("ln -s", here "outside/precious", here "tree/to_file")
    shell.output("ln -s nowhere", here "tree/dangling")
    shell.output("ln -s .", here "tree/to_itself")
    shell.output("ln -s loop", here "tree/loop")
    shell.output("ln -s outside", here "link")
    assert.is_true(modfs.isdir(uri "tree/to_directory"))
    assert.same({ true, 0, 0 }, { modfs.rmtree(uri "tree") })
    assert.same({ true, 0, 0 }, { modfs.rmtree(uri "link") })
    assert.equal("./outside\n./outside/precious", tmpdir.list(root))
  end)

  it("needs no stack: 20,000 directories in one another are made and deleted", function()
    local path = "deep://" .. ("/d"):rep(20000)
    assert.is_true(modfs.makedirs(path))
    assert.is_true(modfs.isdir(path))
    assert.same({ true, 0, 0 }, { modfs.rmtree "deep:///d" })
    assert.is_false(modfs.exists "deep:///d")
    assert.same({}, modfs.listdir "deep:///")
  end)
end)

describe("copy_file", function()
  it("reads pieces of 128 KiB", function()
    local size = 3 * 128 * 1024 + 5
    shell.output("head -c " .. size .. " /dev/urandom >" .. shell.quote(here "source"))
    asked "read"
    assert.is_true(modfs.copy(uri "source", uri "copy"))
    assert.same({ "131072", "131072", "131072", "131072" }, asked "read")
    assert.equal("", shell.output("cmp", here "source", here "copy"))
  end)
end)

describe("a filesystem without them", function()
  it("has no options", function()
    assert.same({}, fs:get_filesystem_configuration())
    assert.same({}, fs:get_filesystem_configuration_keys())
    fails("NOT_FOUND", fs:get_filesystem_configuration_option "speed")
    fails("NOT_FOUND", fs:set_filesystem_configuration_option { name = "speed", type = "int",
      value = 1 })
    fails("UNIMPLEMENTED", fs:set_filesystem_configuration { { name = "speed", type = "int",
      value = 1 } })
  end)

  it("starts no transaction", function()
    fails("UNIMPLEMENTED", fs:start_transaction())
  end)

  it("has nothing to flush, which is not a failure", function()
    assert.is_true(fs:flush_caches())
  end)

  it("maps no file", function()
    touch "file"
    fails("UNIMPLEMENTED", fs:new_read_only_memory_region_from_file(uri "file"))
  end)
end)

describe("a file open for writing", function()
  it("flushes where it should sync", function()
    local w = assert(modfs.open(uri "file", "w"))
    assert(w:write "data")
    asked "flush"
    assert.is_true(w:sync())
    assert.equal(1, #asked "flush")
    assert.equal(4, w:tell())
    assert.is_true(w:close())
    assert.equal("data", tmpdir.content(here "file"))
  end)

  it("is closed once", function()
    asked "close"
    assert(modfs.write(uri "file", "data"))
    assert.equal(1, #asked "close")
  end)
end)

describe("get_matching_paths", function()
  local function matches(pattern)
    return assert(fs:get_matching_paths(pattern))
  end

  -- The same with paths below the test's directory on both sides.
  local function found(pattern)
    local prefix = uri ""
    local names = matches(prefix .. pattern)
    for i, name in ipairs(names) do
      assert.equal(prefix, name:sub(1, #prefix))
      names[i] = name:sub(#prefix + 1)
    end
    return names
  end

  it("looks only into the directories that it needs", function()
    touch("abc/file", "abcd/file", "abd/file", "other/abc/file")
    asked "list"
    assert.same({ "abc/file" }, found "abc/*")
    assert.same({ here "abc" }, asked "list")
    assert.same({ "abc/file" }, found "ab[c]/f*")
    assert.same({ root, here "abc" }, asked "list")
    assert.same({ "abc/file" }, found "abc/file")
    assert.same({}, asked "list")
  end)

  it("finds relative names with ./ before them, however they are asked for", function()
    local folder = "spec/fixtures/defaults"
    assert.same({ "./spec" }, matches "spe[c]")
    assert.same({ "./spec" }, matches "./spe[c]")
    assert.same({ folder .. "/few.c" }, matches(folder .. "/fe*"))
    assert.same({ "./" .. folder .. "/few.c" }, matches("./" .. folder .. "/fe*"))
  end)

  it("finds what is in the root", function()
    assert.same({ "few:///proc" }, matches "few:///pro[c]")
    assert.same({ "/proc" }, matches "/pro[c]")
  end)

  it("in the host part is an error, not a crash", function()
    fails("INVALID_ARGUMENT", fs:get_matching_paths "few://*")
    fails("INVALID_ARGUMENT", fs:get_matching_paths "few://*/a")
    fails("INVALID_ARGUMENT", fs:get_matching_paths "few://h[o]st/a*")
    fails("INVALID_ARGUMENT", fs:get_matching_paths "few://\\*")
  end)

  it("leaves out what cannot be listed", function()
    touch "file"
    assert.same({}, found "file/*")
    assert.same({}, found "missing/*")
    assert.same({}, found "fil?/x") -- a file, which the plugin tells when it is asked
  end)
end)

describe("an operation without a slot and a default", function()
  it("is UNIMPLEMENTED, with the operation and the path", function()
    local plain = build.compile("plain.defaults.so", "spec/fixtures/small/plain.c",
      { free = true, flags = [['-DHELPER_ANSWER="plain.defaults"']] })
    assert(modfs.load(shelf:put(plain, "plain.defaults")))
    local bare = assert(modfs.filesystem "plain.defaults")
    local path = "plain.defaults:///a"
    for _, name in ipairs { "new_random_access_file", "new_writable_file", "new_appendable_file",
      "create_dir", "delete_file", "delete_dir", "path_exists", "stat", "get_children",
      "recursively_create_dir", "is_directory", "get_file_size" } do
      local message = fails("UNIMPLEMENTED", bare[name](bare, path))
      assert.is_truthy(message:find(path, 1, true), message)
    end
    fails("UNIMPLEMENTED", bare:rename_file(path, path .. "b"))
    fails("UNIMPLEMENTED", bare:copy_file(path, path .. "b"))
    local result = { bare:delete_recursively(path) }
    fails("UNIMPLEMENTED", result[1], result[2], result[3])
    assert.same({ false, { "UNIMPLEMENTED" } }, { bare:paths_exist { path } })
  end)
end)
