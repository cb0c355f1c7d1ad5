/* Checks many paths in parallel. */
#ifndef S3_EXISTS_H
#define S3_EXISTS_H

#include <modfs/filesystem.h>

bool s3_paths_exist(const TF_Filesystem *filesystem, char **paths, int num_files,
                    TF_Status **statuses);

#endif
