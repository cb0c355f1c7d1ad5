/* Deletes objects, directories and trees. */
#ifndef S3_DELETE_H
#define S3_DELETE_H

#include "name.h"

/* Immediately, not in a transaction. */
void s3_delete_empty(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);
void s3_delete_tree(const TF_Filesystem *filesystem, const s3_name *name, uint64_t *files,
                    uint64_t *directories, TF_Status *status);

void s3_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void s3_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void s3_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                           uint64_t *undeleted_files, uint64_t *undeleted_dirs, TF_Status *status);

#endif
