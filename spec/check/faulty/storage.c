/* Promises of storage that are not kept. */
#include "faulty.h"

#include <stdlib.h>
#include <unistd.h>

static volatile int mutant_calls;

/* Reads all of src and writes it into dst piece by piece. */
static void copy_slowly(FS, const char *src, const char *dst, TF_Status *status) {
  char bytes[1024];
  TF_RandomAccessFile from = {NULL};
  TF_WritableFile to = {NULL};
  uint64_t at = 0;
  int64_t got = 1;
  good.new_random_access_file(fs, src, &from, status);
  if (TF_GetCode(status) != TF_OK) return;
  good.new_writable_file(fs, dst, &to, status);
  while (TF_GetCode(status) == TF_OK && got > 0) {
    got = good_reader.read(&from, at, sizeof bytes, bytes, status);
    TF_SetStatus(status, TF_OK, "");
    if (got > 0) good_writer.append(&to, bytes, (size_t)got, status);
    at += got > 0 ? (uint64_t)got : 0;
  }
  good_writer.close(&to, status);
  good_writer.cleanup(&to);
  good_reader.cleanup(&from);
}

PAIR(rename_torn) {
  if (strcmp(src, dst) == 0) return;
  copy_slowly(fs, src, dst, status);
  if (TF_GetCode(status) == TF_OK) good.delete_file(fs, src, status);
}

PAIR(rename_gap) {
  TF_Status *ignored = TF_NewStatus();
  good.delete_file(fs, dst, ignored);
  TF_DeleteStatus(ignored);
  usleep(20);
  good.rename_file(fs, src, dst, status);
}

#define OPENS                                                                                      \
  FS, const modfs_directory *directory, const char *path, uint32_t flags, TF_WritableFile *file,   \
      TF_Status *status

/* In place, whatever the flags. */
static void open_torn(OPENS) {
  (void)directory, (void)flags;
  good.new_writable_file(fs, path, file, status);
}

/* Beside the place, and never in it. */
static void open_beside(OPENS) {
  char beside[4096];
  strncpy(beside, path, sizeof beside - 8);
  good_extension.open_writer(fs, directory, strcat(beside, ".kept"), flags, file, status);
}

/* Elsewhere, where the place can hold no file. */
static void open_anywhere(OPENS) {
  good_extension.open_writer(fs, directory, path, flags, file, status);
  if (TF_GetCode(status) == TF_OK) return;
  TF_SetStatus(status, TF_OK, "");
  good.new_writable_file(fs, "/dev/null", file, status);
}

static void open_over(OPENS) {
  good_extension.open_writer(fs, directory, path, flags & ~(uint32_t)MODFS_OPEN_NEW, file, status);
}

static bool entries_with_dots(const modfs_directory *directory, modfs_directory_entry *entry,
                              TF_Status *status) {
  static bool dot;
  if (good_extension.next_entry(directory, entry, status)) return true;
  dot = !dot;
  if (dot) entry->name = ".", entry->kind = 2;
  return dot;
}

/* Knows one size of the struct: its own. */
static void lstat_beyond(FS, const char *path, modfs_attributes *attributes, TF_Status *status) {
  modfs_attributes all = {.struct_size = sizeof all};
  good_extension.lstat(fs, path, &all, status);
  if (TF_GetCode(status) == TF_OK) *attributes = all;
}

static void mkdirs_forever(FS, const char *path, TF_Status *status) {
  char parent[4096];
  strncpy(parent, path, sizeof parent - 1);
  char *slash = strrchr(parent, '/');
  if (slash) slash[slash == parent] = '\0';
  mutant_calls++;
  if (strlen(path) < 2)
    mkdirs_forever(fs, parent, status);
  else
    good.recursively_create_dir(fs, path, status);
  mutant_calls--;
}

static void stat_wraps(FS, const char *path, TF_FileStatistics *stats, TF_Status *status) {
  good.stat(fs, path, stats, status);
  if (TF_GetCode(status) == TF_OK && stats->mtime_nsec == INT64_MAX) stats->mtime_nsec = INT64_MIN;
}

/* Keeps what is appended until the file is closed. */
static char held[1 << 20];
static size_t held_size;

APPEND(append_holds) {
  (void)file, (void)status;
  memcpy(held + held_size, buffer, n);
  held_size += n;
}

static int64_t tell_held(const TF_WritableFile *file, TF_Status *status) {
  return good_writer.tell(file, status) + (int64_t)held_size;
}

WRITER(nothing_yet) {
  (void)file, (void)status;
}

WRITER(close_held) {
  good_writer.append(file, held, held_size, status);
  held_size = 0;
  good_writer.close(file, status);
}

static int add_nothing(FS, const char *path, TF_TransactionToken *token, TF_Status *status) {
  (void)fs, (void)path, (void)token, (void)status;
  return 0;
}

static void abort_commits(FS, TF_TransactionToken *token, TF_Status *status) {
  good.end_transaction(fs, token, status);
}

bool storage_fault_apply(faulty_tables *t, const char *name) {
  ON("rename.torn", t->fs->rename_file = rename_torn)
  ON("rename.gap", t->fs->rename_file = rename_gap)
  ON("replace.torn", t->extension->open_writer = open_torn)
  ON("replace.keeps", t->extension->open_writer = open_beside)
  ON("replace.anywhere", t->extension->open_writer = open_anywhere)
  ON("replace.over", t->extension->open_writer = open_over)
  ON("entries.with.dots", t->extension->next_entry = entries_with_dots)
  ON("lstat.beyond", t->extension->lstat = lstat_beyond)
  ON("mkdirs.forever", t->fs->recursively_create_dir = mkdirs_forever)
  ON("stat.wraps", t->fs->stat = stat_wraps)
  ON("sync.holds", t->writer->append = append_holds; t->writer->tell = tell_held;
     t->writer->flush = nothing_yet; t->writer->sync = nothing_yet; t->writer->close = close_held)
  ON("add.nothing", t->fs->add_to_transaction = add_nothing)
  ON("abort.commits", t->extension->abort_transaction = abort_commits)
  return false;
}
