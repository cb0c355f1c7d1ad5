/* Read-only files on web servers. */
#include <stdlib.h>
#include <string.h>

#include "../common/about/about.h"
#include "../common/located/schemes.h"
#include "../common/read_only/read_only.h"
#include "../common/region/read_region.h"
#include "../common/remote/file.h"
#include "file.h"
#include "filesystem.h"
#include "query.h"

static const TF_FilesystemOps filesystem_ops = {
    .init = http_init,
    .cleanup = http_cleanup,
    .new_random_access_file = http_new_random_access_file,
    .new_read_only_memory_region_from_file = http_new_read_only_memory_region_from_file,
    .new_writable_file = read_only_file,
    .new_appendable_file = read_only_file,
    .create_dir = read_only_path,
    .recursively_create_dir = read_only_path,
    .delete_file = read_only_path,
    .delete_dir = read_only_path,
    .delete_recursively = read_only_tree,
    .rename_file = read_only_paths,
    .copy_file = read_only_paths,
    .get_children = http_get_children,
    .path_exists = http_path_exists,
    .stat = http_stat,
    .is_directory = http_is_directory,
    .translate_name = http_translate_name,
    .flush_caches = remote_flush_caches,
    .get_filesystem_configuration = options_get_configuration,
    .set_filesystem_configuration = options_set_configuration,
};

static const modfs_extension_ops extension = {
    ABOUT_MODFS,
    .in_flight = 8,
    .accept_interruption = remote_accept_interruption,
};

static const located_scheme schemes[] = {{.name = "http"}, {.name = "https"}, {.name = NULL}};

/* A query may contain credentials, so messages show it as ?***. The rest is as it is, so that the core knows it again. */
static const char *show_path(const char *path) {
  static const char hidden[] = "?***";
  size_t n = strcspn(path, "?#");
  char *shown = malloc(n + sizeof hidden);
  if (shown) stpcpy(mempcpy(shown, path, n), path[n] == '?' ? hidden : "");
  return shown;
}

void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  static const modfs_register_tables tables = {&filesystem_ops, &remote_file_ops,
                                               &read_only_writable_ops, &read_region_ops};
  read_only_because("http is read-only: nothing can be written, created or deleted");
  modfs_register_start(plugin_info, modfs_register_allocate, free);
  located_register(plugin_info, schemes, &tables, show_path);
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return located_serves(schemes, scheme) ? &extension : NULL;
}
