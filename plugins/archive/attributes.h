/* What stat, lstat and their like say. */
#ifndef ARCHIVE_ATTRIBUTES_H
#define ARCHIVE_ATTRIBUTES_H

#include "../common/slot/slot.h"
#include "archive.h"

void archive_attributes_of(const archive *self, const index_entry *entry,
                           modfs_attributes *attributes);

FS_SLOT(path_exists) archive_path_exists;
FS_SLOT(stat) archive_stat;
FS_SLOT(is_directory) archive_is_directory;
FS_SLOT(get_file_size) archive_get_file_size;
EXTENSION_SLOT(lstat) archive_lstat;
EXTENSION_SLOT(get_attributes) archive_get_attributes;

#endif
