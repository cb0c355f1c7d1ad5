/* HDFS over WebHDFS, and viewfs, which leads to several clusters. */
#include "../common/about/about.h"
#include "../common/located/schemes.h"
#include "../common/region/read_region.h"
#include "../common/remote/file.h"
#include "attributes.h"
#include "delete.h"
#include "directory.h"
#include "file.h"
#include "filesystem.h"
#include "listing.h"
#include "name.h"
#include "rename.h"
#include "stat.h"
#include "writable.h"
#include "xattrs.h"

static const TF_FilesystemOps filesystem_ops = {
    .init = hdfs_init,
    .cleanup = hdfs_cleanup,
    .new_random_access_file = hdfs_new_random_access_file,
    .new_writable_file = hdfs_new_writable_file,
    .new_appendable_file = hdfs_new_appendable_file,
    .new_read_only_memory_region_from_file = hdfs_new_read_only_memory_region_from_file,
    .create_dir = hdfs_create_dir,
    .recursively_create_dir = hdfs_recursively_create_dir,
    .delete_file = hdfs_delete_file,
    .delete_dir = hdfs_delete_dir,
    .delete_recursively = hdfs_delete_recursively,
    .rename_file = hdfs_rename_file,
    .path_exists = hdfs_path_exists,
    .stat = hdfs_stat,
    .is_directory = hdfs_is_directory,
    .get_file_size = hdfs_get_file_size,
    .translate_name = hdfs_translate_name,
    .get_children = hdfs_get_children,
    .flush_caches = hdfs_flush_caches,
    .get_filesystem_configuration = options_get_configuration,
    .set_filesystem_configuration = options_set_configuration,
};

static const modfs_extension_ops extension = {
    ABOUT_MODFS,
    .deviations = MODFS_SHOWN_AT_CLOSE | MODFS_NAMES_ARE_TEXT | MODFS_NAMES_LACK_COLONS,
    .in_flight = 8,
    .open_directory = hdfs_open_directory,
    .next_entry = hdfs_next_entry,
    .close_directory = hdfs_close_directory,
    .lstat = hdfs_lstat,
    .get_attributes = hdfs_lstat,
    .create_private_dir = hdfs_create_private_dir,
    .open_writer = hdfs_open_writer,
    .set_attributes = hdfs_set_attributes,
    .set_writer_attributes = hdfs_set_writer_attributes,
    .reader_attributes = hdfs_reader_attributes,
    .accept_interruption = remote_accept_interruption,
    .get_xattrs = hdfs_get_xattrs,
    .set_xattrs = hdfs_set_xattrs,
};

static const located_scheme schemes[] = {{.name = "hdfs"},
                                         {.name = "webhdfs"},
                                         {.name = "swebhdfs"},
                                         {.name = "viewfs"},
                                         {.name = NULL}};

void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  static const modfs_register_tables tables = {&filesystem_ops, &remote_file_ops,
                                               &hdfs_writable_ops, &read_region_ops};
  modfs_register_start(plugin_info, modfs_register_allocate, free);
  located_register(plugin_info, schemes, &tables, NULL);
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return located_serves(schemes, scheme) ? &extension : NULL;
}
