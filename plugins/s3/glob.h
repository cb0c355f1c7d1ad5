/* Finds the paths that match a pattern. */
#ifndef S3_GLOB_H
#define S3_GLOB_H

#include "../common/slot/slot.h"

FS_SLOT(get_matching_paths) s3_get_matching_paths;

#endif
