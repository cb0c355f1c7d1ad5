/* Queries about paths and entries. */
#ifndef POSIX_STAT_H
#define POSIX_STAT_H

#include <sys/stat.h>

#include "../common/slot/slot.h"

FS_SLOT(path_exists) posix_path_exists;
FS_SLOT(paths_exist) posix_paths_exist;
FS_SLOT(stat) posix_stat;
FS_SLOT(is_directory) posix_is_directory;
FS_SLOT(get_file_size) posix_get_file_size;
EXTENSION_SLOT(lstat) posix_lstat;
EXTENSION_SLOT(get_attributes) posix_get_attributes;

/* Fills as much as struct_size allows. */
void posix_attributes_fill(const struct stat *info, modfs_attributes *attributes);

#endif
