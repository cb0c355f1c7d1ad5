/* Trees on storage that answers from afar: how many operations are in flight, and what is asked. */
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"
#include "core/tree.h"

enum { FILES = 600, ANSWERS_AFTER_US = 2000 };

static TF_Status *status;
static modfs_fs *far;
static modfs_fs kept;
static char folder[] = "/tmp/modfs-far.XXXXXX";

static void write_file(const modfs_fs *fs, const char *path) {
  modfs_writable *file = modfs_writable_open(fs, path, MODFS_WRITE_REPLACE, status);
  modfs_writable_append(file, "content", 7, status);
  modfs_writable_close(file, status);
}

static void plant(void) {
  char path[64];
  modfs_fs_create_dir(far, "mem://far", status);
  for (int i = 0; i < FILES; i++) {
    snprintf(path, sizeof path, "mem://far/%d", i);
    write_file(far, path);
  }
}

static modfs_tree_counts copy_tree(const modfs_tree_options *options) {
  modfs_tree_event event;
  uint64_t files, directories;
  char to[64];
  snprintf(to, sizeof to, "%s/copy", folder);
  modfs_tree *tree = modfs_tree_copy(far, "mem://far", modfs_fs_of(to), to, options, status);
  modfs_tree_step(tree, &event, status);
  modfs_tree_counts counts = *modfs_tree_result(tree);
  modfs_tree_close(tree);
  modfs_fs_delete_recursively(modfs_fs_of(to), to, &files, &directories, status);
  return counts;
}

/* In flight -------------------------------------------------------------------------------- */

static atomic_int inside, most;

static void open_slowly(const TF_Filesystem *fs, const char *path, TF_RandomAccessFile *file,
                        TF_Status *opening) {
  int n = atomic_fetch_add(&inside, 1) + 1, seen = atomic_load(&most);
  while (n > seen && !atomic_compare_exchange_weak(&most, &seen, n)) {
  }
  usleep(ANSWERS_AFTER_US);
  atomic_fetch_sub(&inside, 1);
  kept.tables.fs.new_random_access_file(fs, path, file, opening);
}

/* How many files a copy opens at once, at most. */
static size_t at_once(uint64_t in_flight, size_t threads) {
  const modfs_tree_options options = {.threads = threads};
  atomic_store(&most, 0);
  far->extension.in_flight = in_flight;
  far->tables.fs.new_random_access_file = open_slowly;
  modfs_tree_counts counts = copy_tree(&options);
  CHECK_INT(counts.files, FILES, "all are copied");
  far->tables = kept.tables;
  far->extension = kept.extension;
  return (size_t)atomic_load(&most);
}

static void test_in_flight(void) {
  size_t cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN), n = at_once(0, 0);
  CHECK(n >= 1 && n <= cores, "near by %zu of %zu processors work", n, cores);
  n = at_once(cores + 4, 0);
  CHECK(n > cores && n <= cores + 4, "%zu files are in flight where %zu may", n, cores + 4);
  n = at_once(UINT64_MAX, 0);
  CHECK(n > 1 && n <= TREE_HANDS, "%zu files, and no crowd, where a plugin has no measure", n);
  CHECK_INT(at_once(cores + 4, 1), 1, "and one where that is asked for");
}

/* Fresh files ------------------------------------------------------------------------------ */

static atomic_int fresh, replaced;

static void open_fresh(const TF_Filesystem *fs, const char *path, TF_WritableFile *file,
                       TF_Status *opening) {
  atomic_fetch_add(&fresh, 1);
  kept.tables.fs.new_writable_file(fs, path, file, opening);
}

static void open_atomic(const TF_Filesystem *fs, const char *path, TF_WritableFile *file,
                        TF_Status *opening) {
  atomic_fetch_add(&replaced, 1);
  kept.tables.fs.new_writable_file(fs, path, file, opening);
}

/* Three files, into "mem://to", go through these slots. */
static void copies_by(int by_fresh, int by_atomic) {
  const modfs_tree_options options = {.threads = 1};
  modfs_tree_event event;
  atomic_store(&fresh, 0);
  atomic_store(&replaced, 0);
  modfs_tree *tree =
      modfs_tree_copy(modfs_fs_of(folder), folder, far, "mem://to", &options, status);
  modfs_tree_step(tree, &event, status);
  CHECK_INT(modfs_tree_result(tree)->files, 3, "three files are copied");
  modfs_tree_close(tree);
  CHECK_INT(atomic_load(&fresh), by_fresh, "the place of so many is known to be empty");
  CHECK_INT(atomic_load(&replaced), by_atomic, "that of so many is not");
}

static void test_fresh(void) {
  uint64_t files, directories;
  char path[64];
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%d", folder, i);
    write_file(modfs_fs_of(path), path);
  }
  far->extension.new_atomic_file = open_atomic;
  far->extension.new_fresh_file = open_fresh;
  copies_by(3, 0);
  copies_by(0, 3);
  modfs_fs_delete_recursively(far, "mem://to", &files, &directories, status);
  far->extension.new_fresh_file = NULL;
  copies_by(0, 3);
  modfs_fs_delete_recursively(far, "mem://to", &files, &directories, status);
  far->extension.new_fresh_file = open_fresh;
  far->extension.new_atomic_file = NULL;
  copies_by(0, 0);
  far->extension = kept.extension;
}

int main(void) {
  uint64_t files, directories;
  status = TF_NewStatus();
  modfs_start(status);
  if (!CHECK_INT(TF_GetCode(status), TF_OK, "the core starts: %s", TF_Message(status)))
    return check_end();
  if (!mkdtemp(folder)) return 1;
  far = fs_of(&modfs_fs_of("mem://")->handle);
  memcpy(&kept, far, sizeof kept);
  plant();
  test_in_flight();
  test_fresh();
  modfs_fs_delete_recursively(modfs_fs_of(folder), folder, &files, &directories, status);
  TF_DeleteStatus(status);
  return check_end();
}
