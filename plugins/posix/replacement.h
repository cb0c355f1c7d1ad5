/* Writing a file, and what happens to its name when it is closed.
 *
 * An atomic file is written to a temporary file in the same directory and takes its name when it is
 * placed; any other has its name from the start. The directory stays open until the file is closed, so
 * that a rename of the path or a change of the working directory cannot separate file and name. A lock
 * keeps other writers from taking the temporary file for a dead writer's; it is released after the
 * rename or the removal. In a forked child, closing one would remove its parent's file: the host calls
 * nothing for it there. */
#ifndef POSIX_REPLACEMENT_H
#define POSIX_REPLACEMENT_H

#include <modfs/extension.h>
#include <sys/types.h>

#include "attributes.h"

typedef struct posix_replacement posix_replacement;

/* Which file to write: path or, where directory is not NULL, the entry of that name in it. */
typedef struct posix_wish {
  const modfs_directory *directory;
  const char *path;
  uint32_t flags; /* of MODFS_OPEN_… */
  mode_t mode;    /* of a new file */
} posix_wish;

/* Opens the file to write to; returns an error. */
int posix_replacement_open(const posix_wish *wish, posix_replacement **made, int *fd);

/* Gives the complete file its name, and syncs the directory where flags ask for it; returns an error.
 * The file keeps the wanted permissions and owner, which are set already, instead of those that it would
 * inherit. */
int posix_replacement_place(posix_replacement *replacement, const posix_wanted *wanted);

/* Closes the replacement and removes a file that was not placed. NULL is allowed. */
void posix_replacement_free(posix_replacement *replacement);

#endif
