/* Copying files. */
#ifndef POSIX_COPY_H
#define POSIX_COPY_H

#include <sys/stat.h>

#include "../common/slot/slot.h"
#include "path.h"

FS_SLOT(copy_file) posix_copy_file;

/* Opens a regular file for copying and fills info; returns an error. */
int posix_copy_open(const char *path, int *fd, struct stat *info);

/* Makes a copy of a file at `at`, atomically once it is complete, with the permissions and owner of
 * `like`. Returns an error. */
int posix_copy_put(int from, const struct stat *info, const posix_place *at,
                   const struct stat *like);

#endif
