/* Queries about paths and entries. */
#ifndef POSIX_STAT_H
#define POSIX_STAT_H

#include <modfs/extension.h>
#include <modfs/filesystem.h>

void posix_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
bool posix_paths_exist(const TF_Filesystem *filesystem, char **paths, int num_files,
                       TF_Status **statuses);
void posix_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
                TF_Status *status);
bool posix_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
int64_t posix_get_file_size(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void posix_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                 TF_Status *status);

#endif
