/* A file opened for reading: one version of an object. */
#ifndef S3_FILE_H
#define S3_FILE_H

#include "../common/slot/slot.h"

FS_SLOT(new_random_access_file) s3_new_random_access_file;
FS_SLOT(new_read_only_memory_region_from_file) s3_new_read_only_memory_region_from_file;
EXTENSION_SLOT(reader_attributes) s3_reader_attributes;

extern const TF_RandomAccessFileOps s3_file_ops;

#endif
