/* Deleting. */
#ifndef S3_DELETE_H
#define S3_DELETE_H

#include <modfs/filesystem.h>

void s3_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void s3_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void s3_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                           uint64_t *undeleted_files, uint64_t *undeleted_dirs, TF_Status *status);

#endif
