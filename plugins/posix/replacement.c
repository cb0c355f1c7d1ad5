/* Writing a file for a name, and placing it.
 *
 * States: named (not atomic; the file has its name from the start, `temporary` is NULL); beside (atomic;
 * the file is in `temporary`, in the same directory); placed (renamed; `temporary` is NULL again).
 * posix_replacement_place is the only way from beside to placed; free removes a file that is still
 * beside its name.
 *
 * `dir` stays open all the time and every call is relative to it, so the file, its temporary name and
 * its name stay in one directory, even if a path above is renamed.
 *
 * Locks: no mutex; one thread at a time works on a replacement. `lock` is a duplicate of the file's
 * descriptor and keeps its flock, which tells other writers, in any process, that the temporary file is
 * in use (temporary.c). It is closed after the rename or the removal.
 *
 * Who frees: posix_replacement_free closes `dir` and `lock`; the descriptor of the file is the caller's.
 * Fork: a child shares the descriptors and would remove its parent's file; the host calls nothing for
 * such a file in a child. */
#include "replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "path.h"
#include "scan.h"
#include "target.h"
#include "temporary.h"

struct posix_replacement {
  int dir;
  int lock; /* descriptor that keeps the flock of the temporary file; else -1 */
  uint32_t flags;
  char *temporary; /* NULL: none, or placed */
  char name[];
};

static bool has(const posix_replacement *self, uint32_t flag) {
  return (self->flags & flag) != 0;
}

/* What has the name now: a regular file or nothing, if it may be replaced. */
typedef struct standing {
  bool exists;
  struct stat info;
} standing;

static int look(const posix_replacement *self, standing *what) {
  what->exists = fstatat(self->dir, self->name, &what->info, AT_SYMLINK_NOFOLLOW) == 0;
  if (!what->exists) return errno == ENOENT ? 0 : errno;
  if (has(self, MODFS_OPEN_NEW)) return EEXIST;
  if (S_ISREG(what->info.st_mode)) return 0;
  return S_ISDIR(what->info.st_mode) ? EISDIR : POSIX_NOT_A_FILE;
}

/* Finding the directory ------------------------------------------------------ */

static int replacement_new(int dir, const char *name, uint32_t flags, posix_replacement **made) {
  size_t size = strlen(name) + 1;
  if (size == 1) return ENOENT;
  posix_replacement *self = calloc(1, sizeof *self + size);
  if (self == NULL) return ENOMEM;
  self->dir = dir;
  self->lock = -1;
  self->flags = flags;
  memcpy(self->name, name, size);
  *made = self;
  return 0;
}

/* Opens the parent directory. One that is not readable is opened by O_PATH: it can be written to, but
 * not synced, so not with MODFS_OPEN_DURABLE. */
static int open_parent(const posix_place *at, uint32_t flags, const char **name, int *dir) {
  char parent[POSIX_PATH_STEP] = ".";
  const char *slash = strrchr(at->name, '/');
  if (slash != NULL) {
    memcpy(parent, at->name, (size_t)(slash + 1 - at->name));
    parent[slash + 1 - at->name] = '\0';
  }
  *name = slash == NULL ? at->name : slash + 1;
  *dir = posix_openat(at->dir, parent, O_RDONLY | O_DIRECTORY, 0);
  if (*dir < 0 && errno == EACCES && (flags & MODFS_OPEN_DURABLE) == 0)
    *dir = posix_openat(at->dir, parent, O_PATH | O_DIRECTORY, 0);
  return *dir < 0 ? errno : 0;
}

static int new_at(const posix_place *at, uint32_t flags, posix_replacement **made) {
  const char *name;
  int dir;
  int error = open_parent(at, flags, &name, &dir);
  if (error != 0) return error;
  error = replacement_new(dir, name, flags, made);
  if (error != 0) close(dir);
  return error;
}

/* Follows a link at the path, except when the file must be new. */
static int new_of_path(const posix_wish *wish, posix_replacement **made) {
  posix_target target = {.at = {.dir = AT_FDCWD}, .resolved = NULL};
  bool follows = (wish->flags & MODFS_OPEN_NEW) == 0;
  int error =
      follows ? posix_target_open(wish->path, &target) : posix_place_open(wish->path, &target.at);
  if (error == 0) error = new_at(&target.at, wish->flags, made);
  posix_target_close(&target);
  return error;
}

