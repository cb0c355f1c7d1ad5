/* Checks many paths in parallel. */
#ifndef S3_EXISTS_H
#define S3_EXISTS_H

#include "../common/slot/slot.h"

FS_SLOT(paths_exist) s3_paths_exist;

#endif
