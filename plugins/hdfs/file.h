/* Files opened for reading: the table's operations. */
#ifndef HDFS_FILE_H
#define HDFS_FILE_H

#include "../common/slot/slot.h"

FS_SLOT(new_random_access_file) hdfs_new_random_access_file;
FS_SLOT(new_read_only_memory_region_from_file) hdfs_new_read_only_memory_region_from_file;
EXTENSION_SLOT(reader_attributes) hdfs_reader_attributes;

#endif
