/* The hooks of the runtime (env_hooks.h). The table is constant and lives as long as the process;
 * there is no other state. An empty plugin path: a call by a plugin loads no further plugin. */
#include "hooks.h"

#include <string.h>

#include "core/base/dylib.h"
#include "core/base/string_list.h"
#include "runtime/env_hooks.h"
#include "core/base/status.h"

static const modfs_fs *find_fs(const char *path, TF_Status *status) {
  const modfs_fs *fs = modfs_fs_of(path);
  return fs ? fs : modfs_fs_search(path, "", "find", status);
}

static void create_dir(const char *path, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  if (fs) modfs_fs_create_dir(fs, path, status);
}

static void delete_dir(const char *path, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  if (fs) modfs_fs_delete_dir(fs, path, status);
}

static void delete_file(const char *path, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  if (fs) modfs_fs_delete_file(fs, path, status);
}

static void delete_recursively(const char *path, uint64_t *undeleted_files,
                               uint64_t *undeleted_dirs, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  if (fs) modfs_fs_delete_recursively(fs, path, undeleted_files, undeleted_dirs, status);
}

static void stat_path(const char *path, TF_FileStatistics *stats, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  if (fs) modfs_fs_stat(fs, path, stats, status);
}

static void *open_writable(const char *path, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  return fs ? modfs_writable_open(fs, path, MODFS_WRITE_REPLACE, status) : NULL;
}

static void append_writable(void *file, const char *data, size_t size, TF_Status *status) {
  modfs_writable_append(file, data, size, status);
}

static void flush_writable(void *file, TF_Status *status) {
  modfs_writable_flush(file, status);
}

static void sync_writable(void *file, TF_Status *status) {
  modfs_writable_sync(file, status);
}

static void close_writable(void *file, TF_Status *status) {
  modfs_writable_close(file, status);
}

/* A string list is an array from malloc already; it only lacks the final NULL. */
static char **list_children(const char *path, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  modfs_string_list names = {0};
  if (fs) modfs_fs_get_children(fs, path, &names, status);
  if (!fs || !status_ok(status)) return NULL;
  if (string_list_end(&names)) return names.items;
  modfs_string_list_fini(&names);
  status_no_memory(status);
  return NULL;
}

static const modfs_env_hooks hooks = {
    .struct_size = sizeof(modfs_env_hooks),
    .create_dir = create_dir,
    .delete_dir = delete_dir,
    .delete_file = delete_file,
    .delete_recursively = delete_recursively,
    .stat = stat_path,
    .open_writable = open_writable,
    .append_writable = append_writable,
    .flush_writable = flush_writable,
    .sync_writable = sync_writable,
    .close_writable = close_writable,
    .list_children = list_children,
};

void hooks_install(TF_Status *status) {
  void *address = dylib_runtime_symbol("TF_ModfsInstallHooks");
  bool (*install)(const modfs_env_hooks *) = NULL;
  memcpy(&install, &address, sizeof install);
  if (install && !install(&hooks))
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "another copy of modfs is already loaded in this process; load only one");
}
