/* Objects in stores with the S3 protocol. */
#include <modfs/extension.h>
#include <modfs/filesystem.h>
#include <modfs/register.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/about/about.h"
#include "../common/located/located.h"
#include "../common/region/read_region.h"
#include "attributes.h"
#include "copy.h"
#include "delete.h"
#include "directory.h"
#include "exists.h"
#include "file.h"
#include "filesystem.h"
#include "glob.h"
#include "listing.h"
#include "presign.h"
#include "service.h"
#include "stat.h"
#include "transaction.h"
#include "writable.h"

static const TF_FilesystemOps filesystem_ops = {
    .init = s3_init,
    .cleanup = s3_cleanup,
    .new_random_access_file = s3_new_random_access_file,
    .new_writable_file = s3_new_writable_file,
    .new_appendable_file = s3_new_appendable_file,
    .new_read_only_memory_region_from_file = s3_new_read_only_memory_region_from_file,
    .create_dir = s3_create_dir,
    .recursively_create_dir = s3_recursively_create_dir,
    .delete_file = s3_delete_file,
    .delete_dir = s3_delete_dir,
    .delete_recursively = s3_delete_recursively,
    .rename_file = s3_rename_file,
    .copy_file = s3_copy_file,
    .path_exists = s3_path_exists,
    .paths_exist = s3_paths_exist,
    .stat = s3_stat,
    .is_directory = s3_is_directory,
    .get_file_size = s3_get_file_size,
    .translate_name = s3_translate_name,
    .get_children = s3_get_children,
    .get_matching_paths = s3_get_matching_paths,
    .flush_caches = remote_flush_caches,
    .start_transaction = s3_start_transaction,
    .end_transaction = s3_end_transaction,
    .add_to_transaction = s3_add_to_transaction,
    .get_transaction_for_path = s3_get_transaction_for_path,
    .get_or_start_transaction_for_path = s3_get_or_start_transaction_for_path,
    .decode_transaction_token = s3_decode_transaction_token,
    .get_filesystem_configuration = remote_get_configuration,
    .set_filesystem_configuration = remote_set_configuration,
};

static const modfs_extension_ops extension = {
    ABOUT_MODFS,
    .open_directory = s3_open_directory,
    .next_entry = s3_next_entry,
    .close_directory = s3_close_directory,
    .abort_transaction = s3_abort_transaction,
    .deviations = MODFS_SHOWN_AT_CLOSE | MODFS_PARENTS_IMPLIED | MODFS_NAMES_ARE_TEXT |
                  MODFS_COMMITS_IN_STEPS,
    .in_flight = 8,
    .open_writer = s3_open_writer,
    .lstat = s3_lstat,
    .get_attributes = s3_lstat,
    .set_attributes = s3_set_attributes,
    .set_writer_attributes = s3_set_writer_attributes,
    .stored_hash = s3_stored_hash,
    .reader_attributes = s3_reader_attributes,
    .accept_interruption = remote_accept_interruption,
    .presign = s3_presign,
};

void s3_locate(TF_Status *status, const s3_name *name) {
  char path[sizeof name->bucket + sizeof name->key + 16];
  snprintf(path, sizeof path, "%s://%s/%s", s3_served.scheme, name->bucket, name->key);
  located_fail(status, path);
}

static const char *show_path(const char *path) {
  return path;
}

void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  TF_FilesystemOps located = filesystem_ops;
  const modfs_register_tables tables = {&located, &s3_file_ops, &s3_writable_ops, &read_region_ops};
  located.init = s3_served.init;
  located_table(&located, &filesystem_ops, show_path);
  modfs_register_start(plugin_info, modfs_register_allocate, free);
  modfs_register_scheme(plugin_info, s3_served.scheme, &tables);
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return scheme && strcmp(scheme, s3_served.scheme) == 0 ? &extension : NULL;
}