static int new_of_entry(const posix_wish *wish, posix_replacement **made) {
  const posix_scan *scan = wish->directory->plugin_directory;
  int dir = fcntl(scan->fd, F_DUPFD_CLOEXEC, 0);
  if (dir < 0) return errno;
  int error = replacement_new(dir, wish->path, wish->flags, made);
  if (error != 0) close(dir);
  return error;
}

/* Opening the file ----------------------------------------------------------- */

/* The temporary file is private (0600) until it inherits the permissions of the file that it replaces.
 * A file that may not be written to is not replaced either. */
static int open_temporary(posix_replacement *self, const standing *what, mode_t mode, int *fd) {
  const posix_place at = {self->dir, self->name};
  char name[4096];
  if (what->exists && faccessat(self->dir, self->name, W_OK, AT_EACCESS) != 0) return errno;
  int error = posix_temporary_open(&at, what->exists ? 0600 : mode, name, fd);
  if (error != 0) return error;
  self->lock = fcntl(*fd, F_DUPFD_CLOEXEC, 0);
  self->temporary = self->lock >= 0 ? strdup(name) : NULL;
  if (self->temporary != NULL) return 0;
  error = errno;
  unlinkat(self->dir, name, 0);
  close(*fd);
  return error;
}

static int open_named(const posix_replacement *self, mode_t mode, int *fd) {
  int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  flags |= has(self, MODFS_OPEN_NEW) ? O_EXCL : O_TRUNC;
  *fd = posix_openat(self->dir, self->name, flags, mode);
  return *fd < 0 ? errno : 0;
}

static int open_file(posix_replacement *self, mode_t mode, int *fd) {
  standing what;
  if (!has(self, MODFS_OPEN_ATOMIC)) return open_named(self, mode, fd);
  int error = look(self, &what);
  return error == 0 ? open_temporary(self, &what, mode, fd) : error;
}

int posix_replacement_open(const posix_wish *wish, posix_replacement **made, int *fd) {
  posix_replacement *self = NULL;
  int error = wish->directory != NULL ? new_of_entry(wish, &self) : new_of_path(wish, &self);
  if (error == 0) error = open_file(self, wish->mode, fd);
  if (error == 0)
    *made = self;
  else
    posix_replacement_free(self);
  return error;
}

/* Placing -------------------------------------------------------------------- */

/* Takes a name that does not exist. Not every filesystem supports RENAME_NOREPLACE; link does the same. */
static int take_new_name(const posix_replacement *self) {
  if (renameat2(self->dir, self->temporary, self->dir, self->name, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (linkat(self->dir, self->temporary, self->dir, self->name, 0) != 0) return errno;
  unlinkat(self->dir, self->temporary, 0);
  return 0;
}

/* Through the descriptor of the lock, which is the file's. */
static int inherit(const posix_replacement *self, const standing *what,
                   const posix_wanted *wanted) {
  int error = posix_target_inherit(self->dir, self->temporary, &what->info);
  if (error != 0 || wanted->which == 0) return error;
  return posix_wanted_set(wanted, self->lock, POSIX_OWNERS | MODFS_ATTRIBUTE_MODE);
}

static int take_name(posix_replacement *self, const posix_wanted *wanted) {
  standing what;
  int error = look(self, &what);
  if (error == 0 && what.exists) error = inherit(self, &what, wanted);
  if (error != 0) return error;
  if (has(self, MODFS_OPEN_NEW)) {
    error = take_new_name(self);
  } else if (renameat(self->dir, self->temporary, self->dir, self->name) != 0) {
    error = errno;
  }
  if (error == 0) {
    free(self->temporary);
    self->temporary = NULL;
  }
  return error;
}

int posix_replacement_place(posix_replacement *self, const posix_wanted *wanted) {
  int error = self->temporary != NULL ? take_name(self, wanted) : 0;
  if (error != 0 || !has(self, MODFS_OPEN_DURABLE)) return error;
  do {
    error = fsync(self->dir);
  } while (error != 0 && errno == EINTR);
  if (error == 0) return 0;
  return errno == EINVAL ? POSIX_NO_SYNC : errno;
}

void posix_replacement_free(posix_replacement *self) {
  if (self == NULL) return;
  if (self->temporary != NULL) unlinkat(self->dir, self->temporary, 0);
  free(self->temporary);
  if (self->lock >= 0) close(self->lock);
  close(self->dir);
  free(self);
}
