/* Queries about what is there. */
#ifndef HDFS_STAT_H
#define HDFS_STAT_H

#include "../common/slot/slot.h"
#include "json.h"
#include "place.h"

FS_SLOT(path_exists) hdfs_path_exists;
FS_SLOT(stat) hdfs_stat;
FS_SLOT(is_directory) hdfs_is_directory;
FS_SLOT(get_file_size) hdfs_get_file_size;
EXTENSION_SLOT(lstat) hdfs_lstat;

/* The status of a place, virtual directories included. NOT_FOUND where nothing is there, and
 * FAILED_PRECONDITION where a file stands above it. */
bool hdfs_stat_place(const TF_Filesystem *filesystem, const hdfs_place *place, hdfs_status *found,
                     TF_Status *status);
bool hdfs_stat_name(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_status *found,
                    TF_Status *status);

/* The same, where nothing may be there: *there is false then, with OK, if its parent is a directory. */
bool hdfs_stat_maybe(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_status *found,
                     bool *there, TF_Status *status);

void hdfs_stat_attributes(const hdfs_status *found, modfs_attributes *attributes);

#endif
