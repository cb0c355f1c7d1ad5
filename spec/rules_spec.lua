-- The project's own rules hold for it, and each of them sees a breach.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local build = os.getenv "BUILD" or "build"

local function rules(root, build_folder)
  return shell.run("lua5.4 scripts/rules.lua", root, build_folder)
end

describe("the rules of the project", function()
  it("hold for the project", function()
    local status, out, err = rules(".", build)
    assert.equal("", err)
    assert.equal(0, status, out)
  end)

  describe("see", function()
    local root, out

    local function plant(path, text)
      shell.output("mkdir -p", root .. "/" .. (path:match("^(.*)/") or "."))
      tmpdir.write(root .. "/" .. path, text)
    end

    local function compile(path, source)
      shell.output("mkdir -p", root .. "/build/" .. path:match("^(.*)/"))
      plant("source.c", source)
      shell.output("gcc -shared -fPIC -O0 -o", root .. "/build/" .. path, root .. "/source.c")
    end

    local function object(path, source)
      local file = root .. "/build/o/" .. path:gsub("%.c$", ".o")
      plant(path, source .. "\n")
      shell.output("mkdir -p", file:match("^(.*)/"))
      shell.output("gcc -w -c -o", file, root .. "/" .. path)
    end

    setup(function()
      root = tmpdir.new()
      plant("src/core/base/glob.c",
        '#include "core/fs/fs.h"\n#include <lua.h>\nint x = dlopen("x", 0);\n')
      plant("src/core/fs/fs.h", "")
      object("src/core/base/low.c", "int high(void); int low(void) { return high() + low_too(); }")
      object("src/core/base/low_too.c", "int low_too(void) { return 0; }")
      object("src/core/fs/high.c", "int low(void); int high(void) { return low(); }")
      plant("src/runtime/clock.c", "#include <modfs/modfs.h>\n")
      plant("plugins/x/file.c", '#include "../y/file.h"\n')
      plant("plugins/y/file.h", "")
      plant("src/core/long.c", "int f(void) {\n" .. ("  g();\n"):rep(501) .. "}\n")
      plant("src/core/complex.c", "int h(int a, int b, int c, int d, int e, int f) {\n"
        .. ("  if (a > b) c++;\n"):rep(12) .. "  return c + d + e + f;\n}\n")
      plant("src/core/ask.c", [[
void f(void) {
  if (fs->extension.lstat) fs->extension.lstat(fs);
  call = extension->open_writer ? extension->open_writer : other;
  if (a && !fs->tables.fs.copy_file) return;
  if (thing && executor->memset) executor->memset(device);
  if (device_executor(stream->device)->mem_zero == NULL) return;
  if (fs->extension.deviations) fs->extension.next_entry(&directory) ? 1 : 2;
  call_with(fs, fs->extension.create_private_dir, status);
}
]])
      plant("include/modfs/extension.h", [[
typedef struct modfs_extension_ops {
  /* Opens. */
  void (*lstat)(void);
  /* Is never called. */
  void (*get_filesystem_configuration_keys)(void);
  /* Neither, by mistake. */
  void (*copy_entry)(void);
} modfs_extension_ops;
]])
      plant("src/core/fs/doors.c", [[
/* fs->extension.lstat(fs) */
void g(void) {
  call_with(fs, fs->extension.lstat, status);
  if (fs->extension.lstat == default_lstat) return;
  const modfs_extension_ops *alias = &fs->extension;
}
]])
      plant("src/core/fs/extension_defaults.c", "int g = !fs->extension.lstat;\n")
      plant("docs/house.md", "`src/core/gone.c` and `left.lua`, in which `no_such_name` is\n"
        .. "1  src/core/base   glob gone: the rest\n")
      plant("docs/a.md", "To" .. "do it. TO" .. "DO: this\n")
      plant("include/modfs/filesystem.h", [[
typedef struct TF_Ops {
  void (*bare)(void);

  /* Has a sentence.
   * Threads: sometimes.
   * Errors: late.
   * 4
   * 5
   * 6
   * 7
   * 8 */
  void (*wordy)(void);
} TF_Ops;
]])
      plant("src/lua/file.c", '{"undocumented", file_undocumented},\n')
      plant("lua/modfs/init.lua", 'for topic in pairs { extra = { "unknown" } } do end\n')
      plant("lua/modfs/extra.lua", "\nreturn { unheard = unheard }\n")
      compile("modfs/core.so", [[
        #include <stdlib.h>
        int luaopen_modfs_core(void) { return system(0); }
        int stray;
      ]])
      compile("modfs/libtensorflow_framework.so.2", "int TF_NewStatus, other;\n")
      compile("modfs/plugins/mem.so", "int TF_InitPlugin(void) { return 0; }\n")
      local status
      status, out = rules(root, root .. "/build")
      assert.equal(1, status)
    end)

    teardown(function()
      tmpdir.remove(root)
    end)

    it("nothing in calls of the same folder or of a lower one", function()
      assert.falsy(out:find("uses low_too", 1, true), out)
      assert.falsy(out:find("high.c", 1, true), out)
    end)

    it("nothing in comparisons of slots, and in slots that the core does without", function()
      assert.falsy(out:find("doors.c:4", 1, true), out)
      assert.falsy(out:find("configuration_keys is called", 1, true), out)
    end)

    it("nothing in calls, data and what settles", function()
      for _, place in ipairs { "ask.c:7", "ask.c:8", "extension_defaults.c:1" } do
        assert.falsy(out:find(place .. ": %l+ is settled"), place)
      end
    end)

    for what, breach in pairs {
      ["an include of a higher folder"] =
        "src/core/base/glob.c:1: src/core/fs/fs.h is not below this folder",
      ["a call of a higher folder, which makes a circle"] =
        "src/core/base/low.c: uses high of src/core/fs, which is not below it",
      ["lua.h outside of the bindings"] =
        "src/core/base/glob.c:2: lua.h is seen in src/lua and src/check/binding alone",
      ["the core's header below it"] = "src/runtime/clock.c:1: <modfs/modfs.h> is above this room",
      ["another plugin's header"] = "plugins/x/file.c:1: plugins/y/file.h is not below this folder",
      ["the dynamic loader elsewhere"] =
        "src/core/base/glob.c:3: dlopen belongs into src/core/base/dylib.c",
      ["a mark of unfinished work"] = "docs/a.md:1: TO" .. "DO: finish it",
      ["a file that the page on the house invents"] =
        "docs/house.md:1: there is no src/core/gone.c",
      ["a name that it invents"] = "docs/house.md:1: there is no left.lua",
      ["a function that it invents"] =
        "docs/house.md:1: no_such_name is nowhere in the sources",
      ["a folder that it omits"] = "docs/house.md: src/core/fs is not in it",
      ["a file of the lowest floor that it omits"] =
        "docs/house.md: src/core/base/low.c is not in its list",
      ["one that it invents"] = "docs/house.md: src/core/base has no gone",
      ["a slot that is asked for"] = "ask.c:2: lstat is settled at load",
      ["a slot that is chosen"] = "ask.c:3: open_writer is settled at load",
      ["a slot that is missed"] = "ask.c:4: copy_file is settled at load",
      ["a device's slot that is asked for"] = "ask.c:5: memset is settled at load",
      ["a device's slot that is compared"] = "ask.c:6: mem_zero is settled at load",
      ["a slot that is called in two places"] =
        "src/core/fs/doors.c:3: lstat is called at src/core/ask.c:2 already",
      ["a slot that is called nowhere"] = "copy_entry is called nowhere in src/core",
      ["a table under a second name"] =
        "src/core/fs/doors.c:5: modfs_extension_ops gets a second name",
      ["a slot without words"] = "filesystem.h:2: bare: has no comment",
      ["a slot with too many words"] = "filesystem.h:12: wordy: its comment has 8 lines",
      ["unknown words for threads"] = "filesystem.h:12: wordy: Threads: starts with none of",
      ["tags out of order"] = "filesystem.h:12: wordy: Errors: stands in the wrong place",
      ["a long file"] = "src/core/long.c: 503 lines",
      ["a complex function"] = "src/core/complex.c:1: h has a complexity of 13",
      ["a function with many parameters"] = "src/core/complex.c:1: h has 6 parameters",
      ["a forbidden call"] = "modfs/core.so: calls system",
      ["a stray export"] = "modfs/core.so: exports stray",
      ["an export of the runtime that is none of TensorFlow's"] = "framework.so.2: exports other",
      ["a symbol without a version"] = "TF_NewStatus is not under the version node tensorflow",
      ["a missing export"] = "modfs/plugins/mem.so: does not export modfs_extension",
      ["a missing library"] = "modfs/plugins/posix.so: does not export TF_InitPlugin",
      ["an undocumented method"] = "undocumented is not in docs/reference.md",
      ["an undocumented function"] = "unheard is not in docs/reference.md",
    } do
      it(what, function()
        assert.truthy(out:find(breach, 1, true), breach .. "\n" .. out)
      end)
    end
  end)
end)
