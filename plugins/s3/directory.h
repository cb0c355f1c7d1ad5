/* Directories: markers, empty objects whose keys end in a slash. */
#ifndef S3_DIRECTORY_H
#define S3_DIRECTORY_H

#include <modfs/filesystem.h>

void s3_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void s3_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                               TF_Status *status);

#endif
