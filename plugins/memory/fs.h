/* The operations of a filesystem that change or query the tree; see the tables in modfs. */
#ifndef MEMORY_FS_H
#define MEMORY_FS_H

#include <modfs/extension.h>

/* create.c */
void memory_fs_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void memory_fs_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                      TF_Status *status);

/* delete.c */
void memory_fs_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void memory_fs_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
void memory_fs_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                                  uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                  TF_Status *status);

/* move.c */
void memory_fs_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                           TF_Status *status);
void memory_fs_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                         TF_Status *status);

/* query.c */
void memory_fs_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
bool memory_fs_paths_exist(const TF_Filesystem *filesystem, char **paths, int num_files,
                           TF_Status **statuses);
void memory_fs_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
                    TF_Status *status);
bool memory_fs_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status);
int64_t memory_fs_get_file_size(const TF_Filesystem *filesystem, const char *path,
                                TF_Status *status);
void memory_fs_lstat(const TF_Filesystem *filesystem, const char *path,
                     modfs_attributes *attributes, TF_Status *status);

/* listing.c */
int memory_fs_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                           TF_Status *status);
void memory_fs_open_directory(const TF_Filesystem *filesystem, const char *path,
                              modfs_directory *directory, TF_Status *status);
bool memory_fs_next_entry(const modfs_directory *directory, modfs_directory_entry *entry,
                          TF_Status *status);
void memory_fs_close_directory(modfs_directory *directory);

/* matching.c */
int memory_fs_get_matching_paths(const TF_Filesystem *filesystem, const char *pattern,
                                 char ***entries, TF_Status *status);

/* configuration.c */
void memory_fs_get_filesystem_configuration(const TF_Filesystem *filesystem,
                                            TF_Filesystem_Option **options, int *num_options,
                                            TF_Status *status);
void memory_fs_set_filesystem_configuration(const TF_Filesystem *filesystem,
                                            const TF_Filesystem_Option *options, int num_options,
                                            TF_Status *status);
void memory_fs_get_filesystem_configuration_option(const TF_Filesystem *filesystem, const char *key,
                                                   TF_Filesystem_Option **option,
                                                   TF_Status *status);
void memory_fs_set_filesystem_configuration_option(const TF_Filesystem *filesystem,
                                                   const TF_Filesystem_Option *option,
                                                   TF_Status *status);

#endif
