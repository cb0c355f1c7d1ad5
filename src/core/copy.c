/* Copying by reading and appending, within a filesystem or between two. */
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "fs_defaults.h"
#include "status.h"
#include "writable.h"

enum { PIECE = 128 * 1024 };

static void pump(const modfs_file *from, modfs_writable *to, TF_Status *status) {
  char *buffer = malloc(PIECE);
  uint64_t offset = 0;
  int64_t got = buffer ? PIECE : 0;
  if (!buffer) status_no_memory(status);
  while (got == PIECE && status_ok(status)) {
    got = file_read(from, offset, PIECE, buffer, status);
    if (got > 0 && status_ok(status)) {
      offset += (uint64_t)got;
      modfs_writable_append(to, buffer, (size_t)got, status);
    }
  }
  free(buffer);
}

static void check_target(const modfs_fs *to, const char *dst, bool *existed, TF_Status *status) {
  if (fs_is_directory(to, dst, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the target is a directory");
  *existed = status_ok(status);
  if (TF_GetCode(status) == TF_NOT_FOUND || TF_GetCode(status) == TF_UNIMPLEMENTED)
    status_clear(status);
}

/* Where the target's filesystem can, the copy takes the target's place in one step. */
static modfs_writable *open_target(const modfs_fs *to, const char *dst, TF_Status *status) {
  bool replaces = to->extension.replace_file != NULL;
  return writable_open_name(to, dst, dst, replaces ? MODFS_WRITE_ATOMIC_FAST : MODFS_WRITE_REPLACE,
                            status);
}

/* Ends the target; a torn one that was not there before goes again. */
static void end_target(const modfs_fs *to, const char *dst, modfs_writable *writable, bool existed,
                       TF_Status *status) {
  TF_Status *ending = status_ok(status) ? status : TF_NewStatus();
  if (!ending) ending = status;
  if (ending == status)
    modfs_writable_close(writable, ending);
  else
    modfs_writable_abort(writable, ending);
  if (!status_ok(status) && !existed && !to->extension.replace_file) {
    TF_Status *deleting = TF_NewStatus();
    if (deleting) to->tables.fs.delete_file(&to->handle, dst, deleting);
    TF_DeleteStatus(deleting);
  }
  if (ending != status) TF_DeleteStatus(ending);
}

/* Both names are translated. */
static void copy_names(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                       TF_Status *status) {
  bool existed = false;
  if (fs_is_directory(from, src, status))
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the source is a directory");
  if (TF_GetCode(status) == TF_UNIMPLEMENTED) status_clear(status);
  if (!status_ok(status) || fs_same_file(from, src, to, dst)) return;
  check_target(to, dst, &existed, status);
  modfs_file *file = status_ok(status) ? file_open_name(from, src, src, status) : NULL;
  modfs_writable *writable = file ? open_target(to, dst, status) : NULL;
  if (writable) {
    pump(file, writable, status);
    end_target(to, dst, writable, existed, status);
  }
  modfs_file_close(file);
}

void default_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                       TF_Status *status) {
  const modfs_fs *fs = fs_of(filesystem);
  copy_names(fs, src, fs, dst, status);
}

/* Copies between two filesystems; moving deletes the source afterwards. */
static void transfer(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                     bool moving, TF_Status *status) {
  const char *source = fs_enter(from, src, status);
  const char *target = source ? fs_enter(to, dst, status) : NULL;
  if (target) {
    bool same = fs_same_file(from, source, to, target);
    copy_names(from, source, to, target, status);
    if (moving && !same && status_ok(status))
      from->tables.fs.delete_file(&from->handle, source, status);
    fs_forget(to, dst, target);
  }
  fs_leave_two(from, source, moving ? "rename" : "copy", src, dst, status);
}

void modfs_copy(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                TF_Status *status) {
  if (from == to)
    modfs_fs_copy_file(from, src, dst, status);
  else
    transfer(from, src, to, dst, false, status);
}

void modfs_rename(const modfs_fs *from, const char *src, const modfs_fs *to, const char *dst,
                  TF_Status *status) {
  if (from == to)
    modfs_fs_rename_file(from, src, dst, status);
  else
    transfer(from, src, to, dst, true, status);
}
