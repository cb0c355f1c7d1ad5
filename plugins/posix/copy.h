/* Copying files. */
#ifndef POSIX_COPY_H
#define POSIX_COPY_H

#include <modfs/filesystem.h>
#include <sys/stat.h>

#include "path.h"

void posix_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                     TF_Status *status);

/* Opens a regular file for copying and fills info; returns an error. */
int posix_copy_open(const char *path, int *fd, struct stat *info);

/* Makes a copy of a file at `at`, atomically once it is complete, with the permissions and owner of
 * `like`. Returns an error. */
int posix_copy_put(int from, const struct stat *info, const posix_place *at,
                   const struct stat *like);

#endif
