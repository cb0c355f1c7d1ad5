#include "fs_defaults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"

static void refuse(TF_Status *status) {
  TF_SetStatus(status, TF_UNIMPLEMENTED, "the plugin does not support this operation");
}

/* Files --------------------------------------------------------------------- */

static void refuse_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                          TF_RandomAccessFile *file, TF_Status *status) {
  (void)filesystem, (void)path, (void)file;
  refuse(status);
}

static void refuse_new_writable_file(const TF_Filesystem *filesystem, const char *path,
                                     TF_WritableFile *file, TF_Status *status) {
  (void)filesystem, (void)path, (void)file;
  refuse(status);
}

static void refuse_new_region(const TF_Filesystem *filesystem, const char *path,
                              TF_ReadOnlyMemoryRegion *region, TF_Status *status) {
  (void)filesystem, (void)path, (void)region;
  refuse(status);
}

static int64_t refuse_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status) {
  (void)file, (void)offset, (void)n, (void)buffer;
  refuse(status);
  return -1;
}

static void refuse_append(const TF_WritableFile *file, const char *buffer, size_t n,
                          TF_Status *status) {
  (void)file, (void)buffer, (void)n;
  refuse(status);
}

static int64_t refuse_tell(const TF_WritableFile *file, TF_Status *status) {
  (void)file;
  refuse(status);
  return -1;
}

static void refuse_close(const TF_WritableFile *file, TF_Status *status) {
  (void)file;
  refuse(status);
}

static void default_flush(const TF_WritableFile *file, TF_Status *status) {
  (void)file, (void)status;
}

static void no_file_cleanup(TF_RandomAccessFile *file) {
  (void)file;
}

static void no_writable_cleanup(TF_WritableFile *file) {
  (void)file;
}

static void no_region_cleanup(TF_ReadOnlyMemoryRegion *region) {
  (void)region;
}

static const void *no_data(const TF_ReadOnlyMemoryRegion *region) {
  (void)region;
  return NULL;
}

static uint64_t no_length(const TF_ReadOnlyMemoryRegion *region) {
  (void)region;
  return 0;
}

/* Paths --------------------------------------------------------------------- */

static void refuse_path(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem, (void)path;
  refuse(status);
}

static void refuse_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
                        TF_Status *status) {
  (void)filesystem, (void)path, (void)stats;
  refuse(status);
}

static int refuse_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                               TF_Status *status) {
  (void)filesystem, (void)path, (void)entries;
  refuse(status);
  return -1;
}

static bool default_paths_exist(const TF_Filesystem *filesystem, char **paths, int num_files,
                                TF_Status **statuses) {
  const modfs_fs *fs = fs_of(filesystem);
  bool all = true;
  for (int i = 0; i < num_files; i++) {
    fs_path_exists(fs, paths[i], statuses[i]);
    all = all && status_ok(statuses[i]);
  }
  return all;
}

static bool default_is_directory(const TF_Filesystem *filesystem, const char *path,
                                 TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  TF_FileStatistics stats = {0, 0, false};
  fs_path_exists(fs, path, status);
  if (status_ok(status)) fs_stat(fs, path, &stats, status);
  if (status_ok(status) && !stats.is_directory)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "not a directory");
  return status_ok(status);
}

static int64_t default_get_file_size(const TF_Filesystem *filesystem, const char *path,
                                     TF_Status *status) {
  TF_FileStatistics stats = {-1, 0, false};
  fs_stat(fs_of(filesystem), path, &stats, status);
  if (status_ok(status) && stats.is_directory)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "a directory has no size");
  return status_ok(status) ? stats.length : -1;
}

static void default_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                                TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  bool same = fs_same_file(fs, src, fs, dst);
  fs_copy_file(fs, src, dst, status);
  if (status_ok(status) && !same) fs_delete_file(fs, src, status);
}

static char *default_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  const modfs_fs *fs = fs_of(filesystem);
  modfs_path parts = modfs_path_parse(uri, strlen(uri));
  char *clean = NULL, *name = NULL;
  if (parts.path_length > 0) clean = modfs_path_clean(parts.path);
  const char *text = *uri == '\0' ? "" : parts.path_length == 0 ? "/" : clean;
  if (text) name = fs->plugin->allocate(strlen(text) + 1);
  if (name) memcpy(name, text, strlen(text) + 1);
  free(clean);
  return name;
}

static void default_flush_caches(const TF_Filesystem *filesystem) {
  (void)filesystem;
}

/* Transactions -------------------------------------------------------------- */

static int refuse_start_transaction(const TF_Filesystem *filesystem, TF_TransactionToken **token,
                                    TF_Status *status) {
  (void)filesystem, (void)token;
  refuse(status);
  return -1;
}

static int refuse_end_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                                  TF_Status *status) {
  (void)filesystem, (void)token;
  refuse(status);
  return -1;
}

static int refuse_add_to_transaction(const TF_Filesystem *filesystem, const char *path,
                                     TF_TransactionToken *token, TF_Status *status) {
  (void)filesystem, (void)path, (void)token;
  refuse(status);
  return -1;
}

static int refuse_get_transaction(const TF_Filesystem *filesystem, const char *path,
                                  TF_TransactionToken **token, TF_Status *status) {
  (void)filesystem, (void)path, (void)token;
  refuse(status);
  return -1;
}

static char *default_decode_transaction_token(const TF_Filesystem *filesystem,
                                              const TF_TransactionToken *token) {
  char text[64] = "no transaction";
  if (token)
    snprintf(text, sizeof text, "transaction %p of %p", token->token, (void *)token->owner);
  char *copy = fs_of(filesystem)->plugin->allocate(strlen(text) + 1);
  return copy ? memcpy(copy, text, strlen(text) + 1) : NULL;
}

