/* Temporary files beside a target, shared by all processes that write to the directory.
 *
 * A target has numbered slots, whose names depend on its name alone. A slot is absent; alive: its
 * writer holds an exclusive flock on the file; or dead: the file exists and nobody holds its lock,
 * because the kernel released it when its writer died.
 *
 * Rule: a file with a slot's name belongs to whoever holds its lock. A writer creates it with O_EXCL and
 * locks it then. In between another process may take it for dead and remove it, so the writer checks
 * that the file still has a link, and else tries again. A sweeper locks first and checks that the
 * name is still that file before it removes it; nobody else can then remove or replace it.
 *
 * Where flock is not supported, no file counts as dead and none is removed.
 *
 * Locks: flock alone, never waited for. No state in memory, so any thread may call. Who frees: the
 * writer, by rename or unlink before its last descriptor is closed; else the next writer's sweep.
 * Fork: a child's descriptors share the lock, so a file stays alive until both processes have closed it. */
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

/* Each opening checks the slots below SWEPT, and further ones as long as there is no gap. */
enum { SWEPT = 8, MOST = 10000 };

/* FNV-1a: gives targets of one directory different names, of one length. */
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

/* EEXIST: the slot is another writer's, or was swept before it was locked. */
static int claim(int dir, const char *name, mode_t mode, int *fd) {
  struct stat info;
  *fd = posix_openat(dir, name, O_WRONLY | O_CREAT | O_EXCL, mode);
  if (*fd < 0) return errno;
  bool taken = flock(*fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  int error = taken ? EEXIST : fstat(*fd, &info) != 0 ? errno : info.st_nlink == 0 ? EEXIST : 0;
  if (error != 0) close(*fd);
  if (error != 0 && error != EEXIST) unlinkat(dir, name, 0);
  return error;
}

static bool is_named(int fd, int dir, const char *name) {
  struct stat opened;
  struct stat named;
  return fstat(fd, &opened) == 0 && S_ISREG(opened.st_mode) &&
         fstatat(dir, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

typedef enum slot_state { ABSENT, ALIVE, REMOVED, UNKNOWN } slot_state;

/* Removes a dead writer's file: one that can be locked and still has its name afterwards. */
static slot_state sweep(int dir, const char *name) {
  int fd = posix_openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
  if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOMEM)) return UNKNOWN;
  if (fd < 0) return errno == ENOENT ? ABSENT : ALIVE;
  bool dead = flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(fd, dir, name);
  bool removed = dead && unlinkat(dir, name, 0) == 0;
  close(fd);
  return removed ? REMOVED : ALIVE;
}

static void sweep_from(const posix_place *at, unsigned slot) {
  char name[4096];
  slot_state state = ABSENT;
  while ((slot < SWEPT || state != ABSENT) && state != UNKNOWN && slot < MOST &&
         name_slot(at, slot, name) == 0) {
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
