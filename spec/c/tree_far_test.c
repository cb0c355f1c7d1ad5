/* Trees on storage that answers from afar: how many operations are in flight, and what is asked; and
 * on storage near by, how workers share directories. */
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"
#include "core/tree/tree.h"

enum { FILES = 600, DIRECTORIES = 8, IN_EACH = 75, ANSWERS_AFTER_US = 2000, NEAR_BY_US = 200 };

static TF_Status *status;
static modfs_fs *far;
static modfs_fs kept;
static char place[] = "/tmp/modfs-far.XXXXXX", folder[32];

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

static void plant_apart(void) {
  char path[64];
  for (int i = 0; i < DIRECTORIES * IN_EACH; i++) {
    snprintf(path, sizeof path, "mem://apart/%d", i / IN_EACH);
    if (i % IN_EACH == 0) modfs_fs_recursively_create_dir(far, path, status);
    snprintf(path, sizeof path, "mem://apart/%d/%d", i / IN_EACH, i);
    write_file(far, path);
  }
}

static modfs_tree_counts copy_tree(const char *from, const modfs_tree_options *options) {
  modfs_tree_event event;
  uint64_t files, directories;
  char to[64];
  snprintf(to, sizeof to, "%s/copy", folder);
  modfs_tree *tree = modfs_tree_copy(far, from, modfs_fs_of(to), to, options, status);
  modfs_tree_step(tree, &event, status);
  modfs_tree_counts counts = modfs_tree_result(tree);
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
  modfs_tree_counts counts = copy_tree("mem://far", &options);
  CHECK_INT(counts.files, FILES, "all are copied");
  far->tables = kept.tables;
  far->extension = kept.extension;
  return (size_t)atomic_load(&most);
}

static void test_in_flight(void) {
  size_t cores = (size_t)sysconf(_SC_NPROCESSORS_ONLN), n = at_once(0, 0);
  CHECK(n >= 1 && n <= cores && n <= 8, "near by %zu of %zu processors work", n, cores);
  far->extension.in_flight = 1;
  modfs_tree *tree =
      modfs_tree_measure(far, "mem://far", &(modfs_tree_options){.threads = 0}, status);
  CHECK_INT(tree->options.threads, 1, "and one where the storage serves one at a time");
  modfs_tree_close(tree);
  far->extension = kept.extension;
  n = at_once(cores + 4, 0);
  CHECK(n > cores && n <= cores + 4, "%zu files are in flight where %zu may", n, cores + 4);
  n = at_once(UINT64_MAX, 0);
  CHECK(n > 1 && n <= TREE_HANDS, "%zu files, and no crowd, where a plugin has no measure", n);
  CHECK_INT(at_once(cores + 4, 1), 1, "and one where that is asked for");
}

/* Apart ------------------------------------------------------------------------------------ */

static atomic_int in_directory[DIRECTORIES], together;

/* Counts files that are opened while another of their directory is. */
static void open_near_by(const TF_Filesystem *fs, const char *path, TF_RandomAccessFile *file,
                         TF_Status *opening) {
  size_t i = (size_t)atoi(strstr(path, "apart/") + strlen("apart/")) % DIRECTORIES;
  if (atomic_fetch_add(&in_directory[i], 1) > 0) atomic_fetch_add(&together, 1);
  usleep(NEAR_BY_US);
  atomic_fetch_sub(&in_directory[i], 1);
  kept.tables.fs.new_random_access_file(fs, path, file, opening);
}

/* How many files two workers copy together from one directory. */
static int copied_together(const char *from, int files) {
  const modfs_tree_options options = {.threads = 2};
  atomic_store(&together, 0);
  far->tables.fs.new_random_access_file = open_near_by;
  CHECK_INT(copy_tree(from, &options).files, files, "all of %s are copied", from);
  far->tables = kept.tables;
  return atomic_load(&together);
}

/* A worker that comes late changes the numbers: so the least, and whether it was seen at all, of a few. */
static void test_apart(void) {
  enum { TRIES = 20, ALL = DIRECTORIES * IN_EACH };
  int least = ALL, shared = 0;
  for (int i = 0; i < TRIES && least > ALL / 5; i++) {
    int n = copied_together("mem://apart", ALL);
    if (n < least) least = n;
  }
  CHECK(least <= ALL / 5, "each worker has a directory of its own, but for %d files", least);
  for (int i = 0; i < TRIES && shared == 0; i++)
    shared = copied_together("mem://apart/0", IN_EACH);
  CHECK(shared > 0, "they share one that is the only one: %d files", shared);
}

