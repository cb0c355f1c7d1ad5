/* Deletes objects, directories and trees. */
#ifndef S3_DELETE_H
#define S3_DELETE_H

#include "../common/slot/slot.h"
#include "name.h"

/* Immediately, not in a transaction. */
void s3_delete_empty(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);
void s3_delete_tree(const TF_Filesystem *filesystem, const s3_name *name, uint64_t *files,
                    uint64_t *directories, TF_Status *status);

FS_SLOT(delete_file) s3_delete_file;
FS_SLOT(delete_dir) s3_delete_dir;
FS_SLOT(delete_recursively) s3_delete_recursively;

#endif
