/* A file that is written for a name, and what becomes of the name when it is closed.
 *
 * An atomic one is written beside its name, in a temporary file of the same directory, and takes the
 * name when it is placed; any other has its name from the start. The directory stays open until the
 * end, so that the file, its temporary and its name stay together, whoever renames the path meanwhile
 * and wherever the process changes its directory to. `lock` keeps other writers from taking the
 * temporary file for a dead writer's: it is released after the rename or the removal. A child of fork
 * that ended one would end its parent's: the host calls nothing for it there. */
#ifndef POSIX_REPLACEMENT_H
#define POSIX_REPLACEMENT_H

#include <modfs/extension.h>
#include <sys/types.h>

typedef struct posix_replacement posix_replacement;

/* Where a file is to be: path, or the name of an entry of directory where that is not NULL. */
typedef struct posix_wish {
  const modfs_directory *directory;
  const char *path;
  uint32_t flags; /* of MODFS_OPEN_… */
  mode_t mode;    /* of a new file */
} posix_wish;

/* Opens the file to write to; returns an error. */
int posix_replacement_open(const posix_wish *wish, posix_replacement **made, int *fd);

/* Puts the complete file, synced where that is wished for, in its place; returns an error. */
int posix_replacement_place(posix_replacement *replacement);

/* Removes what has not taken its place. NULL is allowed. */
void posix_replacement_free(posix_replacement *replacement);

#endif
