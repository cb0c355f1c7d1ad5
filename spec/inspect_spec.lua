-- modfs inspect: what it says of files, beside what readelf and nm say, and of files that lie.
local build = require "spec.fixtures.build"
local contains = require "spec.support.contains"
local demangle = require "modfs.inspect.demangle"
local inspect = require "modfs.inspect"
local json = require "modfs.cli.json"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local describe_report = require "modfs.inspect.text"
local tmpdir = require "spec.support.tmpdir"

local root = os.getenv "BUILD" or "build"
local posix = root .. "/modfs/plugins/posix.so"
local command = "timeout 60 " .. (os.getenv "LUA" or "lua5.4") .. " bin/modfs inspect"
local folder, shelf, gallery

setup(function()
  folder, shelf = tmpdir.new(), build.shelf()
  gallery = build.compile("broken.so", "spec/fixtures/broken")
end)

teardown(function()
  tmpdir.remove(folder)
  shelf:remove()
end)

-- What reading alone tells.
local function look(path, options)
  options = options or {}
  options.load = false
  return inspect(path, options)
end

-- Compiles source text to folder/name.so.
local function compile(name, source, words)
  local is_cxx = name:find "^cxx"
  local file = ("%s/%s.%s"):format(folder, name, is_cxx and "cc" or "c")
  tmpdir.write(file, source)
  local output = ("%s/%s.so"):format(folder, name)
  shell.output(("umask 022; %s -shared -fPIC -Iinclude %s -o %s -Wl,--no-as-needed %s"):format(
    is_cxx and "g++" or "gcc", file, output, words or build.stub))
  return output
end

local entry = "void TF_InitPlugin(void *info) { (void)info; }\n"

