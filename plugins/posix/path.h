/* Paths: from a URI to the kernel. */
#ifndef POSIX_PATH_H
#define POSIX_PATH_H

#include <errno.h>
#include <fcntl.h>
#include <string.h>
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

/* Opens a place, and each directory on the way as it was prepared; prepare may be NULL. Returns an
 * error; closing is allowed after a failure, too. */
int posix_place_prepare(const char *path, posix_place *place, posix_prepare prepare, mode_t mode);
void posix_place_leave(posix_place *place);

/* Most paths are short and no URIs: their place is the path itself. Each call after a system call
 * costs a return that the processor cannot predict, hence inline. */
static inline int posix_place_open(const char *path, posix_place *place) {
  if (*path == 'f' || strnlen(path, POSIX_PATH_STEP) == POSIX_PATH_STEP)
    return posix_place_prepare(path, place, NULL, 0);
  *place = (posix_place){AT_FDCWD, path};
  return 0;
}

static inline void posix_place_close(posix_place *place) {
  if (place->dir != AT_FDCWD) posix_place_leave(place);
}

/* openat with close-on-exec, repeated when a signal interrupts it. */
static inline int posix_openat(int dir, const char *name, int flags, mode_t mode) {
  int fd;
  do {
    fd = openat(dir, name, flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

/* Opens a path, whatever its kind, without blocking; returns an error. */
static inline int posix_open(const char *path, int flags, mode_t mode, int *fd) {
  posix_place at;
  int error = posix_place_open(path, &at);
  if (error == 0) {
    *fd = posix_openat(at.dir, at.name, flags | O_NONBLOCK | O_NOCTTY, mode);
    if (*fd < 0) error = errno;
  }
  posix_place_close(&at);
  return error;
}

FS_SLOT(translate_name) posix_translate_name;

#endif
