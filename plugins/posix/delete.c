/* Deleting a tree without recursion, with few descriptors, while others may change it.
 *
 * State: a stack of levels, one for each directory between the start and the one worked on, and a stack
 * of names. A level's names are its subdirectories that are still to be deleted, from `names` on; the
 * last one is worked on. levels[0] is the directory that the path starts from; it is neither emptied nor
 * closed.
 *
 * Levels from first_open on have a descriptor, at most MOST_OPEN of them. Closing one notes its device
 * and inode. It is reopened through ".." of the level below, and only if both match: a directory that
 * was moved meanwhile is not followed, and everything still named is counted as undeleted.
 *
 * Going down never follows a link (O_NOFOLLOW relative to the level's descriptor), so no rename by
 * others can make the deletion reach anything outside the tree.
 *
 * Each directory is read once and again only if it turns out not to be empty without a failure below,
 * MOST_VISITS times at most; so the loop ends.
 *
 * Locks: none, all state belongs to one call. Who frees: delete_tree; ascend closes a level's descriptor
 * when it leaves. Fork: nothing outlives the call. */
#include "delete.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "../common/interrupt/interrupt.h"
#include "path.h"
#include "scan.h"

enum {
  MOST_OPEN = 8,   /* descriptors of directories at a time */
  MOST_VISITS = 8, /* of a directory that others keep filling, or whose listing omits entries */
};

/* A directory that is being emptied. Its subdirectories are on the stack of names from
 * `names` on; the last of them is worked on. */
typedef struct level {
  int fd;
  dev_t device; /* device and inode: set when fd was closed */
  ino_t inode;
  size_t names;
  uint64_t failures; /* number of failures when it was entered */
  int visits;        /* of the subdirectory that is worked on */
} level;

/* levels[0] is where the path starts from: neither emptied nor closed. */
typedef struct deletion {
  level *levels;
  size_t depth, room;
  size_t first_open; /* levels from here on have a descriptor */
  char *names;
  size_t filled, space;
  posix_scan *scan;
  uint64_t files, dirs; /* that could not be deleted */
  int error;            /* the first one */
} deletion;

static level *top_level(const deletion *self) {
  return &self->levels[self->depth - 1];
}

static void note_error(deletion *self, int error) {
  if (self->error == 0) self->error = error;
}

static void count_directory(deletion *self, int error) {
  self->dirs++;
  note_error(self, error);
}

static bool names_push(deletion *self, const char *name) {
  size_t length = strlen(name) + 1;
  if (self->space - self->filled < length) {
    size_t space = 2 * self->space + length;
    char *names = realloc(self->names, space);
    if (names == NULL) return false;
    self->names = names;
    self->space = space;
  }
  memcpy(self->names + self->filled, name, length);
  self->filled += length;
  return true;
}

/* The name on top of the stack, which must not be empty. */
static char *names_top(const deletion *self) {
  size_t start = self->filled - 1;
  while (start > 0 && self->names[start - 1] != '\0')
    start--;
  return self->names + start;
}

static void names_pop(deletion *self) {
  self->filled = (size_t)(names_top(self) - self->names);
  top_level(self)->visits = 0;
}

/* Closes the descriptor of the level nearest to the start, but never that of the current level. */
static bool close_highest(deletion *self) {
  if (self->first_open + 1 >= self->depth) return false;
  level *highest = &self->levels[self->first_open];
  struct stat info;
  if (fstat(highest->fd, &info) != 0) return false;
  highest->device = info.st_dev;
  highest->inode = info.st_ino;
  close(highest->fd);
  self->first_open++;
  return true;
}

static bool levels_push(deletion *self, int fd) {
  if (self->depth == self->room) {
    size_t room = self->room > 0 ? 2 * self->room : 16;
    level *levels = realloc(self->levels, room * sizeof *levels);
    if (levels == NULL) return false;
    self->levels = levels;
    self->room = room;
  }
  self->levels[self->depth++] =
      (level){.fd = fd, .names = self->filled, .failures = self->files + self->dirs};
  if (self->depth - self->first_open > MOST_OPEN) close_highest(self);
  return true;
}

/* Deletes an entry that is not a directory; returns false when it is one. */
static bool delete_entry(deletion *self, int dir, const char *name) {
  if (unlinkat(dir, name, 0) == 0 || errno == ENOENT) return true;
  if (errno == EISDIR) return false;
  note_error(self, errno);
  self->files++;
  return true;
}

/* Deletes all entries that are not directories, and stacks the names of those that are. */
static void empty_level(deletion *self) {
  int dir = top_level(self)->fd;
  const struct dirent64 *entry;
  posix_scan_start(self->scan, dir);
  for (;;) {
    int error = posix_scan_next(self->scan, &entry);
    if (error != 0) note_error(self, error); /* counted if the directory cannot be deleted */
    if (error != 0 || entry == NULL) return;
    if (interrupt_is_wanted()) return;
    bool done = entry->d_type != DT_DIR && delete_entry(self, dir, entry->d_name);
    if (!done && !names_push(self, entry->d_name)) count_directory(self, ENOMEM);
  }
}

