/* Lists a directory: all names at once, or one after the other. */
#ifndef POSIX_LISTING_H
#define POSIX_LISTING_H

#include <modfs/extension.h>
#include <modfs/filesystem.h>

int posix_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                       TF_Status *status);
void posix_open_directory(const TF_Filesystem *filesystem, const char *path,
                          modfs_directory *directory, TF_Status *status);
bool posix_next_entry(const modfs_directory *directory, modfs_directory_entry *entry,
                      TF_Status *status);
void posix_close_directory(modfs_directory *directory);

#endif
