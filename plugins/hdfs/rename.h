/* Renames files. */
#ifndef HDFS_RENAME_H
#define HDFS_RENAME_H

#include "../common/slot/slot.h"
#include "name.h"

FS_SLOT(rename_file) hdfs_rename_file;

/* The id of a file whose name nobody else has: it has arrived when it is gone from there. */
#define HDFS_OWN_FILE UINT64_MAX

typedef struct hdfs_renaming {
  const hdfs_name *from;
  const hdfs_name *to;
  uint64_t id;      /* of the file, to tell an answer that was lost from a failure; 0: unknown */
  bool must_be_new; /* nothing may be at the new name */
} hdfs_renaming;

/* Renames a file in one step; replaces an existing one, unless it must be new. */
bool hdfs_rename_name(const TF_Filesystem *filesystem, const hdfs_renaming *renaming,
                      TF_Status *status);

#endif