/* Fresh files ------------------------------------------------------------------------------ */

static atomic_int fresh, replaced;

static void open_counted(const TF_Filesystem *fs, const modfs_directory *directory,
                         const char *path, uint32_t flags, TF_WritableFile *file,
                         TF_Status *opening) {
  atomic_fetch_add(flags & MODFS_OPEN_NEW ? &fresh : &replaced, 1);
  kept.extension.open_writer(fs, directory, path, flags, file, opening);
}

/* Three files, into "mem://to", are opened with these flags. */
static void copies_by(int by_fresh, int by_atomic) {
  const modfs_tree_options options = {.threads = 1};
  modfs_tree_event event;
  atomic_store(&fresh, 0);
  atomic_store(&replaced, 0);
  modfs_tree *tree =
      modfs_tree_copy(modfs_fs_of(folder), folder, far, "mem://to", &options, status);
  modfs_tree_step(tree, &event, status);
  CHECK_INT(modfs_tree_result(tree).files, 3, "three files are copied");
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
  far->extension.open_writer = open_counted;
  copies_by(3, 0);
  copies_by(0, 3);
  modfs_fs_delete_recursively(far, "mem://to", &files, &directories, status);
  far->extension = kept.extension;
}

/* Questions -------------------------------------------------------------------------------- */

static atomic_int questions;

static int64_t ask_size(const TF_Filesystem *fs, const char *path, TF_Status *asking) {
  atomic_fetch_add(&questions, 1);
  return kept.tables.fs.get_file_size(fs, path, asking);
}

static bool ask_kind(const TF_Filesystem *fs, const char *path, TF_Status *asking) {
  atomic_fetch_add(&questions, 1);
  return kept.tables.fs.is_directory(fs, path, asking);
}

/* How often far is asked what a file is while the tree is copied from one to the other. */
static int asked_for(const char *src, const char *dst) {
  const modfs_tree_options options = {.threads = 1};
  modfs_tree_event event;
  atomic_store(&questions, 0);
  modfs_tree *tree =
      modfs_tree_copy(modfs_fs_of(src), src, modfs_fs_of(dst), dst, &options, status);
  modfs_tree_step(tree, &event, status);
  CHECK_INT(modfs_tree_result(tree).bytes, 3 * 7, "the bytes of %s are counted", dst);
  modfs_tree_close(tree);
  return atomic_load(&questions);
}

static void test_questions(void) {
  char back[64];
  snprintf(back, sizeof back, "%s.back", folder);
  far->tables.fs.get_file_size = ask_size;
  far->tables.fs.is_directory = ask_kind;
  CHECK_INT(asked_for(folder, "mem://up"), 0, "a copy that is read and written tells its size");
  CHECK_INT(asked_for("mem://up", back), 0, "and what a listing told to be a file is none else");
  CHECK_INT(asked_for("mem://up", back), 0, "also where it takes the place of another");
  CHECK_INT(asked_for("mem://up", "mem://beside"), 0, "who copies by itself was queried before");
  modfs_fs_get_file_size(far, "mem://up/1", status);
  CHECK_INT(atomic_load(&questions), 1, "the control: questions are counted");
  far->tables = kept.tables;
}

int main(void) {
  uint64_t files, directories;
  status = TF_NewStatus();
  modfs_start(status);
  if (!CHECK_INT(TF_GetCode(status), TF_OK, "the core starts: %s", TF_Message(status)))
    return check_end();
  if (!mkdtemp(place)) return 1;
  snprintf(folder, sizeof folder, "%s/tree", place);
  modfs_fs_create_dir(modfs_fs_of(folder), folder, status);
  far = fs_of(&modfs_fs_of("mem://")->handle);
  memcpy(&kept, far, sizeof kept);
  plant();
  test_in_flight();
  plant_apart();
  test_apart();
  test_fresh();
  test_questions();
  modfs_fs_delete_recursively(modfs_fs_of(place), place, &files, &directories, status);
  TF_DeleteStatus(status);
  return check_end();
}
