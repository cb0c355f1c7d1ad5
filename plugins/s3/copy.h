/* Copying and renaming, at the server. */
#ifndef S3_COPY_H
#define S3_COPY_H

#include <modfs/filesystem.h>

void s3_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                  TF_Status *status);
void s3_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                    TF_Status *status);

#endif
