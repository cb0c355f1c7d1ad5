/* The file functions of env.h: each calls the hook of the same purpose.
 *
 * "installed" is NULL or a table, set once by compare-and-swap: it is never replaced or removed, so
 * a pointer that was read stays valid, and no lock is needed. A second, different table is refused.
 * The core that installed the table owns it and is never unloaded. Any thread may call at any time;
 * a file is for one thread at a time. A forked child inherits the table; whether a file may be used
 * there is for the hooks to say. */
#include <modfs/env.h>

#include <stdatomic.h>

#include "env_hooks.h"
#include "string_stream.h"

static _Atomic(const modfs_env_hooks *) installed;

bool TF_ModfsInstallHooks(const modfs_env_hooks *hooks) {
  const modfs_env_hooks *present = NULL;
  if (!hooks || hooks->struct_size < sizeof *hooks) return false;
  return atomic_compare_exchange_strong(&installed, &present, hooks) || present == hooks;
}

/* The hooks, or NULL with the reason. subject: the path or handle of the call, which must not be
 * NULL. */
static const modfs_env_hooks *hooks_for(const void *subject, TF_Status *status) {
  TF_SetStatus(status, TF_OK, "");
  const modfs_env_hooks *hooks = atomic_load_explicit(&installed, memory_order_acquire);
  if (!hooks)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "no filesystem host in this process");
  else if (!subject)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "path or handle is NULL");
  return subject ? hooks : NULL;
}

void TF_CreateDir(const char *path, TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(path, status);
  if (hooks) hooks->create_dir(path, status);
}

void TF_DeleteDir(const char *path, TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(path, status);
  if (hooks) hooks->delete_dir(path, status);
}

void TF_DeleteFile(const char *path, TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(path, status);
  if (hooks) hooks->delete_file(path, status);
}

static int64_t count_clamp(uint64_t count) {
  return count > INT64_MAX ? INT64_MAX : (int64_t)count;
}

void TF_DeleteRecursively(const char *path, int64_t *undeleted_files, int64_t *undeleted_dirs,
                          TF_Status *status) {
  uint64_t files = 0;
  uint64_t dirs = 0;
  const modfs_env_hooks *hooks = hooks_for(path, status);
  if (hooks)
    hooks->delete_recursively(path, &files, &dirs, status);
  else
    dirs = 1;
  if (undeleted_files) *undeleted_files = count_clamp(files);
  if (undeleted_dirs) *undeleted_dirs = count_clamp(dirs);
}

void TF_FileStat(const char *path, TF_FileStatistics *stats, TF_Status *status) {
  TF_FileStatistics found = {0};
  const modfs_env_hooks *hooks = hooks_for(path, status);
  if (!hooks) return;
  hooks->stat(path, &found, status);
  if (TF_GetCode(status) == TF_OK) *stats = found;
}

/* A TF_WritableFileHandle is the pointer that the hook returned, under another type. */
void TF_NewWritableFile(const char *path, TF_WritableFileHandle **handle, TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(path, status);
  if (!hooks) return;
  void *file = hooks->open_writable(path, status);
  if (TF_GetCode(status) == TF_OK) *handle = file;
}

void TF_CloseWritableFile(TF_WritableFileHandle *handle, TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(handle, status);
  if (hooks) hooks->close_writable(handle, status);
}

void TF_SyncWritableFile(TF_WritableFileHandle *handle, TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(handle, status);
  if (hooks) hooks->sync_writable(handle, status);
}

void TF_FlushWritableFile(TF_WritableFileHandle *handle, TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(handle, status);
  if (hooks) hooks->flush_writable(handle, status);
}

void TF_AppendWritableFile(TF_WritableFileHandle *handle, const char *data, size_t length,
                           TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(handle, status);
  if (hooks) hooks->append_writable(handle, data, length, status);
}

TF_StringStream *TF_GetChildren(const char *path, TF_Status *status) {
  const modfs_env_hooks *hooks = hooks_for(path, status);
  TF_StringStream *list =
      modfs_string_stream_new(hooks ? hooks->list_children(path, status) : NULL);
  if (!list) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  return list;
}
