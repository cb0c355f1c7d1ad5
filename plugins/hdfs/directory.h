/* Creates directories. */
#ifndef HDFS_DIRECTORY_H
#define HDFS_DIRECTORY_H

#include "../common/slot/slot.h"

FS_SLOT(create_dir) hdfs_create_dir;
FS_SLOT(recursively_create_dir) hdfs_recursively_create_dir;
EXTENSION_SLOT(create_private_dir) hdfs_create_private_dir;

#endif
