/* Operations on trees with many threads, made for ThreadSanitizer: several at once, cancelled at any
 * moment, closed half-way, and held by a process that forks. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"

enum { FOLDERS = 12, FILES = 25, ALL = FOLDERS * FILES };

static char folder[] = "/tmp/modfs-tree.XXXXXX";
static char disk[64];
static const char *const memory = "mem://tree";

static void write_file(const char *path) {
  TF_Status *status = TF_NewStatus();
  modfs_writable *file = modfs_writable_open(modfs_fs_of(path), path, MODFS_WRITE_REPLACE, status);
  if (file) modfs_writable_append(file, path, 10, status);
  if (file) modfs_writable_close(file, status);
  TF_DeleteStatus(status);
}

static void plant(const char *root) {
  TF_Status *status = TF_NewStatus();
  char path[256];
  for (int i = 0; i < FOLDERS; i++) {
    snprintf(path, sizeof path, "%s/%d/sub", root, i);
    modfs_fs_recursively_create_dir(modfs_fs_of(root), path, status);
    for (int j = 0; j < FILES; j++) {
      snprintf(path, sizeof path, "%s/%d/%s%d", root, i, j % 2 ? "sub/" : "", j);
      write_file(path);
    }
  }
  TF_DeleteStatus(status);
}

static modfs_tree *begin(const char *src, const char *dst, size_t threads, bool progress,
                         TF_Status *status) {
  const modfs_tree_options options = {.threads = threads, .progress = progress};
  return modfs_tree_copy(modfs_fs_of(src), src, modfs_fs_of(dst), dst, &options, status);
}

static size_t run(modfs_tree *tree, size_t most, TF_Status *status) {
  modfs_tree_event event;
  size_t events = 0;
  while (modfs_tree_step(tree, &event, status))
    if (++events == most) modfs_tree_cancel(tree);
  return events;
}

static modfs_tree_counts measure(const char *path, size_t threads) {
  TF_Status *status = TF_NewStatus();
  const modfs_tree_options options = {.threads = threads};
  modfs_tree_counts counts = {0};
  modfs_tree *tree = modfs_tree_measure(modfs_fs_of(path), path, &options, status);
  if (tree) {
    run(tree, 0, status);
    counts = modfs_tree_result(tree);
  }
  modfs_tree_close(tree);
  TF_DeleteStatus(status);
  return counts;
}

static void drop(const char *path, size_t threads) {
  TF_Status *status = TF_NewStatus();
  const modfs_tree_options options = {.threads = threads};
  modfs_tree *tree = modfs_tree_delete(modfs_fs_of(path), path, &options, status);
  if (tree) {
    run(tree, 0, status);
    modfs_tree_error error;
    CHECK(!modfs_tree_error_at(tree, 0, &error), "deleting %s has no errors", path);
  }
  CHECK(tree != NULL, "deleting %s begins", path);
  modfs_tree_close(tree);
  modfs_fs_path_exists(modfs_fs_of(path), path, status);
  CHECK_INT(TF_GetCode(status), TF_NOT_FOUND, "%s is gone", path);
  TF_DeleteStatus(status);
}

static void copies(const char *src, const char *dst, size_t threads) {
  TF_Status *status = TF_NewStatus();
  modfs_tree *tree = begin(src, dst, threads, true, status);
  size_t events = run(tree, 0, status);
  modfs_tree_counts counts = modfs_tree_result(tree);
  modfs_tree_error error;
  CHECK_INT(events, ALL, "%zu threads: each file is reported", threads);
  CHECK_INT(counts.files, ALL, "%zu threads: each file is counted", threads);
  CHECK_INT(counts.dirs, 2 * FOLDERS + 1, "%zu threads: each directory", threads);
  CHECK_INT(counts.done, counts.total, "%zu threads: done is all", threads);
  CHECK(!modfs_tree_error_at(tree, 0, &error), "%zu threads: no error", threads);
  modfs_tree_close(tree);
  modfs_tree_counts there = measure(dst, threads);
  CHECK_INT(there.files, ALL, "%zu threads: the copy has all", threads);
  CHECK_INT(there.bytes, 10 * ALL, "%zu threads: and all bytes", threads);
  drop(dst, threads);
  TF_DeleteStatus(status);
}

static void cancels(size_t threads, size_t after) {
  TF_Status *status = TF_NewStatus();
  modfs_tree *tree = begin(disk, "mem://part", threads, true, status);
  size_t events = run(tree, after, status);
  modfs_tree_counts counts = modfs_tree_result(tree);
  CHECK(modfs_tree_was_cancelled(tree) && events == after, "%zu threads, cancelled after %zu",
        threads, after);
  modfs_tree_close(tree);
  modfs_tree_counts there = measure("mem://part", 1);
  CHECK(counts.files >= after && counts.files == there.files && counts.dirs == there.dirs,
        "the counts are those of the part that is there");
  drop("mem://part", threads);
  TF_DeleteStatus(status);
}

/* Closed in the middle: nothing is left, neither threads nor memory. */
static void closes(void) {
  TF_Status *status = TF_NewStatus();
  modfs_tree_event event;
  modfs_tree *tree = begin(disk, "mem://half", 8, true, status);
  CHECK(modfs_tree_step(tree, &event, status), "a first file is done");
  modfs_tree_close(tree);
  tree = begin(disk, "mem://half", 8, true, status);
  modfs_tree_close(tree);
  CHECK(true, "closed before its first step");
  drop("mem://half", 2);
  TF_DeleteStatus(status);
}