static int open_below(deletion *self, const char *name) {
  for (;;) {
    int fd = posix_openat(top_level(self)->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    bool full = fd < 0 && (errno == EMFILE || errno == ENFILE);
    if (!full || !close_highest(self)) return fd;
  }
}

/* Deletes the directory on top of the names; reason: why it was not emptied, 0: it was. */
static void remove_directory(deletion *self, uint64_t failures, int reason) {
  level *parent = top_level(self);
  int removed = unlinkat(parent->fd, names_top(self), AT_REMOVEDIR);
  int error = removed == 0 || errno == ENOENT ? 0 : errno;
  bool untouched = self->files + self->dirs == failures && reason == 0;
  if ((error == ENOTEMPTY || error == EEXIST) && untouched && ++parent->visits < MOST_VISITS) {
    return; /* an entry was created, or was not listed: visit it again */
  }
  if (error != 0) count_directory(self, reason != 0 ? reason : error);
  names_pop(self);
}

static void descend(deletion *self) {
  int fd = open_below(self, names_top(self));
  int error = fd < 0 ? errno : 0;
  if (error == ENOTDIR || error == ELOOP) { /* no directory any more */
    if (!delete_entry(self, top_level(self)->fd, names_top(self))) count_directory(self, error);
    names_pop(self);
  } else if (error != 0) {
    remove_directory(self, 0, error);
  } else if (!levels_push(self, fd)) {
    close(fd);
    remove_directory(self, 0, ENOMEM);
  } else {
    empty_level(self);
  }
}

/* Reopens the current level's directory through its child. */
static int reopen_parent(deletion *self, int child) {
  level *parent = top_level(self);
  struct stat info;
  int fd = posix_openat(child, "..", O_PATH | O_DIRECTORY, 0);
  if (fd < 0) return errno;
  if (fstat(fd, &info) != 0 || info.st_dev != parent->device || info.st_ino != parent->inode) {
    close(fd);
    return ESTALE; /* it was moved: whatever ".." is now must not be deleted from */
  }
  parent->fd = fd;
  self->first_open = self->depth - 1;
  return 0;
}

/* Stops: counts everything still named as undeleted. */
static void abandon(deletion *self, int error) {
  for (; self->filled > 0; self->filled = (size_t)(names_top(self) - self->names)) {
    count_directory(self, error);
  }
  self->depth = 1;
}

static void ascend(deletion *self) {
  level done = *top_level(self);
  self->depth--;
  int error = 0;
  if (self->depth > 1 && self->first_open >= self->depth) error = reopen_parent(self, done.fd);
  close(done.fd);
  if (self->first_open > self->depth) self->first_open = self->depth;
  if (error != 0) {
    abandon(self, error);
  } else {
    remove_directory(self, done.failures, 0);
  }
}

/* Closes the descriptors of all levels but the first. */
static void close_levels(deletion *self) {
  for (size_t i = self->first_open > 1 ? self->first_open : 1; i < self->depth; i++)
    close(self->levels[i].fd);
  self->first_open = self->depth = 1;
}

static void delete_all(deletion *self) {
  while (self->filled > 0) {
    if (interrupt_is_wanted()) {
      close_levels(self);
      abandon(self, ECANCELED);
      return;
    }
    bool below = self->filled > top_level(self)->names;
    if (below) {
      descend(self);
    } else {
      ascend(self);
    }
  }
}

static int delete_tree(const posix_place *at, uint64_t *files, uint64_t *dirs) {
  deletion self = {.first_open = 1, .scan = calloc(1, sizeof *self.scan)};
  int error = ENOMEM;
  if (self.scan != NULL && levels_push(&self, at->dir) && names_push(&self, at->name)) {
    delete_all(&self);
    *files = self.files;
    *dirs = self.dirs;
    error = self.files + self.dirs > 0 ? self.error : 0;
  }
  if (self.scan != NULL) posix_scan_rest(self.scan);
  free(self.scan);
  free(self.levels);
  free(self.names);
  return error;
}

/* Deletes by the directory that the last name lies in: a link on the way may be deleted before it.
 * That takes a descriptor more, without which only such a link would be missed. */
static int delete_below(const posix_place *at, uint64_t *files, uint64_t *dirs) {
  char *path = strdup(at->name);
  if (path == NULL) return ENOMEM;
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/')
    path[--length] = '\0';
  char *slash = strrchr(path, '/');
  posix_place parent = {.name = slash != NULL ? slash + 1 : path};
  const char *above = slash == NULL ? "." : slash == path ? "/" : path;
  if (slash != NULL) *slash = '\0';
  parent.dir = posix_openat(at->dir, above, O_PATH | O_DIRECTORY, 0);
  int error = parent.dir < 0 ? errno : delete_tree(&parent, files, dirs);
  if (parent.dir >= 0) close(parent.dir);
  if (error == EMFILE || error == ENFILE) error = delete_tree(at, files, dirs);
  free(path);
  return error;
}

static bool ends_in_dots(const char *name) {
  size_t length = strlen(name);
  while (length > 0 && name[length - 1] == '/')
    length--;
  return length >= 2 && strncmp(name + length - 2, "..", 2) == 0 &&
         (length == 2 || name[length - 3] == '/');
}

/* Deletes a file or an empty directory in one call. What cannot be deleted itself ("/", ".", a mount
 * point) fails here, before anything below it is deleted: only ENOTEMPTY means a tree. */
static int delete_single(const posix_place *at) {
  if (ends_in_dots(at->name)) return EBUSY;
  if (unlinkat(at->dir, at->name, AT_REMOVEDIR) == 0) return 0;
  if (errno == ENOTDIR) return unlinkat(at->dir, at->name, 0) == 0 ? 0 : errno;
  return errno == EEXIST ? ENOTEMPTY : errno;
}

void posix_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                              uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                              TF_Status *status) {
  (void)filesystem;
  *undeleted_files = 0;
  *undeleted_dirs = 1;
  posix_place at;
  int error = posix_place_open(path, &at);
  if (error == 0) error = delete_single(&at);
  if (error == 0) *undeleted_dirs = 0;
  if (error == ENOTEMPTY) error = delete_below(&at, undeleted_files, undeleted_dirs);
  posix_place_close(&at);
  posix_report(status, error);
}
