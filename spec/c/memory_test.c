/* The memory plugin, through its tables alone: what it registers, its root, its limits. */
#include "filesystem_ops.h"

static void test_tables(void) {
  void *const *slots = (void *const *)(const void *)&fs;
  size_t count = sizeof fs / sizeof *slots, filled = 0;
  for (size_t i = 0; i + 1 < count; i++)
    filled += slots[i] != NULL;
  CHECK_INT(filled, 32, "every operation but the keys is the plugin's own");
  CHECK_INT(ext->struct_size, sizeof *ext, "the extension is whole");
  CHECK_STR(ext->author, "modfs authors", "the extension names the author");
  CHECK_STR(ext->version, "0.1.0", "the extension names the version");
  char *zeroes = info.plugin_memory_allocate(64);
  CHECK(zeroes && !zeroes[0] && !memcmp(zeroes, zeroes + 1, 63), "allocations are zeroed");
  info.plugin_memory_free(zeroes);
  void *none = info.plugin_memory_allocate(0);
  CHECK(none, "an allocation of 0 bytes is one");
  info.plugin_memory_free(none);
  info.plugin_memory_free(NULL);
}

static void test_translate(void) {
  static const char *const pairs[][2] = {
      {"mem://", "/"},
      {"mem:///", "/"},
      {"mem:////", "/"},
      {"", "/"},
      {"/", "/"},
      {"a/b", "/a/b"},
      {"mem://a/b", "/a/b"},
      {"mem:///a/b", "/a/b"},
      {"mem://a//b/", "/a/b"},
      {"mem://a/../b", "/b"},
      {"mem://../..", "/"},
      {"mem://../a", "/a"},
      {"/a/./b/.", "/a/b"},
      {"a_dir/..", "/"},
      {"mem://a/b/../../../c", "/c"},
      {"mem://a.b/..c", "/a.b/..c"},
      {"m-m://a", "/m-m:/a"},
      {"9m://a", "/9m:/a"},
      {"m.9://a", "/a"},
      {"://a", "/:/a"},
      {"mem:/a", "/mem:/a"},
      {"mem://a:80/b c?#%", "/a:80/b c?#%"},
      {"mem://.../....", "/.../...."},
  };
  for (size_t i = 0; i < MEMBERS(pairs); i++) {
    char *path = translate(pairs[i][0]);
    CHECK_STR(path, pairs[i][1], "translates %s", pairs[i][0]);
    info.plugin_memory_free(path);
  }
}

static void test_root(void) {
  uint64_t files, dirs;
  clear();
  CHECK_INT(make("mem://"), TF_ALREADY_EXISTS, "the root cannot be made");
  CHECK_INT(try_make_all("mem://"), TF_OK, "making the path of the root is fine");
  CHECK_INT(try_delete_dir("mem://"), TF_FAILED_PRECONDITION, "the root cannot be deleted");
  CHECK_INT(try_delete("mem://"), TF_FAILED_PRECONDITION, "the root is no file to delete");
  CHECK_INT(put("mem://", "x"), TF_FAILED_PRECONDITION, "the root is no file to write");
  put("mem://a", "a");
  try_make_all("mem://b/c");
  CHECK_INT(delete_tree("mem://", &files, &dirs), TF_OK, "the root can be emptied");
  CHECK(files == 0 && dirs == 0, "emptying the root leaves nothing undeleted");
  CHECK_STR(tree("mem://"), "", "the root is empty then");
  CHECK_INT(exists("mem://"), TF_OK, "the root stays");
}

static void test_bounds(void) {
  static char name[300], deep[80000];
  clear();
  memcpy(name, "mem://", 6);
  memset(name + 6, 'n', 255);
  CHECK_INT(put(name, "x"), TF_OK, "a name of 255 bytes");
  name[6 + 255] = 'n';
  CHECK_INT(put(name, "x"), TF_INVALID_ARGUMENT, "a name of 256 bytes");
  CHECK_INT(exists(name), TF_INVALID_ARGUMENT, "a name of 256 bytes to look for");
  memset(deep, 'd', sizeof deep - 1);
  for (size_t i = 0; i < sizeof deep; i += 100)
    deep[i] = '/';
  CHECK_INT(try_make_all(deep), TF_INVALID_ARGUMENT, "a path of 80,000 bytes");
  for (size_t i = 0; i < 20000; i++)
    memcpy(deep + 2 * i, "/d", 2);
  deep[40000] = '\0';
  CHECK_INT(try_make_all(deep), TF_OK, "makes 20,000 levels");
  CHECK_INT(put(strcat(deep, "/leaf"), "leaf"), TF_OK, "writes at their end");
  CHECK_STR(get(deep), "leaf", "reads there");
  CHECK_INT(try_make_all(deep), TF_FAILED_PRECONDITION, "a file at the end of a path to make");
  CHECK_INT(try_delete_tree("mem://d"), TF_OK, "deletes them all");
  fs.path_exists(&here, "a/b", fresh());
  CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "a path that was not translated");
  fs.create_dir(&here, "/a/../b", fresh());
  CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "a path with dots");
}

int main(int argc, char **argv) {
  if (!host_open(argc, argv, 1, "mem")) return check_end();
  test_tables();
  test_translate();
  test_root();
  test_bounds();
  return host_close();
}