local function reasons(path)
  local report = assert(look(path))
  assert.equal(#report.reasons == 0, report.would_load)
  return table.concat(report.reasons, "\n")
end

local function lines(text)
  local list = {}
  for line in text:gmatch "[^\n]+" do
    list[#list + 1] = line
  end
  return list
end

-- What readelf -d prints for a tag.
local function dynamic(path, tag)
  local found = {}
  for _, line in ipairs(lines(shell.output("readelf -dW", path))) do
    if line:find("(" .. tag .. ")", 1, true) then
      found[#found + 1] = line:match "%[(.-)%]"
    end
  end
  return found
end

local function symbols(options, path)
  local list = {}
  for _, line in ipairs(lines(shell.output("nm -D --without-symbol-versions " .. options, path))) do
    list[#list + 1] = line:match "%S+$"
  end
  table.sort(list)
  return list
end

-- The names in these lists, sorted.
local function names_in(lists)
  local names = {}
  for _, list in pairs(lists) do
    for _, item in ipairs(list) do names[#names + 1] = item.name or item end
  end
  table.sort(names)
  return names
end

describe("inspect agrees with readelf and nm", function()
  local files = { posix, root .. "/modfs/plugins/mem.so", root .. "/modfs/plugins/reference.so",
    root .. "/modfs/" .. "libtensorflow_framework.so.2", root .. "/modfs/core.so" }
  for _, path in ipairs(files) do
    it("of " .. path:match "[^/]*$", function()
      local report = assert(look(path))
      local needed = dynamic(path, "NEEDED")
      assert.equal(#needed, #report.libraries)
      for i, library in ipairs(report.libraries) do assert.equal(needed[i], library.name) end
      assert.equal(dynamic(path, "SONAME")[1], report.soname)
      assert.equal(dynamic(path, "RPATH")[1], report.rpath)
      assert.same(symbols("--undefined-only", path), names_in(report.undefined))
      local expected = {}
      for _, name in ipairs(symbols("--defined-only", path)) do
        if name ~= "tensorflow" then expected[#expected + 1] = name end
      end
      assert.same(expected, names_in { report.entry_points, report.extra_exports })
      local id = shell.output("readelf -nW", path):match "Build ID: (%x+)"
      assert.equal(id, report.build_id)
      local all = shell.output("readelf -dlW", path)
      assert.equal(all:find "NODELETE" ~= nil, report.flags.nodelete)
      assert.equal((all:find "BIND_NOW" or all:find "Flags: NOW") ~= nil, report.flags.bind_now)
      assert.equal(all:find "GNU_STACK[^\n]*RWE" ~= nil, report.flags.executable_stack)
      assert.equal(all:find "GNU_RELRO" ~= nil, report.flags.relro ~= "none")
    end)
  end

  it("of the C++ library, with its versions", function()
    local path = shell.output "g++ -print-file-name=libstdc++.so.6"
    local report = assert(look(path))
    local expected = {}
    for _, name in ipairs(symbols("--defined-only", path)) do expected[name] = true end
    local count = 0
    for _, name in ipairs(report.extra_exports) do
      assert.is_true(expected[name], name)
      count = count + 1
    end
    assert.is_true(count > 1000)
    assert.equal("libstdc++.so.6", report.soname)
  end)
end)

describe("inspect says that it would load", function()
  for _, name in ipairs { "posix", "mem", "reference", "null" } do
    it(name .. ".so, and it does", function()
      local path = ("%s/modfs/plugins/%s.so"):format(root, name)
      local report = assert(look(path))
      assert.same({}, report.reasons)
      assert.same({}, report.warnings)
      assert.is_true(report.would_load)
      assert.is_not_nil(modfs.load(path))
    end)
  end

  it("one behind a link, whose libraries lie beside the file", function()
    shell.output(("mkdir -p %s/away; echo 'int k(void) { return 1; }' | gcc -x c - -shared "
      .. "-Wl,-soname,libbeside.so -o %s/away/libbeside.so"):format(folder, folder))
    local path = compile("away/linked", "int k(void); int TF_InitPlugin(void) { return k(); }",
      ("%s %s/away/libbeside.so -Wl,-rpath,'$ORIGIN'"):format(build.stub, folder))
    shell.output("ln -s", path, folder .. "/link.so")
    assert.same({}, assert(look(folder .. "/link.so")).reasons)
  end)

  it("a plugin of the gallery: its file has no fault", function()
    local report = assert(look(shelf:put(gallery, "good")))
    assert.same({}, report.reasons)
    assert.equal("TF_InitPlugin", report.entry_points[1])
  end)

  it("one with every careless flag, and warns of each", function()
    local report = assert(look(compile("careless", entry .. "int stray, other;",
      build.stub .. " -Wl,-z,norelro -Wl,-z,execstack -Wl,--build-id=none")))
    assert.same({}, report.reasons)
    assert.same({ "other", "stray" }, report.extra_exports)
    local all = table.concat(report.warnings, "\n")
    for _, word in ipairs { "NODELETE", "RELRO is none", "executable stack", "build id",
      "2 exports" } do
      contains(all, word)
    end
  end)
end)

describe("inspect says why it would not load", function()
  it("what has no entry point, or none of its own", function()
    contains(reasons(compile("none", "int f(void) { return 1; }")), "does not define TF_InitPlugin")
    contains(reasons(compile("variable", "int TF_InitPlugin;")), "does not define TF_InitPlugin")
    contains(reasons(compile("kernels", "void TF_InitKernel(void) {}")), "TF_InitKernel")
  end)

  it("a missing library, and who needs it", function()
    shell.output("echo | gcc -x c - -shared -Wl,-soname,libgone.so.7 -o", folder .. "/libgone.so")
    local path = compile("lost", entry, build.stub .. " " .. folder .. "/libgone.so")
    contains(reasons(path), "libgone.so.7 cannot be found")
    assert.is_nil(modfs.load(path, { trust = true }))
    local status, out = shell.run(command, path)
    assert.equal(1, status)
    contains(out, "libgone.so.7 => NOT FOUND")
    contains(out, "/etc/ld.so.cache")
  end)

  it("not, when it is found by RUNPATH, RPATH, LD_LIBRARY_PATH or beside another", function()
    shell.output("mkdir -p", folder .. "/lib")
    shell.output("echo 'int g(void) { return 1; }' | gcc -x c - -shared -o",
      folder .. "/lib/libhere.so.7", "-Wl,-soname,libhere.so.7")
    local uses = "int g(void); void TF_InitPlugin(void *i) { (void)i; g(); }"
    for how, word in pairs { RUNPATH = "--enable-new-dtags", RPATH = "--disable-new-dtags" } do
      local path = compile(how:lower(), uses, ("%s %s/lib/libhere.so.7 -Wl,%s,-rpath,'$ORIGIN/lib'")
        :format(build.stub, folder, word))
      local report = assert(look(path))
      assert.same({}, report.reasons)
      assert.equal(how, report.libraries[2].how)
      assert.equal("$ORIGIN/lib", report[how:lower()])
    end
    local path = compile("by_variable", uses, build.stub .. " " .. folder .. "/lib/libhere.so.7")
    assert.equal(1, (shell.run(command, path)))
    local status, out = shell.run("LD_LIBRARY_PATH=" .. folder .. "/lib " .. command,
      "--no-load", path)
    assert.equal(0, status, out)
    contains(out, "(LD_LIBRARY_PATH)")
  end)

  it("an undefined function of C", function()
    local path = compile("undefined", [[
      int nobody_has_this(void);
      int TF_InitPlugin(void *i) { (void)i; return nobody_has_this(); }
    ]])
    contains(reasons(path), "no library that it needs has nobody_has_this")
    contains(select(2, modfs.load(path, { trust = true })), "nobody_has_this")
  end)

  it("a function of the ABI that this host lacks, but not one that it is not linked to", function()
    local uses = "int %s(void); int TF_InitPlugin(void *i) { (void)i; return %s(); }"
    local newer = compile("newer", (uses:gsub("%%s", "TF_NotYet")))
    contains(reasons(newer), "this host does not have TF_NotYet")
    local path = compile("unlinked", (uses:gsub("%%s", "TF_NewStatus")), " ")
    local report = assert(look(path))
    assert.same({}, report.reasons)
    assert.equal("libtensorflow_framework.so.2", report.undefined.abi[1].from)
    contains(report.warnings[1], "not linked to libtensorflow_framework.so.2")
    contains(report.tensorflow, "no: it takes TF_ functions")
  end)

  describe("releases of TensorFlow", function()
    local function taking(name, declaration, call)
      return look(compile(name, declaration .. "\nvoid TF_InitPlugin(void *i) { (void)i; " .. call
        .. "; }\n"))
    end

    it("that have what it takes are told", function()
      local report = taking("takes_all", "void *TF_NewStatus(void);", "TF_NewStatus()")
      contains(report.tensorflow, "yes, from 2.6 to 2.21")
      assert.same({ 16, "2.6", "2.21" }, { #report.tensorflow_releases,
        report.tensorflow_releases[1], report.tensorflow_releases[16] })
      report = taking("takes_log", "void TF_Log(int, const char *, ...);", "TF_Log(0, 0)")
      assert.equal("yes in 2.6 to 2.20: 2.21 lacks TF_Log", report.tensorflow)
      assert.equal("2.20", report.tensorflow_releases[#report.tensorflow_releases])
      report = taking("takes_both",
        "void TF_Log(int, const char *, ...); void TF_ForEachPayload();",
        "TF_Log(0, 0); TF_ForEachPayload()")
      assert.equal("yes in 2.14 to 2.20: 2.21 lacks TF_Log, 2.13 lacks TF_ForEachPayload",
        report.tensorflow)
    end)

    it("do not depend on a weak reference", function()
      local report = taking("takes_weak",
        "void TF_Log(int, const char *, ...) __attribute__((weak));", "if (TF_Log) TF_Log(0, 0)")
      contains(report.tensorflow, "yes, from 2.6 to 2.21")
    end)

    it("all load each plugin of this project", function()
      for path in shell.output("ls", root .. "/modfs/plugins"):gmatch "%S+%.so" do
        local report = assert(look(root .. "/modfs/plugins/" .. path, { trust = true }))
        assert.equal("yes, from 2.6 to 2.21", report.tensorflow, path)
      end
    end)
  end)

  it("C++ of TensorFlow", function()
    local path = compile("cxx_tensorflow", [[
      #include <string>
      namespace tensorflow { struct Status { static int Make(const std::string &s); }; }
      extern "C" int TF_InitPlugin(void *) { return tensorflow::Status::Make("x"); }
    ]])
    local report = assert(look(path))
    contains(report.reasons[1], "tensorflow::Status::Make(std::__cxx11::basic_string<char,")
    contains(report.reasons[1], "is C++ of TensorFlow")
    contains(report.tensorflow, "only inside the very TensorFlow")
    contains(report.meaning.cxx, "cannot load here")
    contains(report.meaning.other, "from system libraries")
    local known = 0
    for _, symbol in ipairs(report.undefined.cxx) do
      known = known + (symbol.from == "libstdc++.so.6" and 1 or 0)
    end
    assert.is_true(known > 0)
    local fine = assert(look(compile("cxx_fine", [[
      #include <string>
      extern "C" int TF_InitPlugin(void *) { return std::to_string(1).size() > 1; }
    ]])))
    assert.same({}, fine.reasons)
  end)

  it("a version that a library does not have", function()
    tmpdir.write(folder .. "/v.map", "NODE_2 { global: *; };")
    tmpdir.write(folder .. "/w.map", "NODE_1 { global: *; };")
    for _, map in ipairs { "w", "v" } do
      shell.output(("mkdir -p %s/%s; echo 'int h(void) { return 1; }' | gcc -x c - -shared -fPIC "
        .. "-o %s/%s/libnode.so -Wl,-soname,libnode.so,--version-script=%s/%s.map")
        :format(folder, map, folder, map, folder, map))
    end
    local path = compile("version", "int h(void); int TF_InitPlugin(void) { return h(); }",
      ("%s %s/v/libnode.so -Wl,-rpath,%s/w"):format(build.stub, folder, folder))
    contains(reasons(path), "libnode.so has no version NODE_2")
    contains(select(2, modfs.load(path, { trust = true })), "NODE_2")
  end)

  it("a program", function()
    contains(reasons "/bin/true", "a program, not a library")
  end)
end)

describe("inspect loads", function()
  local function loaded(path)
    local report = assert(inspect(path, { seconds = 2 }))
    assert.equal(#report.reasons == 0, report.would_load)
    return report.loaded, table.concat(report.reasons, "\n")
  end

  -- A plugin whose entry or constructor does something bad.
  local function crashing_plugin(name, where, statement)
    return compile(name, ([[
      #include <fcntl.h>
      #include <signal.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/stat.h>
      #include <unistd.h>
      static void act(void) { %s }
      %s
    ]]):format(statement, where == "entry" and "void TF_InitPlugin(void *i) { (void)i; act(); }"
      or entry .. "__attribute__((constructor)) static void start(void) { act(); }"))
  end

  it("and reports what the plugin declares, beside the host's numbers", function()
    local own = assert(modfs.load(posix))
    local told = loaded(posix)
    assert.same(own.schemes, told.schemes)
    assert.equal(own.version, told.version)
    assert.equal(own.author, told.author)
    local seen = {}
    for _, row in ipairs(told.tables) do
      seen[row.name] = { abi = row.abi, api = row.api, size = row.size }
      assert.same(modfs.load(root .. "/modfs/plugins/mem.so").versions[row.name], row.host)
    end
    assert.same(own.versions, seen)
    local out = shell.output(command, posix)
    contains(out, "filesystem: ABI 0, API 0, 264 bytes, as the host's")
    assert.equal(out, shell.output(command, "--load", posix))
  end)

  it("and reports devices and their tables", function()
    local told = loaded(root .. "/modfs/plugins/reference.so")
    assert.same({ "REFERENCE" }, told.platforms)
    assert.same({ "shipped", 2 }, { told.layout, told.devices })
    local sizes = {}
    for _, row in ipairs(told.tables) do
      assert.same({ abi = row.abi, api = row.api, size = row.size }, row.host)
      sizes[row.name] = row.size
    end
    assert.same({ platform = 35, platform_fns = 88, device_fns = 40, stream_executor = 288,
      timer_fns = 24 }, sizes)
  end)

  it("and shows other sizes than the host's", function()
    local path = build.compile("gen176.so", "spec/fixtures/abi/gen176.c spec/fixtures/abi/gen176.h")
    local device = build.compile("device_inspected.so", "spec/fixtures/abi/device_rfc.c "
      .. "spec/fixtures/abi/device_rfc.h spec/fixtures/abi/device_common.h "
      .. "spec/fixtures/abi/device_body.h", { flags = "'-DNAME=\"INSPECTED\"'" })
    local function shown(binary, name)
      return (shell.output(command, shelf:put(binary, name)):gsub("%s+", " "))
    end
    contains(shown(path, "gen176"),
      "filesystem: ABI 0, API 0, 176 bytes, the host's: ABI 0, API 0, 264 bytes")
    local out = shown(device, "device_inspected")
    contains(out, "2, by tables of the form rfc257")
    contains(out, "platform: ABI 0, API 0, 40 bytes, the host's: ABI 0, API 0, 35 bytes")
  end)

  it("not when told so, nor what it refuses already", function()
    local mark = folder .. "/was_run"
    local path = crashing_plugin("marker", "constructor", ('mkdir("%s", 0700);'):format(mark))
    assert.is_true(assert(inspect(path, { load = false })).would_load)
    assert.equal(0, (shell.run(command .. " --no-load", path)))
    shell.output("chmod 666", path)
    assert.is_nil(assert(inspect(path)).loaded)
    assert.is_false(modfs.exists(mark))
    shell.output("chmod 644", path)
    assert.equal(1, (shell.run(command, path)))
    assert.is_true(modfs.exists(mark))
  end)

  -- AddressSanitizer takes the signal, and ends the child its own way.
  local sanitized = (os.getenv "LD_PRELOAD" or ""):find "asan"
  local fault = sanitized and "with status 1" or "crashes: SIGSEGV; it had 2 seconds"
  local trials = {
    ["*(volatile int *)8 = 1;"] = fault,
    ["exit(0);"] = "loading it ends the process, with status 0",
    ["_exit(3);"] = "loading it ends the process, with status 3",
    ['write(2, "no licence\\n", 11); _exit(124);'] = "with status 124, saying: no licence",
    ["kill(getpid(), 31);"] = "crashes: SIGSYS",
    ["while (open(\"/dev/null\", 0) >= 0) ; abort();"] = "256 descriptors",
  }
  for _, where in ipairs { "constructor", "entry" } do
    for statement, words in pairs(trials) do
      it(("and survives in the %s: %s"):format(where, statement), function()
        local path = crashing_plugin(where .. #statement, where, statement)
        contains(select(2, loaded(path)), words)
      end)
    end

    it("and survives 8 GiB in the " .. where, function()
      if sanitized then
        pending "AddressSanitizer reserves terabytes, so its children have no limit of memory"
        return
      end
      local path = crashing_plugin("memory" .. where, where,
        "memset(malloc(8ul << 30), 1, 8ul << 30);")
      contains(select(2, loaded(path)), "crashes: SIGSEGV; it had 2 seconds, 2048 MiB of memory")
    end)
  end

  it("and survives what never ends", function()
    contains(select(2, loaded(crashing_plugin("loop", "constructor", "for (;;) ;"))),
      "loading it does not end: it was stopped after 2 seconds")
    contains(select(2, loaded(crashing_plugin("deaf", "entry",
      "signal(SIGTERM, SIG_IGN); for (;;) pause();"))), "does not end")
  end)

  it("and tells a plugin that does not answer from one that does not load", function()
    local path = compile("silent", [[
      #include <unistd.h>
      #include "plugin.h"
      static void wait(const TF_Filesystem *fs, const char *path, TF_Status *status) {
        (void)fs, (void)path, (void)status;
        for (;;) pause();
      }
      void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
        static const TF_FilesystemOps ops = { .init = start_nothing, .cleanup = end_nothing,
          .path_exists = wait };
        register_one(info, "silent", &(modfs_register_tables){ .filesystem = &ops });
      }]], "-Ispec/fixtures " .. build.stub)
    local report = assert(inspect(path, { seconds = 2, ask = { "exists", "silent://a" } }))
    assert.is_true(report.would_load)
    assert.equal("no answer within 2 seconds", report.loaded.refusal)
  end)

  it("and ends what a plugin leaves behind", function()
    local path = crashing_plugin("forks", "constructor",
      ('pid_t p = fork(); if (!p) for (;;) pause(); dprintf(creat("%s", 0600), "%%d", p);')
        :format(folder .. "/pid"))
    loaded(path)
    local pid = assert(tmpdir.content(folder .. "/pid"))
    assert.is_truthy(tonumber(pid))
    local gone = ("[ ! -e /proc/%s ] || grep -q '^State:.Z' /proc/%s/status"):format(pid, pid)
    shell.output(("timeout 60 sh -c \"until %s; do sleep 0.05; done\""):format(gone))
  end)

  it("and leaves the host working", function()
    assert.is_true(assert(inspect(posix)).would_load)
  end)

  for name, words in pairs { ["abi.filesystem"] = "filesystem table has ABI 1",
    ["schemes.none"] = "0 schemes", ["scheme.dash"] = '"a-b"' } do
    it("and says why the host refuses: " .. name, function()
      local told, why = loaded(shelf:put(gallery, name))
      contains(why, words)
      assert.equal(told.failure, why)
      local status, out = shell.run(command, shelf:put(gallery, name))
      assert.equal(1, status)
      contains(out, "would NOT load\n  ")
    end)
  end
end)

describe("inspect asks who could have written the file", function()
  it("as the loader does", function()
    for _, mode in ipairs { "666", "664" } do
      local path = compile("loose" .. mode, entry)
      assert.is_true(assert(look(path)).would_load)
      shell.output("chmod " .. mode, path)
      contains(reasons(path), path .. " is writable by")
      assert.is_true(assert(look(path, { trust = true })).would_load)
      assert.equal("PERMISSION_DENIED", select(3, modfs.load(path)))
      assert.equal(0, (shell.run(command .. " --no-load --trust", path)))
    end
  end)

  it("and looks at every folder above it", function()
    local path = compile("inside", entry)
    shell.output("umask 022; mkdir", folder .. "/open")
    shell.output("mv", path, folder .. "/open")
    assert.is_true(assert(look(folder .. "/open/inside.so")).would_load)
    shell.output("chmod 777", folder .. "/open")
    contains(reasons(folder .. "/open/inside.so"), folder .. "/open is writable by everyone")
  end)
end)

describe("inspect of a file that is not a plugin", function()
  it("is a text, an empty file, a folder, nothing", function()
    local status, out = shell.run(command, "README.md")
    assert.equal(1, status)
    contains(out, "not an ELF file")
    tmpdir.write(folder .. "/empty", "")
    assert.equal("not an ELF file", reasons(folder .. "/empty"))
    for _, path in ipairs { "spec", "no/such/file.so" } do
      local code, said, err = shell.run(command, path)
      assert.equal(2, code)
      assert.equal("", said)
      assert.is_truthy(err:find "^modfs: [^\n]+\n$", err)
    end
  end)

  it("is for another machine", function()
    local bytes = tmpdir.content(posix)
    local function planted(at, with)
      local path = folder .. "/planted.so"
      tmpdir.write(path, bytes:sub(1, at - 1) .. with .. bytes:sub(at + #with))
      return reasons(path)
    end
    contains(planted(19, "\243\0"), "another machine: RISC-V, 64 bits")
    contains(planted(19, "\250\250"), "another machine: machine 64250")
    contains(planted(5, "\1"), "another machine")
    contains(planted(6, "\2"), "another machine")
    contains(planted(5, "\9"), "unknown class")
    contains(planted(17, "\1\0"), "relocatable object")
  end)
end)

describe("the names of C++", function()
  local names, expected

  setup(function()
    local path = shell.output "g++ -print-file-name=libstdc++.so.6"
    names = symbols("", path)
    tmpdir.write(folder .. "/names", table.concat(names, "\n") .. "\n")
    expected = lines(shell.output("c++filt <" .. folder .. "/names"))
  end)

  it("are those of c++filt, or left alone", function()
    local same, unknown = 0, 0
    for i, name in ipairs(names) do
      local text = demangle(name)
      if text then
        assert.equal(expected[i], text, name)
        same = same + 1
      elseif name:find "^_Z" then
        unknown = unknown + 1
      end
    end
    assert.is_true(same > 4000, same .. " names")
    assert.is_true(unknown * 20 < same, unknown .. " names are unknown")
  end)

  it("end, however they were made", function()
    math.randomseed(11)
    local made = 0
    for _ = 1, 5000 do
      local name = names[math.random(#names)]
      local at = math.random(#name)
      local text = demangle("_Z" .. name:sub(3, at) .. name:sub(at + math.random(3)))
      made = made + (text and 1 or 0)
    end
    assert.is_true(made > 0)
    for _, name in ipairs { "", "_Z", "_ZN", "_ZNE", "_Z999999999999999999999x",
      "_Z1f" .. ("P"):rep(5000), "_Z1f" .. ("N"):rep(5000), "_Z1fiS99999999999999999999_",
      "_Z" .. ("Z1f"):rep(2000), "_Z1f1aI" .. ("S_S_"):rep(500), "_Z1fF" .. ("F"):rep(500) } do
      assert.is_nil(demangle(name))
    end
    local bomb = "_Z1f1a"
    for i = 1, 30 do
      local digit = ("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"):sub(i, i)
      bomb = bomb .. "1bI" .. ("S" .. (i == 1 and "" or digit) .. "_"):rep(8) .. "E"
    end
    demangle(bomb)
  end)
end)

-- Each trial ends, with a report, however the file was cut or changed.
describe("inspect survives", function()
  local bytes, path

  if (os.getenv "LD_PRELOAD" or ""):find "valgrind" then
    it("what is hostile", function()
      pending "hundreds of trials of Lua code alone take valgrind many minutes"
    end)
    return
  end

  -- Nobody reads the debugging information, which is most of the file.
  setup(function()
    shell.output(("strip --strip-debug -o %s/stripped.so"):format(folder), posix)
    bytes = tmpdir.content(folder .. "/stripped.so")
  end)

  before_each(function() path = folder .. "/hostile.so" end)

  local function trial(content)
    tmpdir.write(path, content)
    local started = os.clock()
    local report = assert(look(path, { trust = true }))
    assert.is_true(#describe_report(report) > 0 and #json.encode(report) > 0)
    assert.is_true(os.clock() - started < 10, "too slow")
    return report
  end

  it("a file cut at any length", function()
    local refused = 0
    for length = 0, #bytes - 1 do
      if length < 200 or length % 13 == 0 and length < 1500 or length % 1987 == 0 then
        local report = trial(bytes:sub(1, length))
        if length < 8192 then
          assert.is_false(report.would_load, "cut at " .. length)
        end
        refused = refused + (report.would_load and 0 or 1)
      end
    end
    assert.is_true(refused > 300)
    assert.is_true(trial(bytes).would_load)
  end)

  it("bytes that are not what they were", function()
    math.randomseed(7)
    local changed = 0
    for _ = 1, 150 do
      local content = bytes
      for _ = 1, math.random(4) do
        local at = math.random(math.random(2) == 1 and 1000 or #bytes - 8)
        local with = string.char(math.random(0, 255)):rep(math.random(8))
        content = content:sub(1, at - 1) .. with .. content:sub(at + #with)
      end
      changed = changed + (trial(content).would_load and 0 or 1)
    end
    assert.is_true(changed > 20)
  end)

  it("enormous numbers in every place", function()
    for at = 1, 1024, 8 do
      local with = at % 16 == 1 and "\255\255\255\255" or "\255\255\255\127"
      trial(bytes:sub(1, at - 1) .. with .. bytes:sub(at + 4))
    end
  end)
end)
