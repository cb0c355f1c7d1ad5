/* What goes wrong when threads meet. Those that ask first and act later wait in between. */
#include "faulty.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static void linger(void) {
  usleep(20);
}

static bool is_there(FS, const char *path) {
  TF_Status *status = TF_NewStatus();
  good.path_exists(fs, path, status);
  bool there = TF_GetCode(status) == TF_OK;
  TF_DeleteStatus(status);
  return there;
}

/* One position for all. */
READ(read_seeks) {
  static _Atomic uint64_t position;
  position = offset;
  linger();
  return good_reader.read(file, position, n, buffer, status);
}

static uint64_t region_counts(const TF_ReadOnlyMemoryRegion *region) {
  static atomic_int inside;
  inside++;
  linger();
  uint64_t length = good_region.length(region) - (uint64_t)inside + 1;
  inside--;
  return length;
}

/* One buffer for every path. */
static void write_static_path(FS, const char *path, TF_WritableFile *file, TF_Status *status) {
  static char copy[8192];
  strncpy(copy, path, sizeof copy - 1);
  linger();
  good.new_writable_file(fs, copy, file, status);
}

PAIR(rename_asks_first) {
  if (!is_there(fs, src)) {
    TF_SetStatus(status, TF_NOT_FOUND, "");
    return;
  }
  linger();
  good.rename_file(fs, src, dst, status);
  if (TF_GetCode(status) == TF_NOT_FOUND && is_there(fs, dst))
    TF_SetStatus(status, TF_INTERNAL, "");
}

static void mkdir_asks_first(FS, const char *path, TF_Status *status) {
  bool there = is_there(fs, path);
  linger();
  good.create_dir(fs, path, status);
  if (!there && TF_GetCode(status) == TF_ALREADY_EXISTS) TF_SetStatus(status, TF_OK, "");
}

static void remove_asks_first(FS, const char *path, TF_Status *status) {
  bool there = is_there(fs, path);
  linger();
  good.delete_file(fs, path, status);
  if (there && TF_GetCode(status) == TF_NOT_FOUND) TF_SetStatus(status, TF_OK, "");
}

static void mkdirs_asks_first(FS, const char *path, TF_Status *status) {
  bool there = is_there(fs, path);
  linger();
  if (!there && is_there(fs, path))
    TF_SetStatus(status, TF_ALREADY_EXISTS, "");
  else
    good.recursively_create_dir(fs, path, status);
}

static void drop(char **entries, int count) {
  for (int i = 0; i < count; i++)
    free(entries[i]);
  free(entries);
}

typedef int (*lister)(FS, const char *path, char ***entries, TF_Status *status);

/* Counts, then fills: what came in between is missing. */
static int list_twice(lister list, FS, const char *path, char ***entries, TF_Status *status) {
  char **first = NULL;
  int expected = list(fs, path, &first, status);
  if (TF_GetCode(status) != TF_OK) return expected;
  drop(first, expected);
  linger();
  int count = list(fs, path, entries, status);
  if (count <= expected) return count;
  drop(*entries, count);
  TF_SetStatus(status, TF_ABORTED, "");
  return -1;
}

static int children_twice(FS, const char *path, char ***entries, TF_Status *status) {
  return list_twice(good.get_children, fs, path, entries, status);
}

static int glob_twice(FS, const char *path, char ***entries, TF_Status *status) {
  return list_twice(good.get_matching_paths, fs, path, entries, status);
}

/* One copy of the pattern, which whoever comes next frees. */
static int glob_freed(FS, const char *path, char ***entries, TF_Status *status) {
  static char *_Atomic kept;
  char *copy = strdup(path);
  free(atomic_exchange(&kept, copy));
  linger();
  return good.get_matching_paths(fs, copy, entries, status);
}

/* Two locks, taken in the order of who comes. */
static int children_lock(FS, const char *path, char ***entries, TF_Status *status) {
  static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
  static atomic_uint calls;
  unsigned first = calls++ % 2;
  pthread_mutex_lock(&locks[first]);
  linger();
  pthread_mutex_lock(&locks[1 - first]);
  int count = good.get_children(fs, path, entries, status);
  pthread_mutex_unlock(&locks[1 - first]);
  pthread_mutex_unlock(&locks[first]);
  return count;
}

/* Ends the transaction that was begun last, whichever is meant. */
static TF_TransactionToken *_Atomic last;

static int begin_last(FS, TF_TransactionToken **token, TF_Status *status) {
  int answer = good.start_transaction(fs, token, status);
  last = *token;
  return answer;
}

static int end_last(FS, TF_TransactionToken *token, TF_Status *status) {
  (void)token;
  return good.end_transaction(fs, last, status);
}

/* The same, and others that ask first, without a pause: no race meets them but by a rare chance. */
static void mkdir_in_two_steps(FS, const char *path, TF_Status *status) {
  bool there = is_there(fs, path);
  good.create_dir(fs, path, status);
  if (!there && TF_GetCode(status) == TF_ALREADY_EXISTS) TF_SetStatus(status, TF_OK, "");
}

static void remove_in_two_steps(FS, const char *path, TF_Status *status) {
  bool there = is_there(fs, path);
  good.delete_file(fs, path, status);
  if (there && TF_GetCode(status) == TF_NOT_FOUND) TF_SetStatus(status, TF_OK, "");
}

PAIR(rename_deletes_first) {
  TF_Status *ignored = TF_NewStatus();
  if (is_there(fs, src) && strcmp(src, dst) != 0) good.delete_file(fs, dst, ignored);
  TF_DeleteStatus(ignored);
  good.rename_file(fs, src, dst, status);
}

static int children_in_two_steps(FS, const char *path, char ***entries, TF_Status *status) {
  char **first = NULL;
  int expected = good.get_children(fs, path, &first, status);
  if (TF_GetCode(status) != TF_OK) return expected;
  drop(first, expected);
  int count = good.get_children(fs, path, entries, status);
  if (count == expected) return count;
  if (count >= 0) drop(*entries, count);
  TF_SetStatus(status, TF_ABORTED, "");
  return -1;
}

bool thread_fault_apply(faulty_tables *t, const char *name) {
  ON("read.seeks", t->reader->read = read_seeks)
  ON("region.counts", t->region->length = region_counts)
  ON("write.static.path", t->fs->new_writable_file = write_static_path)
  ON("rename.asks.first", t->fs->rename_file = rename_asks_first)
  ON("mkdir.asks.first", t->fs->create_dir = mkdir_asks_first)
  ON("remove.asks.first", t->fs->delete_file = remove_asks_first)
  ON("mkdirs.asks.first", t->fs->recursively_create_dir = mkdirs_asks_first)
  ON("children.twice", t->fs->get_children = children_twice)
  ON("children.lock", t->fs->get_children = children_lock)
  ON("glob.freed", t->fs->get_matching_paths = glob_freed)
  ON("glob.twice", t->fs->get_matching_paths = glob_twice)
  ON("mkdir.in.two.steps", t->fs->create_dir = mkdir_in_two_steps)
  ON("remove.in.two.steps", t->fs->delete_file = remove_in_two_steps)
  ON("rename.deletes.first", t->fs->rename_file = rename_deletes_first)
  ON("children.in.two.steps", t->fs->get_children = children_in_two_steps)
  ON("end.last", t->fs->start_transaction = begin_last; t->fs->end_transaction = end_last)
  return false;
}
