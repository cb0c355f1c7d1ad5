#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Slots below SWEPT are looked at by every opening, later ones while they follow each other. */
enum { SWEPT = 8, MOST = 10000 };

/* FNV-1a: targets of one directory get names of their own, of one length. */
static uint64_t hash_name(const char *name) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (; *name != '\0'; name++)
    hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
  return hash;
}

static int name_slot(const posix_place *at, unsigned slot, char name[4096]) {
  const char *slash = strrchr(at->name, '/');
  const char *base = slash == NULL ? at->name : slash + 1;
  int length = snprintf(name, 4096, "%.*s.modfs-%016" PRIx64 "-%u", (int)(base - at->name),
                        at->name, hash_name(base), slot);
  return length < 4096 ? 0 : ENAMETOOLONG;
}

/* EEXIST: the slot is another writer's, or somebody took this one for dead before it was locked.
 * Where there are no locks nobody is taken for dead. */
static int claim(int dir, const char *name, mode_t mode, int *fd) {
  struct stat info;
  *fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (*fd < 0) return errno;
  bool taken = flock(*fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (!taken && fstat(*fd, &info) == 0 && info.st_nlink > 0) return 0;
  close(*fd);
  return EEXIST;
}

static bool is_named(int fd, int dir, const char *name) {
  struct stat opened;
  struct stat named;
  return fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) &&
         fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

typedef enum slot_state { ABSENT, ALIVE, REMOVED } slot_state;

/* Removes a dead writer's file: one that can be locked, and still has its name then. */
static slot_state sweep(int dir, const char *name) {
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT ? ABSENT : ALIVE;
  bool dead = flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, dir, name);
  bool removed = dead && unlinkat(dir, name, 0) == 0;
  close(fd);
  return removed ? REMOVED : ALIVE;
}

static void sweep_from(const posix_place *at, unsigned slot) {
  char name[4096];
  slot_state state = ABSENT;
  while ((slot < SWEPT || state != ABSENT) && slot < MOST && name_slot(at, slot, name) == 0) {
    state = sweep(at->dir, name);
    slot++;
  }
}

int posix_temporary_open(const posix_place *at, mode_t mode, char name[4096], int *fd) {
  int error = EEXIST;
  unsigned slot = 0;
  for (; error == EEXIST && slot < MOST; slot++) {
    error = name_slot(at, slot, name);
    if (error == 0) error = claim(at->dir, name, mode, fd);
    if (error == EEXIST && sweep(at->dir, name) == REMOVED) error = claim(at->dir, name, mode, fd);
  }
  if (error == 0) sweep_from(at, slot);
  return error;
}
