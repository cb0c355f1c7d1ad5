/* Files opened for reading: the table's operations. */
#ifndef HTTP_FILE_H
#define HTTP_FILE_H

#include <modfs/filesystem.h>

void http_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                 TF_RandomAccessFile *file, TF_Status *status);
int64_t http_file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                       TF_Status *status);
void http_file_cleanup(TF_RandomAccessFile *file);
void http_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                TF_ReadOnlyMemoryRegion *region, TF_Status *status);

#endif
