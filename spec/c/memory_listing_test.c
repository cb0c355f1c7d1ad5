/* The memory plugin: listings, iterations and patterns. */
#include "filesystem_ops.h"

static bool next_name(const modfs_directory *directory, char name[256], int *kind) {
  modfs_directory_entry entry = {NULL, MODFS_KIND_UNKNOWN};
  if (!ext->next_entry(directory, &entry, fresh())) return false;
  snprintf(name, 256, "%s", entry.name);
  *kind = entry.kind;
  return true;
}

static void test_iteration(void) {
  modfs_directory directory = {NULL};
  char name[256], seen[64] = "";
  int kind;
  clear();
  put("mem://d", "");
  try_delete("mem://d");
  try_make_all("mem://d/b");
  put("mem://d/a", "a");
  put("mem://d/c", "c");
  put("mem://d/e", "e");
  ext->open_directory(&here, "/d", &directory, fresh());
  CHECK(next_name(&directory, name, &kind) && !strcmp(name, "a") && kind == MODFS_KIND_FILE,
        "a file first");
  CHECK(next_name(&directory, name, &kind) && !strcmp(name, "b") && kind == MODFS_KIND_DIRECTORY,
        "then a directory");
  try_delete_dir("mem://d/b");
  try_delete("mem://d/c");
  put("mem://d/d", "d");
  put("mem://d/a0", "before");
  while (next_name(&directory, name, &kind))
    strcat(seen, name);
  CHECK_STR(seen, "de", "then what is there by then, nothing twice");
  try_delete_tree("mem://d");
  CHECK(!next_name(&directory, name, &kind), "the end stays the end");
  ext->close_directory(&directory);
  ext->close_directory(&directory);
}

/* Appends the names of a block, with "/" behind those of directories; returns how many it has. */
static int add_block(const char *block, size_t used, char *seen) {
  int count = 0;
  for (size_t at = 0; at < used; at += strlen(block + at + 1) + 2) {
    strcat(strcat(seen, block + at + 1), block[at] == MODFS_KIND_DIRECTORY ? "/ " : " ");
    count++;
  }
  return count;
}

static void test_blocks(void) {
  enum { MANY = 1000 };
  static char block[MODFS_ENTRIES_SIZE], seen[MANY * 8], expected[MANY * 8];
  modfs_directory directory = {NULL};
  char uri[64];
  clear();
  make("mem://d");
  for (int i = 0; i < MANY; i++) {
    snprintf(uri, sizeof uri, "mem://d/%04d", i);
    if (i % 10 == 0 ? make(uri) : put(uri, "")) break;
  }
  ext->open_directory(&here, "/d", &directory, fresh());
  size_t used = ext->next_entries(&directory, block, sizeof block, fresh());
  int first = add_block(block, used, seen);
  CHECK(first > 1 && first < MANY, "some entries at once, not all: the lock is held meanwhile");
  put("mem://d/0000a", "");
  snprintf(uri, sizeof uri, "mem://d/%04d", first);
  try_delete_tree(uri);
  try_delete(uri);
  put("mem://d/1000", "");
  for (int i = 0; i <= MANY; i++)
    if (i != first)
      sprintf(expected + strlen(expected), "%04d%s ", i, i % 10 == 0 && i < MANY ? "/" : "");
  while ((used = ext->next_entries(&directory, block, sizeof block, fresh())) > 0)
    add_block(block, used, seen);
  CHECK(!strcmp(seen, expected), "then what is there by then, nothing twice, with its kind");
  put("mem://d/2000", "");
  char name[256];
  int kind;
  CHECK(next_name(&directory, name, &kind) && !strcmp(name, "2000"),
        "an entry by itself continues behind a block");
  CHECK_INT(ext->next_entries(&directory, block, sizeof block, fresh()), 0,
            "and a block behind it");
  ext->close_directory(&directory);
  try_delete_tree("mem://d");
}

