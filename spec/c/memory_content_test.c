/* The memory plugin: what files hold, times, attributes and the limit. */
#include <unistd.h>

#include "filesystem_ops.h"

static void test_reading(void) {
  TF_RandomAccessFile file;
  char buffer[16] = "";
  clear();
  put("mem://f", "0123456789");
  open_file("mem://f", &file);
  put_end("mem://f", "abc");
  CHECK_INT(file_ops.read(&file, 8, 5, buffer, fresh()), 5, "an open file sees what is appended");
  CHECK(!memcmp(buffer, "89abc", 5), "behind what was there");
  put("mem://f", "new");
  CHECK_INT(file_ops.read(&file, 0, 13, buffer, fresh()), 13, "and keeps it when replaced");
  try_delete("mem://f");
  CHECK(file_ops.read(&file, 0, 13, buffer, fresh()) == 13 && !memcmp(buffer, "0123", 4),
        "and when deleted");
  file_ops.cleanup(&file);
  file_ops.cleanup(&file);
}

static void test_writing(void) {
  TF_WritableFile one, two;
  clear();
  put("mem://f", "old");
  open_writable("mem://f", 'w', &one);
  CHECK_STR(get("mem://f"), "", "a new file is empty at once");
  append(&one, "test");
  CHECK_STR(get("mem://f"), "test", "what was appended is there without a flush");
  open_writable("mem://f", 'a', &two);
  append(&two, "-two");
  append(&one, "-one");
  CHECK_STR(get("mem://f"), "test-two-one", "two appenders both go to the end");
  CHECK_INT(writable_ops.tell(&two, fresh()), 8, "tell is where a handle's last bytes ended");
  CHECK_INT(writable_ops.tell(&one, fresh()), 12, "for each handle");
  on_two(fs.rename_file, "mem://f", "mem://g");
  append(&one, "!");
  CHECK_STR(get("mem://g"), "test-two-one!", "a writer follows its file when that is renamed");
  put("mem://g", "replaced");
  CHECK_INT(append(&two, "?"), TF_OK, "and goes on when it is replaced");
  CHECK_STR(get("mem://g"), "replaced", "without disturbing the new one");
  writable_ops.close(&one, fresh());
  check_closed(&one);
  writable_ops.cleanup(&one);
  writable_ops.cleanup(&two);
}

static void test_regions(void) {
  TF_ReadOnlyMemoryRegion region, later;
  clear();
  put("mem://f", "test");
  open_region("mem://f", &region);
  CHECK_STR(region_ops.data(&region), "test", "a region has a zero byte behind it");
  CHECK((uintptr_t)region_ops.data(&region) % _Alignof(max_align_t) == 0, "and is aligned");
  for (int i = 0; i < 2000; i++)
    put_end("mem://f", "0123456789");
  open_region("mem://f", &later);
  CHECK_INT(strlen(region_ops.data(&later)), 20004, "a later one has all, and a zero byte");
  put("mem://f", "new");
  try_delete("mem://f");
  CHECK(!memcmp(region_ops.data(&region), "test", 4), "both stay when the file is deleted");
  CHECK(!memcmp((const char *)region_ops.data(&later) + 20000, "6789", 4), "and keep their bytes");
  region_ops.cleanup(&region);
  region_ops.cleanup(&later);
}

