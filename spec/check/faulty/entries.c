/* The posix plugin with slots that work on another entry than the one named, or on another thing
 * than the entry. */
#include "faulty.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#define IN const modfs_directory *directory, const char *name
#define BETWEEN                                                                                    \
  const modfs_directory *from, const char *name, const modfs_directory *to, const char *new_name,  \
      TF_Status *status

/* Where the directory that was opened last stood then. */
static const TF_Filesystem *opened_fs;
static char opened_path[4096];

static void open_noting(FS, const char *path, modfs_directory *directory, TF_Status *status) {
  opened_fs = fs;
  snprintf(opened_path, sizeof opened_path, "%s", path);
  good_extension.open_directory(fs, path, directory, status);
}

static void create_by_path(IN, TF_Status *status) {
  char path[sizeof opened_path + 256];
  (void)directory;
  snprintf(path, sizeof path, "%s/%s", opened_path, name);
  good.create_dir(opened_fs, path, status);
}

static void open_itself(IN, modfs_directory *opened, TF_Status *status) {
  (void)name;
  good_extension.open_subdirectory(directory, ".", opened, status);
}

static void open_forgetting(IN, modfs_directory *opened, TF_Status *status) {
  if (!malloc(16)) return;
  good_extension.open_subdirectory(directory, name, opened, status);
}

static void open_leaking(IN, modfs_directory *opened, TF_Status *status) {
  if (open("/", O_RDONLY | O_CLOEXEC) < 0) return;
  good_extension.open_subdirectory(directory, name, opened, status);
}

/* As stat does: of what a link leads to, a file. */
static void attributes_follow(IN, modfs_attributes *attributes, TF_Status *status) {
  good_extension.entry_attributes(directory, name, attributes, status);
  if (TF_GetCode(status) == TF_OK && attributes->kind == MODFS_KIND_LINK)
    attributes->kind = MODFS_KIND_FILE;
}

static void attributes_of_directory(IN, modfs_attributes *attributes, TF_Status *status) {
  (void)name;
  good_extension.entry_attributes(directory, "", attributes, status);
}

static void reader_misreports(IN, TF_RandomAccessFile *file, TF_Status *status) {
  good_extension.open_reader(directory, name, file, status);
  if (TF_GetCode(status) != TF_OK) TF_SetStatus(status, TF_NOT_FOUND, "");
}

static void writer_over(FS, IN, uint32_t flags, TF_WritableFile *file, TF_Status *status) {
  if (directory) flags &= ~(uint32_t)MODFS_OPEN_NEW;
  good_extension.open_writer(fs, directory, name, flags, file, status);
}

static void create_twice(IN, TF_Status *status) {
  good_extension.create_subdirectory(directory, name, status);
  if (TF_GetCode(status) == TF_ALREADY_EXISTS) TF_SetStatus(status, TF_OK, "");
}

static void delete_any(IN, bool is_directory, TF_Status *status) {
  good_extension.delete_entry(directory, name, is_directory, status);
  if (TF_GetCode(status) != TF_FAILED_PRECONDITION) return;
  TF_SetStatus(status, TF_OK, "");
  good_extension.delete_entry(directory, name, !is_directory, status);
}

static void rename_copies(BETWEEN) {
  good_extension.copy_entry(from, name, to, new_name, status);
}

static void copy_moves(BETWEEN) {
  good_extension.rename_entry(from, name, to, new_name, status);
}

bool entry_fault_apply(faulty_tables *t, const char *name) {
  modfs_extension_ops *ops = t->extension;
  ON("subdirectory.itself", ops->open_subdirectory = open_itself)
  ON("subdirectory.forgets", ops->open_subdirectory = open_forgetting)
  ON("subdirectory.leaks", ops->open_subdirectory = open_leaking)
  ON("subdirectory.twice", ops->create_subdirectory = create_twice)
  ON("subdirectory.by.path", ops->open_directory = open_noting;
     ops->create_subdirectory = create_by_path)
  ON("entry.of.directory", ops->entry_attributes = attributes_of_directory)
  ON("entry.follows", ops->entry_attributes = attributes_follow)
  ON("reader.misreports", ops->open_reader = reader_misreports)
  ON("writer.over", ops->open_writer = writer_over)
  ON("entry.delete.any", ops->delete_entry = delete_any)
  ON("entry.rename.copies", ops->rename_entry = rename_copies)
  ON("entry.copy.moves", ops->copy_entry = copy_moves)
  return false;
}