/* Each name takes 257 bytes of a block: more than the least block has room for. */
static void test_full_blocks(void) {
  enum { MANY = 200 };
  static char block[MODFS_ENTRIES_SIZE];
  modfs_directory directory = {NULL};
  char uri[300];
  int count = 0, blocks = 0;
  clear();
  make("mem://d");
  for (int i = 0; i < MANY; i++) {
    snprintf(uri, sizeof uri, "mem://d/%0255d", i);
    if (put(uri, "")) break;
  }
  ext->open_directory(&here, "/d", &directory, fresh());
  for (size_t used; (used = ext->next_entries(&directory, block, sizeof block, fresh())) > 0;
       blocks++)
    for (size_t at = 0; at < used; at += 257, count++)
      if (atoi(block + at + 1) != count) count += MANY;
  CHECK_INT(count, MANY, "the longest names, each once");
  CHECK_INT(blocks, 2, "in two blocks");
  ext->close_directory(&directory);
  try_delete_tree("mem://d");
}

static void test_many(void) {
  enum { MANY = 50000 };
  char uri[64], **names;
  clear();
  make("mem://d");
  for (int i = 0; i < MANY; i++) {
    snprintf(uri, sizeof uri, "mem://d/%d", (i * 7919) % MANY);
    if (make(uri)) break;
  }
  int count = list("mem://d", &names);
  bool sorted = true;
  for (int i = 1; i < count; i++)
    sorted = sorted && strcmp(names[i - 1], names[i]) < 0;
  free_names(names, count);
  CHECK_INT(count, MANY, "50,000 entries");
  CHECK(sorted, "in order");
  for (int i = 0; i < MANY; i += 2) {
    snprintf(uri, sizeof uri, "mem://d/%d", i);
    if (try_delete_dir(uri)) break;
  }
  count = list("mem://d", &names);
  free_names(names, count);
  CHECK_INT(count, MANY / 2, "half of them deleted");
}

/* What hosts may do with a long list, whose strings share memory: free them in any order, and the array
 * first; keep some while others come. Names of 200 bytes take several pieces. */
static void test_long_lists(void) {
  enum { LONG = 12000, LISTS = 80 };
  static char **lists[LISTS];
  char uri[256], **names, **kept = malloc(LONG * sizeof *kept);
  int counts[LISTS], wrong = 0;
  clear();
  make("mem://d");
  for (int i = 0; i < LONG; i++) {
    snprintf(uri, sizeof uri, "mem://d/%0200d", i);
    if (put(uri, "")) break;
  }
  int count = list("mem://d", &names);
  CHECK_INT(count, LONG, "12,000 long names");
  memcpy(kept, names, LONG * sizeof *kept);
  info.plugin_memory_free(names);
  for (int i = 0; i < LISTS; i++) {
    counts[i] = list("mem://d", &lists[i]);
    snprintf(uri, sizeof uri, "mem://d/%0200d", i);
    try_delete(uri);
  }
  for (int i = 0; i < LISTS; i++) {
    wrong += counts[i] != LONG - i || atoi(lists[i][0]) != i || strlen(lists[i][0]) != 200;
    wrong += atoi(lists[i][counts[i] - 1]) != LONG - 1;
  }
  CHECK_INT(wrong, 0, "80 lists at once, each of its time");
  for (int i = LISTS; i-- > 0;)
    free_names(lists[i], counts[i]);
  for (int i = 0, at = 0; i < LONG; i++, at = (at + 7919) % LONG) {
    wrong += atoi(kept[at]) != at;
    memset(kept[at], 'x', 200);
    info.plugin_memory_free(kept[at]);
  }
  CHECK_INT(wrong, 0, "strings without their array, in another order, written over");
  free(kept);
  count = fs.get_matching_paths(&here, "mem://d/*[37]", &names, fresh());
  CHECK_INT(count, LONG / 5 - 2 * (LISTS / 10), "matches among them");
  for (int i = 1; i < count; i++)
    wrong += strcmp(names[i - 1], names[i]) >= 0 || strncmp(names[i], "mem://d/0", 9) != 0;
  CHECK_INT(wrong, 0, "in order, with what stood before them");
  free_names(names, count);
  try_delete_tree("mem://d");
}

/* A listing is what is there by then, whatever changed since the last one. */
static void test_changes(void) {
  char **names;
  clear();
  make("mem://d");
  CHECK_INT(list("mem://d", &names), 0, "nothing at first");
  free_names(names, 0);
  put("mem://d/b", "");
  put("mem://d/c", "");
  CHECK_STR(glob("mem://d/*"), "mem://d/b mem://d/c", "two files");
  on_two(fs.rename_file, "mem://d/c", "mem://d/a");
  CHECK_STR(glob("mem://d/*"), "mem://d/a mem://d/b", "one renamed");
  on_two(fs.rename_file, "mem://d/a", "mem://d/b");
  CHECK_STR(glob("mem://d/*"), "mem://d/b", "over the other");
  try_delete("mem://d/b");
  CHECK_STR(glob("mem://d/*"), "", "and deleted");
}

