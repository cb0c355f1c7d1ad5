/* Read-only files on web servers. */
#include <modfs/extension.h>
#include <modfs/filesystem.h>
#include <stdlib.h>
#include <string.h>

#include "../common/located/located.h"
#include "../common/net/net.h"
#include "file.h"
#include "filesystem.h"
#include "query.h"
#include "refuse.h"
#include "region.h"

static const TF_FilesystemOps filesystem_ops = {
    .init = http_init,
    .cleanup = http_cleanup,
    .new_random_access_file = http_new_random_access_file,
    .new_read_only_memory_region_from_file = http_new_read_only_memory_region_from_file,
    .new_writable_file = http_refuse_writable_file,
    .new_appendable_file = http_refuse_writable_file,
    .create_dir = http_refuse_path,
    .recursively_create_dir = http_refuse_path,
    .delete_file = http_refuse_path,
    .delete_dir = http_refuse_path,
    .delete_recursively = http_refuse_delete_recursively,
    .rename_file = http_refuse_paths,
    .copy_file = http_refuse_paths,
    .get_children = http_refuse_get_children,
    .path_exists = http_path_exists,
    .stat = http_stat,
    .is_directory = http_is_directory,
    .translate_name = http_translate_name,
    .flush_caches = http_flush_caches,
    .get_filesystem_configuration = http_get_filesystem_configuration,
    .set_filesystem_configuration = http_set_filesystem_configuration,
};

static const TF_RandomAccessFileOps file_ops = {
    .cleanup = http_file_cleanup,
    .read = http_file_read,
};

static const TF_WritableFileOps writable_ops = {.cleanup = http_refuse_cleanup};

static const TF_ReadOnlyMemoryRegionOps region_ops = {
    .cleanup = http_region_cleanup,
    .data = http_region_data,
    .length = http_region_length,
};

static const modfs_extension_ops extension = {
    .struct_size = sizeof(modfs_extension_ops),
    .author = "modfs authors",
    .version = "0.1.0",
    .url = "https://github.com/modfs/modfs",
    .in_flight = 8,
};

static const char *const schemes[] = {"http", "https"};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* A query may contain credentials, so messages show it as ?***. */
static const char *show_path(const char *path) {
  size_t size = strlen(path) + 8;
  char *shown = malloc(size);
  if (shown) net_url_show(path, shown, size);
  return shown;
}

static void *memory_allocate(size_t size) {
  return calloc(1, size);
}

static void *table_copy(const void *table, size_t size) {
  void *copy = memory_allocate(size);
  return copy ? memcpy(copy, table, size) : NULL;
}

static bool scheme_fill(TF_FilesystemPluginOps *ops, const char *scheme) {
  TF_SetFilesystemVersionMetadata(ops);
  ops->scheme = strdup(scheme);
  ops->filesystem_ops = table_copy(&filesystem_ops, sizeof filesystem_ops);
  if (ops->filesystem_ops) located_table(ops->filesystem_ops, &filesystem_ops, show_path);
  ops->random_access_file_ops = table_copy(&file_ops, sizeof file_ops);
  ops->writable_file_ops = table_copy(&writable_ops, sizeof writable_ops);
  ops->read_only_memory_region_ops = table_copy(&region_ops, sizeof region_ops);
  if (ops->scheme && ops->filesystem_ops && ops->random_access_file_ops && ops->writable_file_ops &&
      ops->read_only_memory_region_ops)
    return true;
  free(ops->scheme);
  free(ops->filesystem_ops);
  free(ops->random_access_file_ops);
  free(ops->writable_file_ops);
  free(ops->read_only_memory_region_ops);
  return false;
}

/* Without memory nothing is registered: this call has no other way to report it. */
void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  plugin_info->plugin_memory_allocate = memory_allocate;
  plugin_info->plugin_memory_free = free;
  plugin_info->num_schemes = 0;
  plugin_info->ops = memory_allocate(SCHEMES * sizeof *plugin_info->ops);
  for (size_t i = 0; plugin_info->ops && i < SCHEMES; i++) {
    if (!scheme_fill(&plugin_info->ops[i], schemes[i])) return;
    plugin_info->num_schemes = i + 1;
  }
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  for (size_t i = 0; scheme && i < SCHEMES; i++)
    if (strcmp(scheme, schemes[i]) == 0) return &extension;
  return NULL;
}
