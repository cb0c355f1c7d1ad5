/* The memory plugin, through its tables alone: names, codes and what there is. */
#include "memory_ops.h"

static void test_tables(void) {
  void *const *slots = (void *const *)(const void *)&fs;
  size_t count = sizeof fs / sizeof *slots, filled = 0;
  for (size_t i = 0; i + 1 < count; i++)
    filled += slots[i] != NULL;
  CHECK_INT(filled, 32, "every operation but the keys is the plugin's own");
  CHECK(ext && ext->struct_size == sizeof *ext, "the extension is there");
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

/* Each operation on something missing, below something missing, on a directory that holds a file,
 * on a file, and below a file. */
static void test_codes(void) {
  enum { OK = TF_OK, NF = TF_NOT_FOUND, FP = TF_FAILED_PRECONDITION, AE = TF_ALREADY_EXISTS };
  static const char *const uris[] = {"mem://t/none", "mem://t/none/x", "mem://t/dir",
                                     "mem://t/file", "mem://t/file/x"};
  static const struct {
    const char *name;
    TF_Code (*run)(const char *uri);
    int codes[5];
  } rows[] = {
      {"new_random_access_file", try_read, {NF, NF, FP, OK, FP}},
      {"new_read_only_memory_region_from_file", try_region, {NF, NF, FP, OK, FP}},
      {"new_writable_file", try_write, {OK, NF, FP, OK, FP}},
      {"new_appendable_file", try_append, {OK, NF, FP, OK, FP}},
      {"create_dir", make, {OK, NF, AE, AE, FP}},
      {"recursively_create_dir", try_make_all, {OK, OK, OK, FP, FP}},
      {"delete_file", try_delete, {NF, NF, FP, OK, FP}},
      {"delete_dir", try_delete_dir, {NF, NF, FP, FP, FP}},
      {"delete_recursively", try_delete_tree, {NF, NF, OK, OK, FP}},
      {"rename_file from", try_rename_from, {NF, NF, FP, OK, FP}},
      {"rename_file to", try_rename_to, {OK, NF, FP, OK, FP}},
      {"copy_file from", try_copy_from, {NF, NF, FP, OK, FP}},
      {"copy_file to", try_copy_to, {OK, NF, FP, OK, FP}},
      {"path_exists", exists, {NF, NF, OK, OK, FP}},
      {"stat", try_stat, {NF, NF, OK, OK, FP}},
      {"lstat", try_lstat, {NF, NF, OK, OK, FP}},
      {"is_directory", try_is_directory, {NF, NF, OK, FP, FP}},
      {"get_file_size", try_size, {NF, NF, FP, OK, FP}},
      {"get_children", try_list, {NF, NF, OK, FP, FP}},
      {"open_directory", try_iterate, {NF, NF, OK, FP, FP}},
      {"open_writer, atomic", try_atomic, {OK, NF, FP, OK, FP}},
      {"open_writer, new", try_new, {OK, NF, AE, AE, FP}},
      {"open_writer, atomic and new", try_atomic_new, {OK, NF, AE, AE, FP}},
  };
  for (size_t row = 0; row < MEMBERS(rows); row++)
    for (size_t i = 0; i < MEMBERS(uris); i++) {
      clear();
      try_make_all("mem://t/dir");
      put("mem://t/dir/in", "in");
      put("mem://t/file", "file");
      put("mem://t/source", "source");
      CHECK_INT(rows[row].run(uris[i]), rows[row].codes[i], "%s %s", rows[row].name, uris[i]);
      if (rows[row].codes[i])
        CHECK_STR(tree("mem://t"), "dir(in=in;)file=file;source=source;", "%s %s changes nothing",
                  rows[row].name, uris[i]);
    }
}

static void test_root(void) {
  uint64_t files, dirs;
  clear();
  CHECK_INT(make("mem://"), TF_ALREADY_EXISTS, "the root cannot be made");
  CHECK_INT(try_make_all("mem://"), TF_OK, "making the path of the root is fine");
  CHECK_INT(try_delete_dir("mem://"), TF_FAILED_PRECONDITION, "the root cannot be deleted");
  CHECK_INT(try_delete("mem://"), TF_FAILED_PRECONDITION, "the root is no file to delete");
  CHECK_INT(try_write("mem://"), TF_FAILED_PRECONDITION, "the root is no file to write");
  put("mem://a", "a");
  try_make_all("mem://b/c");
  CHECK_INT(delete_tree("mem://", &files, &dirs), TF_OK, "the root can be emptied");
  CHECK(files == 0 && dirs == 0, "emptying the root leaves nothing undeleted");
  CHECK_STR(tree("mem://"), "", "the root is empty then");
  CHECK_INT(exists("mem://"), TF_OK, "the root stays");
}

static void test_delete_counts(void) {
  uint64_t files, dirs;
  clear();
  delete_tree("mem://none", &files, &dirs);
  CHECK(files == 0 && dirs == 1, "what is missing counts as one directory");
  put("mem://f", "f");
  CHECK(delete_tree("mem://f", &files, &dirs) == TF_OK && !files && !dirs, "deletes a single file");
  try_make_all("mem://d/e/f");
  put("mem://d/e/g", "g");
  CHECK(delete_tree("mem://d/e", &files, &dirs) == TF_OK && !files && !dirs, "deletes a tree");
  CHECK_STR(tree("mem://"), "d()", "and not its parent");
}

static void test_bounds(void) {
  static char name[300], deep[80000];
  clear();
  memcpy(name, "mem://", 6);
  memset(name + 6, 'n', 255);
  CHECK_INT(try_write(name), TF_OK, "a name of 255 bytes");
  name[6 + 255] = 'n';
  CHECK_INT(try_write(name), TF_INVALID_ARGUMENT, "a name of 256 bytes");
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
  char bytes[300] = "/x";
  for (int i = 1, n = 2; i < 256; i++)
    if (i != '/') bytes[n++] = (char)i;
  CHECK_INT(put(bytes, "bytes"), TF_OK, "a name of all bytes there are");
  CHECK_STR(get(bytes), "bytes", "is found again");
  fs.path_exists(&here, "a/b", fresh());
  CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "a path that was not translated");
  fs.create_dir(&here, "/a/../b", fresh());
  CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "a path with dots");
}

static void test_paths_exist(void) {
  char *paths[] = {"/d", "/f", "/f/x", "/none"};
  static const TF_Code codes[] = {TF_OK, TF_OK, TF_FAILED_PRECONDITION, TF_NOT_FOUND};
  TF_Status *statuses[4];
  clear();
  make("mem://d");
  put("mem://f", "f");
  for (int i = 0; i < 4; i++)
    statuses[i] = TF_NewStatus();
  TF_SetStatus(statuses[0], TF_INTERNAL, "stale");
  CHECK(!fs.paths_exist(&here, paths, 4, statuses), "paths_exist: not all do");
  for (int i = 0; i < 4; i++) {
    CHECK_INT(TF_GetCode(statuses[i]), codes[i], "paths_exist: %s", paths[i]);
    TF_DeleteStatus(statuses[i]);
  }
  CHECK(fs.paths_exist(&here, paths, 2, NULL), "paths_exist: without statuses");
  CHECK(!fs.paths_exist(&here, paths, 3, NULL), "paths_exist: not all, without statuses");
  CHECK(fs.paths_exist(&here, NULL, 0, NULL), "paths_exist: none asked for");
}

int main(int argc, char **argv) {
  if (!host_open(argc, argv)) return check_end();
  test_tables();
  test_translate();
  test_codes();
  test_root();
  test_delete_counts();
  test_bounds();
  test_paths_exist();
  return host_close();
}
