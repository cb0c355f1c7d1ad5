/* Finds the paths that match a pattern. */
#ifndef S3_GLOB_H
#define S3_GLOB_H

#include <modfs/filesystem.h>

int s3_get_matching_paths(const TF_Filesystem *filesystem, const char *glob, char ***entries,
                          TF_Status *status);

#endif
