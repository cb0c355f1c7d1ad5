/* The hooks through which the runtime reaches the filesystems of the core.
 *
 * The runtime has no registry. When the core is loaded, it fills in one table, looks
 * TF_ModfsInstallHooks up with dlsym, and installs the table. TensorFlow's own library of that
 * soname has no such symbol. Until then the file functions of env.h fail with FAILED_PRECONDITION.
 *
 * For all hooks: paths are never NULL and may be URIs; the status is OK on entry and holds the
 * result on return. Threads: any, concurrently; a file is for one thread at a time. */
#ifndef MODFS_ENV_HOOKS_H
#define MODFS_ENV_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <modfs/filesystem.h>
#include <modfs/status.h>

/* New members are added at the end only. */
typedef struct modfs_env_hooks {
  size_t struct_size; /* sizeof(modfs_env_hooks) in the core */

  void (*create_dir)(const char *path, TF_Status *status);
  void (*delete_dir)(const char *path, TF_Status *status);
  void (*delete_file)(const char *path, TF_Status *status);

  /* Both counts are 0 on entry. */
  void (*delete_recursively)(const char *path, uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                             TF_Status *status);

  void (*stat)(const char *path, TF_FileStatistics *stats, TF_Status *status);

  /* Opens a new, empty file. Never NULL when OK. Owns: the caller, until close_writable. */
  void *(*open_writable)(const char *path, TF_Status *status);
  void (*append_writable)(void *file, const char *data, size_t size, TF_Status *status);
  void (*flush_writable)(void *file, TF_Status *status);
  void (*sync_writable)(void *file, TF_Status *status);

  /* Closes and frees the file, even on failure. */
  void (*close_writable)(void *file, TF_Status *status);

  /* The names in a directory, the last one followed by NULL; NULL on failure.
   * Owns: array and strings come from malloc, the runtime frees them with free. */
  char **(*list_children)(const char *path, TF_Status *status);
} modfs_env_hooks;

/* Installs a table for the life of the process. True when this table is installed; false when it is
 * shorter than modfs_env_hooks, or when another one is installed (a second core in one process).
 * Owns: the caller keeps the table for as long as the process lives. */
TF_CAPI_EXPORT extern bool TF_ModfsInstallHooks(const modfs_env_hooks *hooks);

#endif
