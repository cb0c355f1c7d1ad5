/* The local files of this machine, for plain paths and file:// URIs. */
#include "../common/about/about.h"
#include "../common/located/schemes.h"
#include "attributes.h"
#include "configuration.h"
#include "copy.h"
#include "delete.h"
#include "directory.h"
#include "entry.h"
#include "file.h"
#include "../common/interrupt/interrupt.h"
#include "link.h"
#include "listing.h"
#include "path.h"
#include "region.h"
#include "rename.h"
#include "space.h"
#include "stat.h"
#include "writable.h"
#include "xattrs.h"

static const TF_FilesystemOps filesystem_ops = {
    .init = posix_init,
    .cleanup = posix_cleanup,
    .new_random_access_file = posix_new_random_access_file,
    .new_writable_file = posix_new_writable_file,
    .new_appendable_file = posix_new_appendable_file,
    .new_read_only_memory_region_from_file = posix_new_read_only_memory_region_from_file,
    .create_dir = posix_create_dir,
    .recursively_create_dir = posix_recursively_create_dir,
    .delete_file = posix_delete_file,
    .delete_dir = posix_delete_dir,
    .delete_recursively = posix_delete_recursively,
    .rename_file = posix_rename_file,
    .copy_file = posix_copy_file,
    .path_exists = posix_path_exists,
    .paths_exist = posix_paths_exist,
    .stat = posix_stat,
    .is_directory = posix_is_directory,
    .get_file_size = posix_get_file_size,
    .translate_name = posix_translate_name,
    .get_children = posix_get_children,
    .get_filesystem_configuration = posix_get_filesystem_configuration,
    .set_filesystem_configuration = posix_set_filesystem_configuration,
    .get_filesystem_configuration_option = posix_get_filesystem_configuration_option,
    .set_filesystem_configuration_option = posix_set_filesystem_configuration_option,
};

static const modfs_extension_ops extension = {
    ABOUT_MODFS,
    .open_directory = posix_open_directory,
    .next_entry = posix_next_entry,
    .close_directory = posix_close_directory,
    .lstat = posix_lstat,
    .create_private_dir = posix_create_private_dir,
    .open_writer = posix_open_writer,
    .open_subdirectory = posix_open_subdirectory,
    .entry_attributes = posix_entry_attributes,
    .open_reader = posix_open_reader,
    .create_subdirectory = posix_create_subdirectory,
    .delete_entry = posix_delete_entry,
    .rename_entry = posix_rename_entry,
    .copy_entry = posix_copy_entry,
    .get_attributes = posix_get_attributes,
    .set_attributes = posix_set_attributes,
    .create_link = posix_create_link,
    .read_link = posix_read_link,
    .set_writer_attributes = posix_set_writer_attributes,
    .accept_interruption = interrupt_accept,
    .get_xattrs = posix_get_xattrs,
    .set_xattrs = posix_set_xattrs,
    .get_space = posix_get_space,
    .next_entries = posix_next_entries,
    .copy_entry_keeping = posix_copy_entry_keeping,
};

static const located_scheme schemes[] = {{.name = ""}, {.name = "file"}, {.name = NULL}};

/* Those that are called most name the path themselves: a frame above a system call costs a return
 * that the processor cannot predict. */
static void name_paths_themselves(TF_FilesystemOps *ops) {
  ops->new_random_access_file = posix_new_random_access_file;
  ops->path_exists = posix_path_exists;
  ops->stat = posix_stat;
  ops->is_directory = posix_is_directory;
  ops->get_file_size = posix_get_file_size;
}

/* The host's default does the same as translate_name for plain paths, and need not copy a normalized path. */
void TF_InitPlugin(TF_FilesystemPluginInfo *plugin_info) {
  TF_FilesystemOps located = filesystem_ops;
  located_table(&located, &filesystem_ops, NULL);
  name_paths_themselves(&located);
  TF_FilesystemOps plain = located;
  plain.translate_name = NULL;
  modfs_register_start(plugin_info, modfs_register_allocate, free);
  modfs_register_scheme(
      plugin_info, schemes[0].name,
      &(modfs_register_tables){&plain, &posix_file_ops, &posix_writable_ops, &posix_region_ops});
  modfs_register_scheme(
      plugin_info, schemes[1].name,
      &(modfs_register_tables){&located, &posix_file_ops, &posix_writable_ops, &posix_region_ops});
}

const modfs_extension_ops *modfs_extension(const char *scheme) {
  return located_serves(schemes, scheme) ? &extension : NULL;
}
