/* Directories: markers, empty objects whose keys end in a slash. */
#ifndef S3_DIRECTORY_H
#define S3_DIRECTORY_H

#include "name.h"

/* Creates the directory and its missing parents, immediately. */
bool s3_directory_make(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

void s3_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void s3_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                               TF_Status *status);

#endif