static void test_patterns(void) {
  static const char *const pairs[][2] = {
      {"mem:///g/a*", "mem:///g/a-b mem:///g/abc mem:///g/abcd"},
      {"mem://g/a*", "mem://g/a-b mem://g/abc mem://g/abcd"},
      {"/g/a*", "/g/a-b /g/abc /g/abcd"},
      {"g/a*", "g/a-b g/abc g/abcd"},
      {"mem://g", "mem://g"},
      {"mem:///g//./abc", "mem:///g//./abc"},
      {"mem://g/none", ""},
      {"mem://g/abc/x", ""},
      {"", ""},
      {"mem://", "mem://"},
      {"mem://*", "mem://g mem://h"},
      {"mem:///*", "mem:///g mem:///h"},
      {"mem://[gh]/ab?", "mem://g/abc"},
      {"mem://*/*", "mem://g/[x] mem://g/a-b mem://g/abc mem://g/abcd mem://g/d mem://h/y"},
      {"mem://*/d/*", "mem://g/d/e mem://g/d/f"},
      {"mem://?/d/e", "mem://g/d/e"},
      {"mem://g/abc/*", ""},
      {"mem://g/*c", "mem://g/abc"},
      {"mem://g/ab[b-d]", "mem://g/abc"},
      {"mem://g/ab[^c]*", ""},
      {"mem://g/a[^a]*", "mem://g/a-b mem://g/abc mem://g/abcd"},
      {"mem://g/a[!-]c", "mem://g/abc"},
      {"mem://g/[", ""},
      {"mem://g/[]x[]*", "mem://g/[x]"},
      {"mem://g/\\[x]", "mem://g/[x]"},
      {"mem://g/[[]x]", "mem://g/[x]"},
      {"mem://g/[x]", ""},
      {"mem://g/a\\bc", "mem://g/abc"},
      {"mem://g/abc\\", ""},
      {"mem://g/d/", "mem://g/d/"},
      {"mem://g/?/", "mem://g/d"},
      {"mem://g/../h/*", "mem://g/../h/y"},
      {"mem://none/*", ""},
      {"mem://g/*/..", ""},
      {"me?://g", ""},
      {"mem://g/*b*c*d", "mem://g/abcd"},
      {"mem://?//d//[ef]", "mem://g/d/e mem://g/d/f"},
  };
  clear();
  try_make_all("mem://g/d");
  make("mem://h");
  put("mem://h/y", "");
  put("mem://g/abc", "");
  put("mem://g/abcd", "");
  put("mem://g/a-b", "");
  put("mem://g/[x]", "");
  put("mem://g/d/e", "");
  put("mem://g/d/f", "");
  for (size_t i = 0; i < MEMBERS(pairs); i++)
    CHECK_STR(glob(pairs[i][0]), pairs[i][1], "matches of %s", pairs[i][0]);
  try_make_all("mem://s/x");
  try_make_all("mem://s-/x");
  CHECK_STR(glob("mem://s*/*"), "mem://s-/x mem://s/x", "matches are sorted as strings");
  static char stars[60001] = "mem://g/", name[262] = "mem://";
  for (int i = 0; i < 29000; i++)
    memcpy(stars + 8 + 2 * i, "a*", 2);
  memset(name + 6, 'a', 255);
  strcpy(stars + strlen(stars), "b");
  put(name, "");
  CHECK_STR(glob(stars), "", "a pattern of 29,000 stars ends soon");
  memmove(stars + 6, stars + 8, strlen(stars + 8) + 1);
  CHECK_STR(glob(stars), "", "on a name made for it, too");
}

int main(int argc, char **argv) {
  if (!host_open(argc, argv, 1, "mem")) return check_end();
  test_iteration();
  test_blocks();
  test_full_blocks();
  test_many();
  test_long_lists();
  test_changes();
  test_patterns();
  return host_close();
}
