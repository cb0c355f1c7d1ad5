/* Files opened for writing. */
#ifndef HDFS_WRITABLE_H
#define HDFS_WRITABLE_H

#include "../common/slot/slot.h"

FS_SLOT(new_writable_file) hdfs_new_writable_file;
FS_SLOT(new_appendable_file) hdfs_new_appendable_file;
EXTENSION_SLOT(open_writer) hdfs_open_writer;
EXTENSION_SLOT(set_writer_attributes) hdfs_set_writer_attributes;

extern const TF_WritableFileOps hdfs_writable_ops;

#endif
