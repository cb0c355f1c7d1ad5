/* Files open for reading: the table's operations.
 *
 * An open file references the content at the time of opening; reads within it take no
 * lock. Reads beyond its end look at the node, which may have grown. */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <modfs/filesystem.h>

void memory_fs_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                      TF_RandomAccessFile *file, TF_Status *status);
void memory_file_cleanup(TF_RandomAccessFile *file);
int64_t memory_file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                         TF_Status *status);

#endif
