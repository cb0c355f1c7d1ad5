/* The memory plugin: what files hold, times, attributes and the limit. */
#include <unistd.h>

#include "memory_ops.h"

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
  CHECK_INT(append(&one, "x"), TF_FAILED_PRECONDITION, "no append after close");
  CHECK_INT(writable_ops.tell(&one, fresh()), -1, "no tell after close");
  writable_ops.close(&one, fresh());
  CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "no second close");
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
}

static void test_rename(void) {
  clear();
  put("mem://a", "a");
  put("mem://b", "b");
  CHECK_INT(on_two(fs.rename_file, "mem://a", "mem://a"), TF_OK, "a rename onto itself is OK");
  CHECK_INT(on_two(fs.rename_file, "mem://a", "mem://b"), TF_OK, "a rename replaces");
  CHECK_STR(tree("mem://"), "b=a;", "and takes the old name away");
  CHECK_INT(write_by("mem://b", MODFS_OPEN_ATOMIC, "n"), TF_OK, "an atomic file replaces");
  CHECK_STR(tree("mem://"), "b=n;", "in one step");
  CHECK_INT(on_two(fs.rename_file, "mem://x", "mem://x"), TF_NOT_FOUND, "onto itself, missing");
  make("mem://d");
  CHECK_INT(on_two(fs.rename_file, "mem://x", "mem://b"), TF_NOT_FOUND, "nothing is there");
  CHECK_INT(on_two(fs.rename_file, "mem://d", "mem://x"), TF_FAILED_PRECONDITION, "no directory");
  CHECK_INT(on_two(fs.rename_file, "mem://b", "mem://d"), TF_FAILED_PRECONDITION, "nor onto one");
  CHECK_INT(on_two(fs.copy_file, "mem://d", "mem://x"), TF_FAILED_PRECONDITION, "nor a copy");
  CHECK_INT(on_two(fs.copy_file, "mem://b", "mem://d"), TF_FAILED_PRECONDITION, "onto one");
  CHECK_INT(write_by("mem://b", MODFS_OPEN_NEW, "n"), TF_ALREADY_EXISTS,
            "a new file takes no place");
  CHECK_INT(write_by("mem://b", MODFS_OPEN_NEW | MODFS_OPEN_ATOMIC, "n"), TF_ALREADY_EXISTS,
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
  struct {
    modfs_attributes attributes;
    char behind[8];
  } box;
  modfs_attributes other = {.struct_size = sizeof other};
  clear();
  put("mem://f", "test");
  make("mem://d");
  memset(&box, 'x', sizeof box);
  box.attributes.struct_size = offsetof(modfs_attributes, mtime_nsec);
  ext->lstat(&here, "/f", &box.attributes, fresh());
  CHECK_INT(box.attributes.kind, MODFS_KIND_FILE, "lstat tells the kind");
  CHECK_INT(box.attributes.length, 4, "and the length");
  CHECK_INT(box.attributes.mtime_nsec, INT64_C(0x7878787878787878), "and fills no more than asked");
  ext->lstat(&here, "/d", &other, fresh());
  CHECK_INT(other.kind, MODFS_KIND_DIRECTORY, "of a directory, too");
  CHECK(other.inode && other.inode != box.attributes.inode, "each has a number of its own");
  other.struct_size = 0;
  ext->lstat(&here, "/d", &other, fresh());
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "lstat without a size");
}

static int64_t limit_now(void) {
  TF_Filesystem_Option *option = NULL;
  fs.get_filesystem_configuration_option(&here, "limit_bytes", &option, fresh());
  return limit_of(option);
}

static void test_options(void) {
  TF_Filesystem_Option_Value_Union good = {.int_val = 5}, bad = {.int_val = -5};
  TF_Filesystem_Option_Value good_value = {TF_Filesystem_Option_Type_Int, 1, &good},
                             bad_value = {TF_Filesystem_Option_Type_Int, 1, &bad},
                             no_value = {TF_Filesystem_Option_Type_Int, 1, NULL},
                             two_values = {TF_Filesystem_Option_Type_Int, 2, &good};
  TF_Filesystem_Option options[2] = {{"limit_bytes", NULL, 0, &good_value},
                                     {"limit_bytes", NULL, 0, &bad_value}};
  TF_Filesystem_Option *got = NULL;
  int count = 0;
  fs.get_filesystem_configuration(&here, &got, &count, fresh());
  CHECK(count == 1 && limit_of(got) == 0, "there is one option, and no limit");
  CHECK_INT(set_limit("limit_bytes", TF_Filesystem_Option_Type_Int, 1000), TF_OK, "sets it");
  CHECK_INT(limit_now(), 1000, "and gives it back");
  CHECK_INT(set_limit("limit", 0, 1), TF_NOT_FOUND, "an unknown name");
  CHECK_INT(set_limit(NULL, 0, 1), TF_INVALID_ARGUMENT, "no name");
  CHECK_INT(set_limit("limit_bytes", 0, -1), TF_INVALID_ARGUMENT, "a negative limit");
  CHECK_INT(set_limit("limit_bytes", 1, 1), TF_INVALID_ARGUMENT, "a real number");
  fs.set_filesystem_configuration(&here, options, 2, fresh());
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "one good and one bad value");
  CHECK_INT(limit_now(), 1000, "set neither");
  options[1].value = &no_value;
  fs.set_filesystem_configuration(&here, options, 2, fresh());
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "a value without values");
  options[1].value = &two_values;
  fs.set_filesystem_configuration(&here, options, 2, fresh());
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "two values");
  options[1].value = NULL;
  fs.set_filesystem_configuration(&here, options, 2, fresh());
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "no value");
  fs.set_filesystem_configuration(&here, NULL, 1, fresh());
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "no options");
  fs.set_filesystem_configuration(&here, options, -1, fresh());
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "less than none");
  fs.get_filesystem_configuration_option(&here, "other", &got, fresh());
  CHECK_INT(TF_GetCode(status), TF_NOT_FOUND, "an unknown name to get");
  CHECK_INT(set_limit("limit_bytes", 0, 0), TF_OK, "no limit again");
}

static void test_limit(void) {
  TF_RandomAccessFile held;
  clear();
  set_limit("limit_bytes", 0, 10);
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
  set_limit("limit_bytes", 0, 3);
  CHECK_INT(put_end("mem://a", "x"), TF_RESOURCE_EXHAUSTED, "a lower limit than what is there");
  CHECK_INT(put_end("mem://a", ""), TF_OK, "lets no bytes pass");
  CHECK_INT(put("mem://empty", ""), TF_OK, "and empty files");
  set_limit("limit_bytes", 0, 0);
  CHECK_INT(put_end("mem://a", "0123456789"), TF_OK, "no limit");
}

int main(int argc, char **argv) {
  if (!host_open(argc, argv)) return check_end();
  test_reading();
  test_writing();
  test_regions();
  test_sharing();
  test_rename();
  test_times();
  test_attributes();
  test_options();
  test_limit();
  return host_close();
}
