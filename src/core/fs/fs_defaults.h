/* Defaults for the slots that a filesystem plugin leaves empty. */
#ifndef MODFS_CORE_FS_DEFAULTS_H
#define MODFS_CORE_FS_DEFAULTS_H

#include "fs.h"

/* Completes all four tables, and records for each slot of the filesystem's where it comes from. */
void defaults_fill(modfs_fs *fs);

/* Completes the extension; the tables are complete. */
void extension_settle(modfs_fs *fs);

/* The longer defaults, each in a file of its own. */
void default_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                    TF_Status *status);
void default_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                                uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                TF_Status *status);
int default_get_matching_paths(const TF_Filesystem *filesystem, const char *glob, char ***entries,
                               TF_Status *status);
void default_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                       TF_Status *status);
void default_get_option(const TF_Filesystem *filesystem, const char *key,
                        TF_Filesystem_Option **option, TF_Status *status);
void default_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                   TF_Status *status);
void default_get_attributes(const TF_Filesystem *filesystem, const char *path,
                            modfs_attributes *attributes, TF_Status *status);
void default_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                         const char *path, uint32_t flags, TF_WritableFile *file,
                         TF_Status *status);

#endif
