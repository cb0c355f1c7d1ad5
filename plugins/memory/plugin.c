#include "../common/located/schemes.h"
#include "file.h"
#include "filesystem.h"
#include "fs.h"
#include "names.h"
#include "region.h"
#include "transaction.h"
#include "writable.h"

#include <stdlib.h>
#include <string.h>

/* get_filesystem_configuration_keys stays empty: no host can call it. */
static const TF_FilesystemOps filesystem_ops = {
    .init = memory_fs_init,
    .cleanup = memory_fs_cleanup,
    .new_random_access_file = memory_fs_new_random_access_file,
    .new_writable_file = memory_fs_new_writable_file,
    .new_appendable_file = memory_fs_new_appendable_file,
    .new_read_only_memory_region_from_file = memory_fs_new_read_only_memory_region_from_file,
    .create_dir = memory_fs_create_dir,
    .recursively_create_dir = memory_fs_recursively_create_dir,
    .delete_file = memory_fs_delete_file,
    .delete_dir = memory_fs_delete_dir,
    .delete_recursively = memory_fs_delete_recursively,
    .rename_file = memory_fs_rename_file,
    .copy_file = memory_fs_copy_file,
    .path_exists = memory_fs_path_exists,
    .paths_exist = memory_fs_paths_exist,
    .stat = memory_fs_stat,
    .is_directory = memory_fs_is_directory,
    .get_file_size = memory_fs_get_file_size,
    .translate_name = memory_fs_translate_name,
    .get_children = memory_fs_get_children,
    .get_matching_paths = memory_fs_get_matching_paths,
    .flush_caches = memory_fs_flush_caches,
    .start_transaction = memory_fs_start_transaction,
    .end_transaction = memory_fs_end_transaction,
    .add_to_transaction = memory_fs_add_to_transaction,
    .get_transaction_for_path = memory_fs_get_transaction_for_path,
    .get_or_start_transaction_for_path = memory_fs_get_or_start_transaction_for_path,
    .decode_transaction_token = memory_fs_decode_transaction_token,
    .get_filesystem_configuration = memory_fs_get_filesystem_configuration,
    .set_filesystem_configuration = memory_fs_set_filesystem_configuration,
    .get_filesystem_configuration_option = memory_fs_get_filesystem_configuration_option,
    .set_filesystem_configuration_option = memory_fs_set_filesystem_configuration_option,
};

static const char *show_path(const char *path) {
  static const char scheme[] = "mem:/";
  size_t before = *path == '/' ? sizeof scheme - 1 : 0, size = strlen(path) + 1;
  char *shown = malloc(before + size);
  if (!shown) return NULL;
  memcpy(shown, scheme, before);
  memcpy(shown + before, path, size);
  return shown;
}

static const located_scheme schemes[] = {{.name = "mem"}, {.name = NULL}};

void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
  static const modfs_register_tables tables = {&filesystem_ops, &memory_file_ops,
                                               &memory_writable_ops, &memory_region_ops};
  modfs_register_start(info, modfs_register_allocate, memory_names_free);
  located_register(info, schemes, &tables, show_path);
}
