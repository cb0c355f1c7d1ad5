/* Paths: from a URI to the kernel. */
#ifndef POSIX_PATH_H
#define POSIX_PATH_H

#include <modfs/filesystem.h>
#include <sys/types.h>

/* The longest path, with its NUL, that goes to the kernel in one piece: below
 * PATH_MAX by what the name of a temporary file beside it may need. */
enum { POSIX_PATH_STEP = 4096 - 32 };

/* Where a path is: a directory, and a name from there that the kernel can take.
 * Paths of any length work: what is too long for one call is walked to. */
typedef struct posix_place {
  int dir; /* AT_FDCWD, or a descriptor of the place's own */
  const char *name;
} posix_place;

/* Makes a directory ready to be walked into; may write into name, but restores it. */
typedef int (*posix_prepare)(int dir, char *name, mode_t mode);

/* Both return an error; prepare may be NULL. Close is right after a failure, too. */
int posix_place_open(const char *path, posix_place *place);
int posix_place_prepare(const char *path, posix_place *place, posix_prepare prepare, mode_t mode);
void posix_place_close(posix_place *place);

/* Opens a path, whatever is there, without blocking on it; returns an error. */
int posix_open(const char *path, int flags, mode_t mode, int *fd);

char *posix_translate_name(const TF_Filesystem *filesystem, const char *uri);

#endif
