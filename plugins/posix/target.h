/* The file that a copy or a replacement will take the place of. */
#ifndef POSIX_TARGET_H
#define POSIX_TARGET_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "path.h"

typedef struct posix_target {
  posix_place at; /* the file itself, where the path is a link to it */
  char *resolved; /* its path then, owned; else NULL */
  bool exists;
  struct stat was; /* when it exists */
} posix_target;

/* Finds the target of path and checks that it is a regular file or nothing; returns an error.
 * Close is right after a failure, too. */
int posix_target_open(const char *path, posix_target *target);
void posix_target_close(posix_target *target);

/* A fresh name in the directory of at, for the same at.dir; name has room for a whole path. */
int posix_temporary_name(const posix_place *at, char name[4096]);

/* Gives name in dir the permissions and, where that is allowed, the owner that was tells. */
int posix_target_inherit(int dir, const char *name, const struct stat *was);

#endif
