/* Creates directories, deletes single entries, syncs directories. */
#ifndef POSIX_DIRECTORY_H
#define POSIX_DIRECTORY_H

#include <modfs/filesystem.h>

void posix_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void posix_create_private_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void posix_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                  TF_Status *status);
void posix_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void posix_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);

#endif