/* Options ------------------------------------------------------------------- */

static void default_get_configuration(const TF_Filesystem *filesystem,
                                      TF_Filesystem_Option **options, int *num_options,
                                      TF_Status *status) {
  (void)filesystem, (void)status;
  *options = NULL;
  *num_options = 0;
}

static void refuse_set_configuration(const TF_Filesystem *filesystem,
                                     const TF_Filesystem_Option *options, int num_options,
                                     TF_Status *status) {
  (void)filesystem, (void)options, (void)num_options;
  refuse(status);
}

static void default_set_option(const TF_Filesystem *filesystem, const TF_Filesystem_Option *option,
                               TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  if (fs->tables.fs.set_filesystem_configuration == refuse_set_configuration)
    TF_SetStatus(status, TF_NOT_FOUND, "unknown option: the filesystem has no options");
  else
    fs_set_options(fs, option, 1, status);
}

static void skip_keys(const TF_Filesystem *filesystem, char **keys, int *num_keys,
                      TF_Status *status) {
  (void)filesystem, (void)keys, (void)num_keys, (void)status;
}

/* Settling ------------------------------------------------------------------ */

static const char *const by_plugin = "plugin", *const by_default = "default",
                         *const missing = "missing";

/* Fills one slot if it is empty, and records its origin at the slot's index in the table. */
#define SETTLE(fs, slot, filler, origin)                                                           \
  do {                                                                                             \
    size_t index_ = offsetof(TF_FilesystemOps, slot) / sizeof(void (*)(void));                     \
    (fs)->origins[index_] = (fs)->tables.fs.slot ? by_plugin : (origin);                           \
    if (!(fs)->tables.fs.slot) (fs)->tables.fs.slot = (filler);                                    \
  } while (0)

/* A plugin without a table opens no files, so these are never called then. */
static void settle_files(modfs_fs *fs) {
  tables *t = &fs->tables;
  if (!t->file.cleanup) t->file.cleanup = no_file_cleanup;
  if (!t->file.read) t->file.read = refuse_read;
  if (!t->writable.cleanup) t->writable.cleanup = no_writable_cleanup;
  if (!t->writable.append) t->writable.append = refuse_append;
  if (!t->writable.tell) t->writable.tell = refuse_tell;
  if (!t->writable.close) t->writable.close = refuse_close;
  if (!t->writable.flush) t->writable.flush = default_flush;
  if (!t->writable.sync) t->writable.sync = t->writable.flush;
  if (!t->region.cleanup) t->region.cleanup = no_region_cleanup;
  if (!t->region.data) t->region.data = no_data;
  if (!t->region.length) t->region.length = no_length;
}

static void settle_operations(modfs_fs *fs) {
  SETTLE(fs, new_random_access_file, refuse_new_random_access_file, missing);
  SETTLE(fs, new_writable_file, refuse_new_writable_file, missing);
  SETTLE(fs, new_appendable_file, refuse_new_writable_file, missing);
  SETTLE(fs, new_read_only_memory_region_from_file, refuse_new_region, missing);
  SETTLE(fs, create_dir, refuse_path, missing);
  SETTLE(fs, recursively_create_dir, default_recursively_create_dir, by_default);
  SETTLE(fs, delete_file, refuse_path, missing);
  SETTLE(fs, delete_dir, refuse_path, missing);
  SETTLE(fs, delete_recursively, default_delete_recursively, by_default);
  SETTLE(fs, rename_file, default_rename_file, by_default);
  SETTLE(fs, copy_file, default_copy_file, by_default);
  SETTLE(fs, path_exists, refuse_path, missing);
  SETTLE(fs, paths_exist, default_paths_exist, by_default);
  SETTLE(fs, stat, refuse_stat, missing);
  SETTLE(fs, is_directory, default_is_directory, by_default);
  SETTLE(fs, get_file_size, default_get_file_size, by_default);
  SETTLE(fs, translate_name, default_translate_name, by_default);
  SETTLE(fs, get_children, refuse_get_children, missing);
  SETTLE(fs, get_matching_paths, default_get_matching_paths, by_default);
  SETTLE(fs, flush_caches, default_flush_caches, by_default);
  SETTLE(fs, start_transaction, refuse_start_transaction, missing);
  SETTLE(fs, end_transaction, refuse_end_transaction, missing);
  SETTLE(fs, add_to_transaction, refuse_add_to_transaction, missing);
  SETTLE(fs, get_transaction_for_path, refuse_get_transaction, missing);
  SETTLE(fs, get_or_start_transaction_for_path, refuse_get_transaction, missing);
  SETTLE(fs, decode_transaction_token, default_decode_transaction_token, by_default);
  SETTLE(fs, get_filesystem_configuration, default_get_configuration, by_default);
  SETTLE(fs, set_filesystem_configuration, refuse_set_configuration, missing);
  SETTLE(fs, get_filesystem_configuration_option, default_get_option, by_default);
  SETTLE(fs, set_filesystem_configuration_option, default_set_option, by_default);
  /* Never the plugin's: the signature of this slot cannot return a list. */
  fs->tables.fs.get_filesystem_configuration_keys = NULL;
  SETTLE(fs, get_filesystem_configuration_keys, skip_keys, by_default);
}

void defaults_fill(modfs_fs *fs) {
  fs->origins[0] = fs->origins[1] = by_plugin;
  settle_files(fs);
  settle_operations(fs);
  fs->names_by_default = fs->tables.fs.translate_name == default_translate_name;
  fs->plain = fs->tables.scheme[0] == '\0' && fs->names_by_default;
}
