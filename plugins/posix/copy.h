/* Copying files. */
#ifndef POSIX_COPY_H
#define POSIX_COPY_H

#include <stdatomic.h>
#include <sys/stat.h>

#include "../common/slot/slot.h"
#include "path.h"

FS_SLOT(copy_file) posix_copy_file;

/* A regular file that is open for copying. */
typedef struct posix_source {
  int fd;
  struct stat info;
  uint64_t wanted; /* which of MODE, MTIME and ATIME the copy is to have, the mode without set-id */
  uint64_t kept;   /* those that the copy has: what cannot be set is no failure */
  atomic_uint *left; /* of the target's directory, see scan.h; NULL: not known */
} posix_source;

/* Opens a file for copying, with nothing wanted; returns an error. */
int posix_copy_open(const char *path, posix_source *source);

/* Makes a copy of a file at `at`, atomically once it is complete, with the owner of `like`, its
 * permissions, and what is wanted. Returns an error. */
int posix_copy_put(posix_source *source, const posix_place *at, const struct stat *like);

#endif
