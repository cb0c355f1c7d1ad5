/* A file opened for reading: one version of an object. */
#ifndef S3_FILE_H
#define S3_FILE_H

#include <modfs/filesystem.h>

void s3_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                               TF_RandomAccessFile *file, TF_Status *status);
int64_t s3_file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                     TF_Status *status);
void s3_file_cleanup(TF_RandomAccessFile *file);
void s3_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                              TF_ReadOnlyMemoryRegion *region, TF_Status *status);

#endif
