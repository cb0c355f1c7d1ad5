/* Registration for filesystem plugins: what every TF_InitPlugin does alike.
 *
 * TF_InitPlugin gives the host a pair of allocation functions and, for each scheme,
 * copies of the tables that come from this pair. These functions do that:
 *
 *   void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
 *     const modfs_register_tables tables = {&filesystem_ops, &file_ops, NULL, NULL};
 *     modfs_register_start(info, malloc, free);
 *     modfs_register_scheme(info, "hello", &tables);
 *   }
 *
 * The header is optional and belongs to the plugin: everything in it is inline, so a
 * plugin that uses it needs nothing from modfs at run time and loads in TensorFlow, too.
 *
 * Threads: the host calls TF_InitPlugin once; call these functions from there alone.
 * Pointers must not be NULL, unless the function says so. */
#ifndef MODFS_REGISTER_H
#define MODFS_REGISTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "filesystem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The tables of one scheme. filesystem is required; another is NULL if the plugin has no such
 * handles. */
typedef struct modfs_register_tables {
  const TF_FilesystemOps *filesystem;
  const TF_RandomAccessFileOps *random_access_file;
  const TF_WritableFileOps *writable_file;
  const TF_ReadOnlyMemoryRegionOps *read_only_memory_region;
} modfs_register_tables;

/* An allocation function for modfs_register_start: memory of zeroes, as TensorFlow's own plugins give
 * it; for 0 bytes, too, it is not NULL. free() releases it. */
static inline void *modfs_register_allocate(size_t size) {
  return calloc(1, size > 0 ? size : 1);
}

/* Stores the pair for all memory that changes owner between plugin and host, and no schemes.
 * allocate returns NULL if memory is short; release takes NULL. malloc and free will do. */
static inline void modfs_register_start(TF_FilesystemPluginInfo *info,
                                        void *(*allocate)(size_t size), void (*release)(void *)) {
  info->num_schemes = 0;
  info->ops = NULL;
  info->plugin_memory_allocate = allocate;
  info->plugin_memory_free = release;
}

/* For modfs_register_scheme: a copy of the bytes, or NULL if there are none. If memory is short it is
 * NULL, too, and whole becomes false. */
static inline void *modfs_register_copy(const TF_FilesystemPluginInfo *info, const void *bytes,
                                        size_t size, bool *whole) {
  void *copy = bytes ? info->plugin_memory_allocate(size) : NULL;
  if (copy)
    memcpy(copy, bytes, size);
  else if (bytes)
    *whole = false;
  return copy;
}

/* Adds one scheme; call it after modfs_register_start, once for each scheme. The scheme is a
 * letter, followed by letters, digits and dots; "" serves plain paths. Records the versions and
 * table sizes that the plugin was compiled with.
 * Errors: returns false if memory is short. Nothing is allocated then, and the schemes added before
 *   stay. TF_InitPlugin has no other way to report this: the host refuses a plugin without schemes.
 * Owns: scheme and tables are copied; the host frees the copies with plugin_memory_free. */
static inline bool modfs_register_scheme(TF_FilesystemPluginInfo *info, const char *scheme,
                                         const modfs_register_tables *tables) {
  const size_t count = info->num_schemes;
  bool whole = true;
  TF_FilesystemPluginOps added, *ops;
  memset(&added, 0, sizeof added);
  TF_SetFilesystemVersionMetadata(&added);
  added.scheme = (char *)modfs_register_copy(info, scheme, strlen(scheme) + 1, &whole);
  added.filesystem_ops = (TF_FilesystemOps *)modfs_register_copy(
      info, tables->filesystem, sizeof *tables->filesystem, &whole);
  added.random_access_file_ops = (TF_RandomAccessFileOps *)modfs_register_copy(
      info, tables->random_access_file, sizeof *tables->random_access_file, &whole);
  added.writable_file_ops = (TF_WritableFileOps *)modfs_register_copy(
      info, tables->writable_file, sizeof *tables->writable_file, &whole);
  added.read_only_memory_region_ops = (TF_ReadOnlyMemoryRegionOps *)modfs_register_copy(
      info, tables->read_only_memory_region, sizeof *tables->read_only_memory_region, &whole);
  ops = (TF_FilesystemPluginOps *)info->plugin_memory_allocate((count + 1) * sizeof *ops);
  if (!ops || !whole) {
    info->plugin_memory_free(ops);
    info->plugin_memory_free(added.read_only_memory_region_ops);
    info->plugin_memory_free(added.writable_file_ops);
    info->plugin_memory_free(added.random_access_file_ops);
    info->plugin_memory_free(added.filesystem_ops);
    info->plugin_memory_free(added.scheme);
    return false;
  }
  if (count > 0) memcpy(ops, info->ops, count * sizeof *ops);
  ops[count] = added;
  info->plugin_memory_free(info->ops);
  info->ops = ops;
  info->num_schemes = count + 1;
  return true;
}

#ifdef __cplusplus
}
#endif

#endif
