#include "plugin.h"

#include <stdlib.h>
#include <string.h>

#include "../region/read_region.h"
#include "../remote/file.h"
#include "copy.h"
#include "delete.h"
#include "directory.h"
#include "exists.h"
#include "glob.h"
#include "../remote/lock.h"
#include "stat.h"

/* Keys are used as they are: paths are not normalized. */
static char *translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  return strdup(uri);
}

static const TF_FilesystemOps filesystem_ops = {
    .new_random_access_file = store_new_random_access_file,
    .new_writable_file = store_new_writable_file,
    .new_appendable_file = store_new_appendable_file,
    .new_read_only_memory_region_from_file = store_new_read_only_memory_region_from_file,
    .create_dir = store_create_dir,
    .recursively_create_dir = store_recursively_create_dir,
    .delete_file = store_delete_file,
    .delete_dir = store_delete_dir,
    .delete_recursively = store_delete_recursively,
    .rename_file = store_rename_file,
    .copy_file = store_copy_file,
    .path_exists = store_path_exists,
    .paths_exist = store_paths_exist,
    .stat = store_stat,
    .is_directory = store_is_directory,
    .get_file_size = store_get_file_size,
    .translate_name = translate_name,
    .get_children = store_get_children,
    .get_matching_paths = store_get_matching_paths,
    .flush_caches = remote_flush_caches,
    .start_transaction = store_start_transaction,
    .end_transaction = store_end_transaction,
    .add_to_transaction = store_add_to_transaction,
    .get_transaction_for_path = store_get_transaction_for_path,
    .get_or_start_transaction_for_path = store_get_or_start_transaction_for_path,
    .decode_transaction_token = store_decode_transaction_token,
    .get_filesystem_configuration = options_get_configuration,
    .set_filesystem_configuration = options_set_configuration,
};

const modfs_register_tables store_tables = {&filesystem_ops, &remote_file_ops, &store_writable_ops,
                                            &read_region_ops};

void store_register(TF_FilesystemPluginInfo *plugin_info, const located_scheme *schemes,
                    const modfs_register_tables *tables) {
  modfs_register_start(plugin_info, modfs_register_allocate, free);
  located_register(plugin_info, schemes, tables ? tables : &store_tables, NULL);
}

bool store_init(objects_filesystem *self, const option_table *table, TF_Status *status) {
  if (remote_lock_init()) return remote_init(&self->remote, table, status);
  fail_no_memory(status);
  return false;
}

void store_close(TF_Filesystem *filesystem) {
  store_transaction_fini(filesystem);
}

void store_fini(objects_filesystem *self) {
  remote_fini(&self->remote);
}
