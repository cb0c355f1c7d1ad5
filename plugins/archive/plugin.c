/* Files inside archives: zip, tar, TensorFlow's packages of mapped memory, and Hadoop's archives. */
#include "../common/about/about.h"
#include "../common/located/schemes.h"
#include "../common/read_only/read_only.h"
#include "../common/region/read_region.h"
#include "attributes.h"
#include "directory.h"
#include "file.h"
#include "filesystem.h"
#include "link.h"
#include "transaction.h"
#include "writable.h"

static const TF_FilesystemOps filesystem_ops = {
    .cleanup = archive_cleanup,
    .new_random_access_file = archive_new_random_access_file,
    .new_read_only_memory_region_from_file = archive_new_read_only_memory_region_from_file,
    .new_writable_file = archive_new_writable_file,
    .new_appendable_file = read_only_file,
    .create_dir = archive_create_dir,
    .recursively_create_dir = archive_recursively_create_dir,
    .delete_file = read_only_path,
    .delete_dir = read_only_path,
    .delete_recursively = read_only_tree,
    .rename_file = read_only_paths,
    .path_exists = archive_path_exists,
    .stat = archive_stat,
    .is_directory = archive_is_directory,
    .get_file_size = archive_get_file_size,
    .translate_name = archive_translate_name,
    .get_children = archive_get_children,
    .flush_caches = archive_flush_caches,
    .start_transaction = archive_start_transaction,
    .end_transaction = archive_end_transaction,
    .add_to_transaction = archive_add_to_transaction,
    .get_transaction_for_path = archive_get_transaction_for_path,
    .get_or_start_transaction_for_path = archive_get_or_start_transaction_for_path,
    .get_filesystem_configuration = options_get_configuration,
    .set_filesystem_configuration = options_set_configuration,
};

static const modfs_extension_ops extension = {
    ABOUT_MODFS,
    .deviations = MODFS_SHOWN_AT_CLOSE | MODFS_WRITTEN_AT_ONCE,
    .abort_transaction = archive_abort_transaction,
    .open_writer = archive_open_writer,
    .set_attributes = archive_set_attributes,
    .set_writer_attributes = archive_set_writer_attributes,
    .create_link = archive_create_link,
    .open_directory = archive_open_directory,
    .next_entry = archive_next_entry,
    .close_directory = archive_close_directory,
    .lstat = archive_lstat,
    .get_attributes = archive_get_attributes,
    .read_link = archive_read_link,
    .reader_attributes = archive_reader_attributes,
    .accept_host = archive_accept_host,
};

static const located_scheme schemes[] = {{.name = "zip", .init = archive_init_zip},
                                         {.name = "tar", .init = archive_init_tar},
                                         {.name = "package", .init = archive_init_package},
                                         {.name = "har", .init = archive_init_har},
                                         {.name = NULL}};

void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  static const modfs_register_tables tables = {&filesystem_ops, &archive_file_ops,
                                               &archive_writable_ops, &read_region_ops};
  read_only_because("an archive is read-only");
  modfs_register_start(plugin_info, modfs_register_allocate, free);
  located_register(plugin_info, schemes, &tables, NULL);
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return located_serves(schemes, scheme) ? &extension : NULL;
}
