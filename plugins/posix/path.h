/* Paths: from a URI to the kernel. */
#ifndef POSIX_PATH_H
#define POSIX_PATH_H

#include <sys/types.h>

#include "../common/slot/slot.h"

/* The longest path, with its NUL, that is passed to the kernel at once: PATH_MAX less the room
 * for the name of a temporary file beside it. */
enum { POSIX_PATH_STEP = 4096 - 32 };

/* A path as a directory and a name relative to it that is short enough for the kernel. Paths of any
 * length work: the directories of a longer one are opened step by step. */
typedef struct posix_place {
  int dir; /* AT_FDCWD, or a descriptor that the place owns */
  const char *name;
} posix_place;

/* Prepares a directory before it is opened; may change name, but restores it. */
typedef int (*posix_prepare)(int dir, char *name, mode_t mode);

/* Both return an error; prepare may be NULL. Closing is allowed after a failure, too. */
int posix_place_open(const char *path, posix_place *place);
int posix_place_prepare(const char *path, posix_place *place, posix_prepare prepare, mode_t mode);
void posix_place_close(posix_place *place);

/* openat with close-on-exec, repeated when a signal interrupts it. */
int posix_openat(int dir, const char *name, int flags, mode_t mode);

/* Opens a path, whatever its kind, without blocking; returns an error. */
int posix_open(const char *path, int flags, mode_t mode, int *fd);

FS_SLOT(translate_name) posix_translate_name;

#endif