/* The child has none of the threads: it can only be told so. */
static int in_child(modfs_tree *tree) {
  TF_Status *status = TF_NewStatus();
  modfs_tree_event event;
  bool stepped = modfs_tree_step(tree, &event, status);
  bool refused = !stepped && TF_GetCode(status) == TF_FAILED_PRECONDITION;
  modfs_tree_cancel(tree);
  modfs_tree_close(tree);
  modfs_tree_counts own = measure(disk, 1);
  TF_DeleteStatus(status);
  return refused && own.files == ALL ? 0 : 1;
}

static void forks(void) {
  TF_Status *status = TF_NewStatus();
  modfs_tree_event event;
  int ended = -1;
  modfs_tree *tree = begin(disk, "mem://fork", 4, true, status);
  modfs_tree_step(tree, &event, status);
  pid_t child = fork();
  if (child == 0) {
    if (in_child(tree) == 0) raise(SIGKILL); /* a leak checker would look at an exit */
    _exit(1);
  }
  waitpid(child, &ended, 0);
  CHECK(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL,
        "a child is told that the operation is its parent's");
  run(tree, 0, status);
  CHECK_INT(modfs_tree_result(tree).files, ALL, "the parent's goes on to its end");
  modfs_tree_close(tree);
  drop("mem://fork", 4);
  TF_DeleteStatus(status);
}

static void *copy_beside(void *argument) {
  TF_Status *status = TF_NewStatus();
  const char *dst = argument;
  modfs_tree *tree = begin(disk, dst, 3, false, status);
  if (tree) run(tree, 0, status);
  void *all = tree && modfs_tree_result(tree).files == ALL ? argument : NULL;
  modfs_tree_close(tree);
  TF_DeleteStatus(status);
  return all;
}

static void several(void) {
  static char targets[4][32];
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) {
    snprintf(targets[i], sizeof targets[i], "mem://beside%d", i);
    pthread_create(&threads[i], NULL, copy_beside, targets[i]);
  }
  for (int i = 0; i < 4; i++) {
    void *all = NULL;
    pthread_join(threads[i], &all);
    CHECK(all == targets[i], "operation %d of 4 at once copied all", i);
    drop(targets[i], 2);
  }
}

static void syncs(void) {
  TF_Status *status = TF_NewStatus();
  modfs_tree_options options = {.threads = 4, .deletes = true, .checksum = true};
  for (int round = 0; round < 2; round++) {
    modfs_tree *tree = modfs_tree_sync(modfs_fs_of(disk), disk, modfs_fs_of("mem://sync"),
                                       "mem://sync", &options, status);
    run(tree, 0, status);
    modfs_tree_counts counts = modfs_tree_result(tree);
    CHECK_INT(counts.files, round ? 1 : ALL, "round %d of sync copies", round);
    CHECK_INT(counts.kept, round ? ALL - 1 : 0, "round %d of sync keeps", round);
    CHECK_INT(counts.deleted, round ? 2 : 0, "round %d of sync deletes", round);
    modfs_tree_close(tree);
    modfs_fs_create_dir(modfs_fs_of("mem://sync"), "mem://sync/more", status);
    write_file("mem://sync/more/file");
    write_file("mem://sync/3/4");
  }
  drop("mem://sync", 4);
  TF_DeleteStatus(status);
}

int main(void) {
  TF_Status *status = TF_NewStatus();
  modfs_start(status);
  if (!CHECK_INT(TF_GetCode(status), TF_OK, "the core starts: %s", TF_Message(status)))
    return check_end();
  if (!mkdtemp(folder)) return 1;
  snprintf(disk, sizeof disk, "%s/tree", folder);
  plant(disk);
  plant(memory);
  for (size_t threads = 1; threads <= 16; threads *= 4) {
    copies(disk, "mem://copy", threads);
    copies(memory, "mem://copy", threads);
    cancels(threads, 1);
    cancels(threads, 100);
  }
  closes();
  forks();
  several();
  syncs();
  drop(disk, 8);
  drop(memory, 8);
  rmdir(folder);
  TF_DeleteStatus(status);
  return check_end();
}
