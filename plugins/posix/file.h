/* Files opened for reading. */
#ifndef POSIX_FILE_H
#define POSIX_FILE_H

#include <modfs/filesystem.h>

void posix_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                  TF_RandomAccessFile *file, TF_Status *status);
int64_t posix_file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                        TF_Status *status);
void posix_file_cleanup(TF_RandomAccessFile *file);

#endif