static void test_sharing(void) {
  TF_ReadOnlyMemoryRegion region;
  clear();
  put("mem://a", "shared");
  on_two(fs.copy_file, "mem://a", "mem://b");
  on_two(fs.copy_file, "mem://a", "mem://c");
  put_end("mem://a", "+a");
  put_end("mem://b", "+bb");
  CHECK_STR(tree("mem://"), "a=shared+a;b=shared+bb;c=shared;", "copies part when they grow");
  open_region("mem://c", &region);
  CHECK_STR(region_ops.data(&region), "shared", "nothing of another file behind a region");
  region_ops.cleanup(&region);
  put_end("mem://c", "+c");
  CHECK_STR(tree("mem://"), "a=shared+a;b=shared+bb;c=shared+c;", "the last one, too");
  on_two(fs.copy_file, "mem://a", "mem://b");
  CHECK_STR(get("mem://b"), "shared+a", "a copy replaces");
  int64_t time = mtime_of("mem://a");
  usleep(2000);
  CHECK_INT(on_two(fs.copy_file, "mem://a", "mem://a"), TF_OK, "a copy onto itself is OK");
  CHECK_INT(mtime_of("mem://a"), time, "and keeps the time");
  CHECK_STR(get("mem://a"), "shared+a", "and changes nothing");
  CHECK_INT(on_two(fs.rename_file, "mem://x", "mem://x"), TF_NOT_FOUND, "onto itself, missing");
  CHECK_INT(write_by("mem://a", MODFS_OPEN_NEW, "n"), TF_ALREADY_EXISTS,
            "a new file takes no place");
  CHECK_INT(write_by("mem://a", MODFS_OPEN_NEW | MODFS_OPEN_ATOMIC, "n"), TF_ALREADY_EXISTS,
            "an atomic one neither");
  CHECK_INT(write_by("mem://n", MODFS_OPEN_NEW, "n"), TF_OK, "but its own");
}

static void test_times(void) {
  TF_WritableFile file;
  clear();
  make("mem://d");
  int64_t start = mtime_of("mem://d");
  usleep(2000);
  open_writable("mem://d/f", 'w', &file);
  int64_t made = mtime_of("mem://d/f"), entered = mtime_of("mem://d");
  usleep(2000);
  append(&file, "x");
  int64_t grown = mtime_of("mem://d/f");
  CHECK(start > INT64_C(1600000000000000000), "times are nanoseconds since 1970");
  CHECK(entered > start, "a new entry is a change of the directory");
  CHECK(grown > made, "an append is a change of the file");
  CHECK_INT(mtime_of("mem://d"), entered, "and none of the directory");
  usleep(2000);
  on_two(fs.rename_file, "mem://d/f", "mem://d/g");
  CHECK_INT(mtime_of("mem://d/g"), grown, "a rename is none of the file");
  CHECK(mtime_of("mem://d") > entered, "but one of the directory");
  writable_ops.cleanup(&file);
}

static void test_attributes(void) {
  modfs_attributes file = {.struct_size = sizeof file}, other = file;
  clear();
  put("mem://f", "test");
  make("mem://d");
  ext->lstat(&here, "/f", &file, fresh());
  CHECK_INT(file.kind, MODFS_KIND_FILE, "lstat tells the kind");
  CHECK_INT(file.length, 4, "and the length");
  ext->lstat(&here, "/d", &other, fresh());
  CHECK_INT(other.kind, MODFS_KIND_DIRECTORY, "of a directory, too");
  CHECK(other.inode && other.inode != file.inode, "each has a number of its own");
  other.struct_size = 0;
  ext->lstat(&here, "/d", &other, fresh());
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "lstat without a size");
}

static void test_bad_options(void) {
  TF_Filesystem_Option_Value_Union fives[2] = {{.int_val = 5}, {.int_val = 5}},
                                   negative = {.int_val = -5};
  TF_Filesystem_Option_Value good = {TF_Filesystem_Option_Type_Int, 1, fives},
                             bad = {TF_Filesystem_Option_Type_Int, 1, &negative},
                             none = {TF_Filesystem_Option_Type_Int, 1, NULL},
                             two = {TF_Filesystem_Option_Type_Int, 2, fives};
  TF_Filesystem_Option options[2] = {{"limit_bytes", NULL, 0, &good}};
  const struct {
    const char *title;
    TF_Filesystem_Option *options;
    int count;
    TF_Filesystem_Option second;
  } rows[] = {
      {"one good and one bad value", options, 2, {"limit_bytes", NULL, 0, &bad}},
      {"a value without values", options, 2, {"limit_bytes", NULL, 0, &none}},
      {"two values", options, 2, {"limit_bytes", NULL, 0, &two}},
      {"no value", options, 2, {"limit_bytes", NULL, 0, NULL}},
      {"no options", NULL, 1, {0}},
      {"less than none", options, -1, {0}},
  };
  for (size_t i = 0; i < MEMBERS(rows); i++) {
    options[1] = rows[i].second;
    fs.set_filesystem_configuration(&here, rows[i].options, rows[i].count, fresh());
    CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "%s", rows[i].title);
    CHECK_INT(get_option("limit_bytes"), 1000, "%s: sets nothing", rows[i].title);
  }
}

