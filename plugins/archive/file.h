/* Members open for reading. */
#ifndef ARCHIVE_FILE_H
#define ARCHIVE_FILE_H

#include "../common/slot/slot.h"

FS_SLOT(new_random_access_file) archive_new_random_access_file;
FS_SLOT(new_read_only_memory_region_from_file) archive_new_read_only_memory_region_from_file;
EXTENSION_SLOT(reader_attributes) archive_reader_attributes;

extern const TF_RandomAccessFileOps archive_file_ops;

#endif
