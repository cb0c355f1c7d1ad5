/* Lists the names of a directory page by page. */
#ifndef HDFS_LISTING_H
#define HDFS_LISTING_H

#include "../common/slot/slot.h"

FS_SLOT(get_children) hdfs_get_children;
EXTENSION_SLOT(open_directory) hdfs_open_directory;
EXTENSION_SLOT(next_entry) hdfs_next_entry;
EXTENSION_SLOT(close_directory) hdfs_close_directory;

#endif
