/* Files beside a target, until they take its place. Their names are few and fixed for each target,
 * so that what a killed writer left is found again; a lock tells the living from the dead. */
#ifndef POSIX_TEMPORARY_H
#define POSIX_TEMPORARY_H

#include <sys/types.h>

#include "path.h"

/* Makes an empty file in the directory of at, for the same at.dir, and removes what dead writers of
 * at left there. It is the caller's while fd, or a copy of it, is open: rename or unlink it before
 * that ends. Returns an error. */
int posix_temporary_open(const posix_place *at, mode_t mode, char name[4096], int *fd);

#endif
