/* Deletes files and directories. */
#ifndef HDFS_DELETE_H
#define HDFS_DELETE_H

#include "../common/slot/slot.h"
#include "name.h"

FS_SLOT(delete_file) hdfs_delete_file;
FS_SLOT(delete_dir) hdfs_delete_dir;
FS_SLOT(delete_recursively) hdfs_delete_recursively;

/* Deletes a file of our own, whatever becomes of it: also when the caller is to end. */
void hdfs_delete_own(const TF_Filesystem *filesystem, const hdfs_name *name);

#endif
