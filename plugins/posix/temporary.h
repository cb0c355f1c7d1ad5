/* Temporary files beside a target, until they replace it. Each target has few, fixed names for them, so
 * that files of killed writers are found again; a lock tells whether a writer is alive. */
#ifndef POSIX_TEMPORARY_H
#define POSIX_TEMPORARY_H

#include <sys/types.h>

#include "path.h"

/* Creates an empty file in the directory of at, named relative to at.dir, and removes files that dead
 * writers of at have left there. It is the caller's as long as fd, or a duplicate, is open: rename or
 * unlink it before closing the last one. Returns an error. */
int posix_temporary_open(const posix_place *at, mode_t mode, char name[4096], int *fd);

#endif
