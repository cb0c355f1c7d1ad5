/* Extended attributes. */
#ifndef HDFS_XATTRS_H
#define HDFS_XATTRS_H

#include "../common/slot/slot.h"

EXTENSION_SLOT(get_xattrs) hdfs_get_xattrs;
EXTENSION_SLOT(set_xattrs) hdfs_set_xattrs;

#endif
