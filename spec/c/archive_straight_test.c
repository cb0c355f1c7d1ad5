/* Members of a tar whose length is told before: the archive has what was told, or is not there. */
#include <modfs/modfs.h>

#include "check.h"
#include "core/fs/copy.h"
#include "core/fs/writable.h"

enum { LENGTH = 2 * 1024 * 1024, MANY = 1000 };

static TF_Status *status;
static const modfs_fs *tar, *mem;
static char archive[64], content[LENGTH];
static modfs_transaction *begun;

static TF_Code code(void) {
  return TF_GetCode(status);
}

static const char *member(const char *name) {
  static char path[128];
  snprintf(path, sizeof path, "tar+mem://%s!/%s", archive, name);
  return path;
}

static void begin(const char *name) {
  snprintf(archive, sizeof archive, "archives/%s", name);
  begun = modfs_transaction_start(tar, status);
  modfs_transaction_add(begun, member(""), status);
}

static TF_Code end(void) {
  modfs_transaction_commit(begun, status);
  TF_Code ended = code();
  modfs_transaction_drop(begun);
  return ended;
}

static TF_Code announce(const modfs_writable *file, int64_t length) {
  const fs_wanted wanted = {.which = MODFS_ATTRIBUTE_LENGTH, .attributes.length = length};
  writable_set_attributes(file, &wanted, status);
  return code();
}

static modfs_writable *open_member(const char *name) {
  return modfs_writable_open(tar, member(name), MODFS_WRITE_ATOMIC_FAST, status);
}

static TF_Code append(modfs_writable *file, size_t n) {
  modfs_writable_append(file, content, n, status);
  return code();
}

static TF_Code close_member(modfs_writable *file) {
  modfs_writable_close(file, status);
  return code();
}

static int64_t size_of(const char *name) {
  return modfs_fs_get_file_size(tar, member(name), status);
}

static bool is_there(void) {
  char path[80];
  snprintf(path, sizeof path, "mem://%s", archive);
  modfs_fs_path_exists(mem, path, status);
  return code() == TF_OK;
}

static void test_announced(const char *name) {
  begin(name);
  modfs_writable *first = open_member("first"), *second = open_member("second");
  CHECK_INT(announce(first, MANY), TF_UNIMPLEMENTED, "%s: a small one needs no announcement", name);
  CHECK_INT(announce(first, LENGTH), TF_OK, "%s: a large one is announced", name);
  CHECK_INT(announce(first, LENGTH), TF_UNIMPLEMENTED, "%s: once", name);
  CHECK_INT(announce(second, LENGTH), TF_UNIMPLEMENTED, "%s: one at a time", name);
  append(first, LENGTH / 2);
  append(second, LENGTH);
  CHECK_INT(close_member(second), TF_OK, "%s: another one closes meanwhile", name);
  append(first, LENGTH / 2);
  CHECK_INT(close_member(first), TF_OK, "%s: as many bytes as announced", name);
  CHECK_INT(end(), TF_OK, "%s: the archive is complete", name);
  CHECK_INT(size_of("first"), LENGTH, "%s: has the first", name);
  CHECK_INT(size_of("second"), LENGTH, "%s: and the second", name);
}

static void test_lacking(void) {
  begin("fewer.tar");
  modfs_writable *file = open_member("file");
  announce(file, LENGTH);
  append(file, LENGTH - 1);
  CHECK_INT(close_member(file), TF_DATA_LOSS, "fewer bytes than announced are told");
  CHECK_INT(end(), TF_DATA_LOSS, "and end the archive");
  CHECK(!is_there(), "of which nothing is left");
}

static void test_beyond(void) {
  begin("more.tar");
  modfs_writable *file = open_member("file");
  announce(file, LENGTH);
  append(file, LENGTH);
  CHECK_INT(append(file, 1 << 16), TF_DATA_LOSS, "more bytes than announced are told");
  modfs_writable_abort(file, status);
  CHECK_INT(end(), TF_DATA_LOSS, "and end the archive");
  CHECK(!is_there(), "of which nothing is left");
}

static void test_given_up(bool ends_first) {
  begin(ends_first ? "open.tar" : "up.tar");
  modfs_writable *file = open_member("file");
  announce(file, LENGTH);
  append(file, LENGTH / 2);
  if (!ends_first) modfs_writable_abort(file, status);
  CHECK_INT(end(), TF_DATA_LOSS, "a file that is %s ends the archive",
            ends_first ? "still open" : "given up");
  CHECK(!is_there(), "of which nothing is left");
  if (ends_first) CHECK_INT(append(file, LENGTH / 2), TF_DATA_LOSS, "which is told");
  if (ends_first) modfs_writable_abort(file, status);
}

/* Copies a file of LENGTH bytes of which so many were announced. */
static TF_Code copy(int64_t length) {
  copy_terms terms = {.length = length};
  modfs_file *source = modfs_file_open(mem, "mem://archives/source", status);
  copy_opened(source, tar, member("copy"), &terms, status);
  TF_Code copied = code();
  modfs_file_close(source);
  return copied;
}

static void test_copies(void) {
  modfs_writable *source =
      modfs_writable_open(mem, "mem://archives/source", MODFS_WRITE_REPLACE, status);
  append(source, LENGTH);
  close_member(source);
  begin("copied.tar");
  CHECK_INT(copy(LENGTH - 1), TF_OK, "a file that has grown is copied as it was");
  CHECK_INT(end(), TF_OK, "and the archive is complete");
  CHECK_INT(size_of("copy"), LENGTH - 1, "with the length that was announced");
  begin("shrunk.tar");
  CHECK_INT(copy(LENGTH + 1), TF_ABORTED, "a file that has become shorter is told");
  CHECK_INT(end(), TF_DATA_LOSS, "and ends the archive");
  CHECK(!is_there(), "of which nothing is left");
}

int main(void) {
  status = TF_NewStatus();
  memset(content, 'x', sizeof content);
  modfs_start(status);
  mem = modfs_fs_of("mem://archives");
  modfs_fs_create_dir(mem, "mem://archives", status);
  char plugins[4200];
  snprintf(plugins, sizeof plugins, "%s/?.so", modfs_plugin_directory());
  tar = modfs_fs_search("tar+mem://archives/a.tar!/", plugins, "find", status);
  if (!CHECK(tar && mem, "the filesystems are there")) return check_end();
  test_announced("both.tar");
  test_announced("both.tar.gz");
  test_lacking();
  test_beyond();
  test_given_up(false);
  test_given_up(true);
  test_copies();
  TF_DeleteStatus(status);
  return check_end();
}