static void test_options(void) {
  int count = 0;
  CHECK(list_options(&count) == 0 && count == 1, "there is one option, and no limit");
  CHECK_INT(set_option("limit_bytes", TF_Filesystem_Option_Type_Int, 1000), TF_OK, "sets it");
  CHECK_INT(get_option("limit_bytes"), 1000, "and gives it back");
  CHECK_INT(set_option("limit", 0, 1), TF_NOT_FOUND, "an unknown name");
  CHECK_INT(set_option(NULL, 0, 1), TF_INVALID_ARGUMENT, "no name");
  CHECK_INT(set_option("limit_bytes", 0, -1), TF_INVALID_ARGUMENT, "a negative limit");
  CHECK_INT(set_option("limit_bytes", 1, 1), TF_INVALID_ARGUMENT, "a real number");
  test_bad_options();
  CHECK_INT(get_option("other"), -1, "an unknown name to get");
  CHECK_INT(TF_GetCode(status), TF_NOT_FOUND, "is not found");
  CHECK_INT(set_option("limit_bytes", 0, 0), TF_OK, "no limit again");
}

static void test_limit(void) {
  TF_RandomAccessFile held;
  clear();
  set_option("limit_bytes", 0, 10);
  CHECK_INT(put("mem://a", "0123456789"), TF_OK, "writes up to the limit");
  CHECK_INT(put_end("mem://a", "x"), TF_RESOURCE_EXHAUSTED, "and not beyond");
  CHECK_STR(get("mem://a"), "0123456789", "nothing of it is written");
  CHECK_INT(on_two(fs.copy_file, "mem://a", "mem://b"), TF_RESOURCE_EXHAUSTED, "copies count");
  CHECK_STR(tree("mem://"), "a=0123456789;", "no part of the copy is left");
  open_file("mem://a", &held);
  CHECK_INT(put("mem://a", "x"), TF_RESOURCE_EXHAUSTED, "what is replaced counts while it is open");
  file_ops.cleanup(&held);
  CHECK_INT(put("mem://a", "01234"), TF_OK, "and no longer");
  CHECK_INT(on_two(fs.copy_file, "mem://a", "mem://b"), TF_OK, "a copy that fits");
  try_delete_tree("mem://b");
  CHECK_INT(put("mem://b", "01234"), TF_OK, "what is deleted does not count");
  set_option("limit_bytes", 0, 3);
  CHECK_INT(put_end("mem://a", "x"), TF_RESOURCE_EXHAUSTED, "a lower limit than what is there");
  CHECK_INT(put_end("mem://a", ""), TF_OK, "lets no bytes pass");
  CHECK_INT(put("mem://empty", ""), TF_OK, "and empty files");
  set_option("limit_bytes", 0, 0);
  CHECK_INT(put_end("mem://a", "0123456789"), TF_OK, "no limit");
}

int main(int argc, char **argv) {
  if (!host_open(argc, argv, 1, "mem")) return check_end();
  test_reading();
  test_writing();
  test_regions();
  test_sharing();
  test_times();
  test_attributes();
  test_options();
  test_limit();
  return host_close();
}
