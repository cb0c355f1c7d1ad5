/* Directories: markers, empty objects whose keys end in a slash. */
#ifndef S3_DIRECTORY_H
#define S3_DIRECTORY_H

#include "../common/slot/slot.h"
#include "name.h"

/* Creates the directory and its missing parents, immediately. */
void s3_directory_make(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status);

FS_SLOT(create_dir) s3_create_dir;
FS_SLOT(recursively_create_dir) s3_recursively_create_dir;

#endif
