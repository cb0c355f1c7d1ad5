/* The operations of a filesystem that change or query the tree; see the tables in modfs. */
#ifndef MEMORY_FS_H
#define MEMORY_FS_H

#include "../common/slot/slot.h"

/* create.c */
FS_SLOT(create_dir) memory_fs_create_dir;
FS_SLOT(recursively_create_dir) memory_fs_recursively_create_dir;

/* delete.c */
FS_SLOT(delete_file) memory_fs_delete_file;
FS_SLOT(delete_dir) memory_fs_delete_dir;
FS_SLOT(delete_recursively) memory_fs_delete_recursively;

/* move.c */
FS_SLOT(rename_file) memory_fs_rename_file;
FS_SLOT(copy_file) memory_fs_copy_file;

/* query.c */
FS_SLOT(path_exists) memory_fs_path_exists;
FS_SLOT(paths_exist) memory_fs_paths_exist;
FS_SLOT(stat) memory_fs_stat;
FS_SLOT(is_directory) memory_fs_is_directory;
FS_SLOT(get_file_size) memory_fs_get_file_size;
EXTENSION_SLOT(lstat) memory_fs_lstat;
EXTENSION_SLOT(get_attributes) memory_fs_get_attributes;
EXTENSION_SLOT(get_space) memory_fs_get_space;

/* attributes.c */
EXTENSION_SLOT(set_attributes) memory_fs_set_attributes;
EXTENSION_SLOT(get_xattrs) memory_fs_get_xattrs;
EXTENSION_SLOT(set_xattrs) memory_fs_set_xattrs;

/* link.c */
EXTENSION_SLOT(create_link) memory_fs_create_link;
EXTENSION_SLOT(read_link) memory_fs_read_link;

/* listing.c */
FS_SLOT(get_children) memory_fs_get_children;
EXTENSION_SLOT(open_directory) memory_fs_open_directory;
EXTENSION_SLOT(next_entry) memory_fs_next_entry;
EXTENSION_SLOT(next_entries) memory_fs_next_entries;
EXTENSION_SLOT(close_directory) memory_fs_close_directory;

/* matching.c */
FS_SLOT(get_matching_paths) memory_fs_get_matching_paths;

/* configuration.c */
FS_SLOT(get_filesystem_configuration) memory_fs_get_filesystem_configuration;
FS_SLOT(set_filesystem_configuration) memory_fs_set_filesystem_configuration;
FS_SLOT(get_filesystem_configuration_option) memory_fs_get_filesystem_configuration_option;
FS_SLOT(set_filesystem_configuration_option) memory_fs_set_filesystem_configuration_option;

#endif
