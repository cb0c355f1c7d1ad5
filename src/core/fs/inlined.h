/* The calls that scripts make most, inlined into the functions of the binding: each function that is
 * under way when a system call is made returns behind it, and the processor cannot predict where to.
 * The functions that are named like these, without "_here", are the same, for all others. */
#ifndef MODFS_CORE_FS_INLINED_H
#define MODFS_CORE_FS_INLINED_H

#include <stdatomic.h>
#include <stdlib.h>

#include "fs.h"
#include "core/base/interruption.h"
#include "core/base/status.h"

#define FS_INLINE __attribute__((always_inline)) static inline

/* fs_leave. */
FS_INLINE void fs_leave_here(const modfs_fs *fs, const char *name, const char *done,
                             const char *path, TF_Status *status) {
  if (name != path) fs_free_name(fs, path, name);
  if (!status_ok(status)) status_locate(status, done, path);
}

/* Open files ------------------------------------------------------------------ */

struct modfs_file {
  TF_RandomAccessFile handle;
  atomic_size_t references;
  const modfs_fs *fs;
  const struct file_ops *ops;
  char name[];
};

/* One that a plugin is to open. Owns: free(). NULL when memory is short. */
modfs_file *file_new(const modfs_fs *fs, const char *shown, TF_Status *status);

FS_INLINE modfs_file *file_open_name_here(const modfs_fs *fs, const char *name, const char *shown,
                                          TF_Status *status) {
  modfs_file *file = file_new(fs, shown, status);
  if (!file) return NULL;
  fs->tables.fs.new_random_access_file(&fs->handle, name, &file->handle, status);
  if (status_ok(status)) return file;
  free(file);
  return NULL;
}

FS_INLINE modfs_file *modfs_file_open_here(const modfs_fs *fs, const char *path,
                                           TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  modfs_file *file = name ? file_open_name_here(fs, name, path, status) : NULL;
  fs_leave_here(fs, name, "open", path, status);
  return file;
}

/* The only reference is the caller's, so nobody can take another. */
FS_INLINE bool file_is_shared(const modfs_file *file) {
  return atomic_load_explicit(&file->references, memory_order_acquire) > 1;
}

FS_INLINE void modfs_file_close_here(modfs_file *file) {
  if (!file || (file_is_shared(file) &&
                atomic_fetch_sub_explicit(&file->references, 1, memory_order_acq_rel) > 1))
    return;
  file->fs->tables.file.cleanup(&file->handle);
  free(file);
}

/* Checks the result of a read that was not n bytes with OK against the contract: fewer with OUT_OF_RANGE, none
 * otherwise. Returns the bytes that were read, or -1 with the failure. */
int64_t file_check_read(const modfs_file *file, int64_t got, size_t n, TF_Status *status);

FS_INLINE int64_t file_read_once(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                                 TF_Status *status) {
  int64_t got = file->fs->tables.file.read(&file->handle, offset, n, buffer, status);
  return got == (int64_t)n && status_ok(status) ? got : file_check_read(file, got, n, status);
}

/* For file_read_here, while an interruption is possible. */
int64_t file_read_in_pieces(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                            TF_Status *status);

FS_INLINE int64_t file_read_here(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                                 TF_Status *status) {
  return interruption_is_possible() ? file_read_in_pieces(file, offset, n, buffer, status)
                                    : file_read_once(file, offset, n, buffer, status);
}

FS_INLINE int64_t modfs_file_read_here(const modfs_file *file, uint64_t offset, size_t n,
                                       char *buffer, TF_Status *status) {
  status_clear(status);
  int64_t got = file_read_here(file, offset, n, buffer, status);
  if (got < 0) status_locate(status, "read", file->name);
  return got;
}

/* Paths ----------------------------------------------------------------------- */

FS_INLINE void fs_path_exists_here(const modfs_fs *fs, const char *name, TF_Status *status) {
  fs->tables.fs.path_exists(&fs->handle, name, status);
}

/* Like modfs_fs_path_exists, but returns the code; NOT_FOUND, which is an answer, is not located. */
FS_INLINE TF_Code modfs_fs_path_exists_here(const modfs_fs *fs, const char *path,
                                            TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) fs_path_exists_here(fs, name, status);
  if (name != path) fs_free_name(fs, path, name);
  TF_Code code = TF_GetCode(status);
  if (code != TF_OK && code != TF_NOT_FOUND) status_locate(status, "path_exists", path);
  return code;
}

/* By stat, for a plugin without is_directory. */
bool fs_stat_directory(const modfs_fs *fs, const char *name, TF_Status *status);

FS_INLINE bool fs_ask_directory_here(const modfs_fs *fs, const char *name, TF_Status *status) {
  bool answer = fs->tables.fs.is_directory(&fs->handle, name, status);
  return TF_GetCode(status) == TF_UNIMPLEMENTED ? fs_stat_directory(fs, name, status) : answer;
}

/* Like modfs_fs_is_directory, but returns the code. NOT_FOUND and FAILED_PRECONDITION, with which
 * plugins answer for a file, or for a path below one, are not located. */
FS_INLINE TF_Code modfs_fs_is_directory_here(const modfs_fs *fs, const char *path, bool *answer,
                                             TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  bool is_directory = name && fs_ask_directory_here(fs, name, status);
  if (name != path) fs_free_name(fs, path, name);
  TF_Code code = TF_GetCode(status);
  *answer = code == TF_OK && is_directory;
  if (code != TF_OK && code != TF_NOT_FOUND && code != TF_FAILED_PRECONDITION)
    status_locate(status, "is_directory", path);
  return code;
}

#endif
