/* The file that a copy or a replacement will replace. */
#ifndef POSIX_TARGET_H
#define POSIX_TARGET_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "path.h"

typedef struct posix_target {
  posix_place at; /* the file itself, also where the path is a link to it */
  char *resolved; /* its path in that case, owned; else NULL */
  bool exists;
  struct stat was; /* when it exists */
} posix_target;

/* Finds the target of path and checks that it is a regular file or does not exist; returns an error.
 * Owns: the caller, posix_target_close, also after a failure. */
int posix_target_open(const char *path, posix_target *target);
void posix_target_close(posix_target *target);

/* Makes a new name in the directory of at, relative to at.dir; name has room for a whole path. */
int posix_temporary_name(const posix_place *at, char name[4096]);

/* Gives name in dir the permissions of `was` and, where that is allowed, its owner and group. */
int posix_target_inherit(int dir, const char *name, const struct stat *was);

#endif
