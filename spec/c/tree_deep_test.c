/* Trees that are deeper than directories are held open: those that were closed are opened again, with
 * threads and with few descriptors, and a directory that was exchanged meanwhile is left alone. And files
 * with several names, which threads meet at the same time. */
#include <dirent.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"

/* Each level has a directory of its own beside the next one, which is visited on the way back. */
enum { DEPTH = 200, FILES = 2, DIRS = 2 * DEPTH + 1, ALL = DEPTH * FILES, MOST = 64 + 20 };

static char folder[] = "/tmp/modfs-deep.XXXXXX";
static char source[64], target[64];
static TF_Status *status;

static void write_file(const char *path) {
  modfs_writable *file = modfs_writable_open(modfs_fs_of(path), path, MODFS_WRITE_REPLACE, status);
  if (file) modfs_writable_append(file, "content", 7, status);
  if (file) modfs_writable_close(file, status);
}

static void plant(void) {
  char path[1024];
  size_t length = (size_t)snprintf(path, sizeof path, "%s", source);
  for (int i = 0; i < DEPTH; i++) {
    for (int j = 0; j < FILES; j++) {
      snprintf(path + length, sizeof path - length, "/z");
      modfs_fs_recursively_create_dir(modfs_fs_of(path), path, status);
      snprintf(path + length, sizeof path - length, "/z/%d", j);
      write_file(path);
    }
    length += (size_t)snprintf(path + length, sizeof path - length, "/d");
    mkdir(path, 0755);
  }
}

static int descriptors(void) {
  DIR *all = opendir("/proc/self/fd");
  int count = -3; /* ".", ".." and its own */
  while (all && readdir(all))
    count++;
  if (all) closedir(all);
  return count;
}

/* Steps to the end; at the middle it calls once. */
static modfs_tree_counts finish(modfs_tree *tree, const char *name, size_t errors,
                                void (*middle)(void)) {
  modfs_tree_event event;
  modfs_tree_counts counts = {0};
  size_t found = 0, seen = 0;
  int most = 0;
  CHECK(tree != NULL, "%s begins", name);
  if (!tree) return counts;
  while (modfs_tree_step(tree, &event, status)) {
    int now = descriptors();
    if (now > most) most = now;
    if (++seen == ALL / 2 && middle) middle();
  }
  modfs_tree_error error, first = {NULL, "none", TF_OK};
  while (modfs_tree_error_at(tree, found, &error))
    if (found++ == 0) first = error;
  CHECK_INT(found, errors, "%s: its errors, first %s", name, first.message);
  CHECK(most <= MOST, "%s: %d descriptors at most", name, most);
  counts = modfs_tree_result(tree);
  modfs_tree_close(tree);
  return counts;
}

static void goes(size_t threads) {
  const modfs_tree_options options = {.threads = threads, .progress = true};
  const modfs_tree_options deletes = {.threads = threads, .progress = true, .deletes = true};
  const modfs_fs *fs = modfs_fs_of(source);
  modfs_tree_counts counts;
  counts = finish(modfs_tree_measure(fs, source, &options, status), "du", 0, NULL);
  CHECK(counts.files == ALL && counts.dirs == DIRS, "%zu threads: all is counted", threads);
  counts = finish(modfs_tree_copy(fs, source, fs, target, &options, status), "copytree", 0, NULL);
  CHECK(counts.files == ALL && counts.dirs == DIRS, "%zu threads: all is copied", threads);
  counts = finish(modfs_tree_sync(fs, source, fs, target, &deletes, status), "sync", 0, NULL);
  CHECK(counts.kept == ALL && counts.deleted == 0, "%zu threads: all is there", threads);
  counts = finish(modfs_tree_delete(fs, target, &options, status), "rmtree", 0, NULL);
  CHECK(counts.files == ALL && counts.dirs == DIRS, "%zu threads: all is deleted", threads);
  CHECK(access(target, F_OK) != 0, "and gone");
}

/* The third level goes away and another directory takes its name. */
static void exchange(void) {
  char from[100], to[128];
  snprintf(from, sizeof from, "%s/d/d", target);
  snprintf(to, sizeof to, "%s/away", folder);
  CHECK(rename(from, to) == 0 && mkdir(from, 0755) == 0, "a directory moves away");
  snprintf(to, sizeof to, "%s/other", from);
  write_file(to);
}

static void leaves_others_alone(void) {
  const modfs_tree_options options = {.threads = 1, .progress = true};
  const modfs_fs *fs = modfs_fs_of(source);
  char path[128];
  finish(modfs_tree_copy(fs, source, fs, target, &options, status), "copytree", 0, NULL);
  finish(modfs_tree_delete(fs, target, &options, status), "rmtree", 1, exchange);
  snprintf(path, sizeof path, "%s/d/d/other", target);
  CHECK(access(path, F_OK) == 0, "what came meanwhile under an old name stays");
}

static void with_few_descriptors(void) {
  struct rlimit before, few;
  getrlimit(RLIMIT_NOFILE, &before);
  few = before;
  few.rlim_cur = (rlim_t)descriptors() + 14;
  setrlimit(RLIMIT_NOFILE, &few);
  goes(1);
  setrlimit(RLIMIT_NOFILE, &before);
}

/* Files with two names each, which several threads meet in several directories. */
static void counts_names_once(void) {
  enum { PLACES = 40, EACH = 25 };
  const modfs_tree_options options = {.threads = 4, .entries = true};
  char root[100], one[128], other[128], file[160], name[160];
  struct stat info;
  uint64_t expected = 0;
  snprintf(root, sizeof root, "%s/linked", folder);
  for (int i = 0; i < PLACES; i++) {
    snprintf(one, sizeof one, "%s/%d/a", root, i);
    snprintf(other, sizeof other, "%s/%d/b", root, i);
    modfs_fs_recursively_create_dir(modfs_fs_of(one), one, status);
    modfs_fs_recursively_create_dir(modfs_fs_of(other), other, status);
    for (int j = 0; j < EACH; j++) {
      snprintf(file, sizeof file, "%s/%d", one, j);
      snprintf(name, sizeof name, "%s/%d", other, j);
      write_file(file);
      CHECK(link(file, name) == 0, "a second name");
      expected += 7;
    }
    if (stat(one, &info) == 0) expected += (uint64_t)info.st_size;
    if (stat(other, &info) == 0) expected += (uint64_t)info.st_size;
    snprintf(one, sizeof one, "%s/%d", root, i);
    if (stat(one, &info) == 0) expected += (uint64_t)info.st_size;
  }
  if (stat(root, &info) == 0) expected += (uint64_t)info.st_size;
  modfs_tree *tree = modfs_tree_measure(modfs_fs_of(root), root, &options, status);
  modfs_tree_counts counts = finish(tree, "du", 0, NULL);
  CHECK_INT(counts.files, 2 * PLACES * EACH, "all names are counted");
  CHECK_INT(counts.bytes, expected, "and each file once");
}

int main(void) {
  status = TF_NewStatus();
  if (!mkdtemp(folder)) return 2;
  snprintf(source, sizeof source, "%s/source", folder);
  snprintf(target, sizeof target, "%s/target", folder);
  modfs_start(status);
  plant();
  for (size_t threads = 1; threads <= 4; threads *= 4)
    goes(threads);
  with_few_descriptors();
  leaves_others_alone();
  counts_names_once();
  uint64_t files, dirs;
  modfs_fs_delete_recursively(modfs_fs_of(folder), folder, &files, &dirs, status);
  CHECK_INT(TF_GetCode(status), TF_OK, "the place is gone");
  TF_DeleteStatus(status);
  return check_end();
}
