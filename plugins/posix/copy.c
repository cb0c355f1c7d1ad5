#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "entry.h"
#include "error.h"
#include "scan.h"
#include "target.h"
#include "temporary.h"
#include "transfer.h"

enum { MOST_TRIES = 1000 };

/* Checks that an open file can be copied; otherwise closes it and returns an error. */
static int copy_inspect(int fd, struct stat *info) {
  int error = 0;
  if (fstat(fd, info) != 0) {
    error = errno;
  } else if (S_ISDIR(info->st_mode)) {
    error = EISDIR;
  } else if (!S_ISREG(info->st_mode)) {
    error = POSIX_NOT_A_FILE;
  }
  if (error != 0) close(fd);
  return error;
}

int posix_copy_open(const char *path, int *fd, struct stat *info) {
  int error = posix_open(path, O_RDONLY, 0, fd);
  return error != 0 ? error : copy_inspect(*fd, info);
}

static int copy_create(const posix_place *at, mode_t mode) {
  return posix_openat(at->dir, at->name, O_WRONLY | O_CREAT | O_EXCL, mode);
}

/* A name that does not exist is written in place: nothing can be damaged, and it costs half as much as
 * a temporary file. Returns EEXIST when the name exists. */
static int copy_new(int from, const struct stat *info, const posix_place *at) {
  int to = copy_create(at, info->st_mode & 0777);
  if (to < 0) return errno;
  int error = posix_transfer(from, to, info->st_size);
  if (close(to) != 0 && error == 0) error = errno;
  if (error != 0) unlinkat(at->dir, at->name, 0);
  return error;
}

/* Uses the descriptor: the name could mean another file by now. */
static int copy_inherit(int fd, const struct stat *like) {
  int owner = fchown(fd, like->st_uid, like->st_gid);
  if (owner != 0 && errno == EPERM) /* setting the group alone may be allowed */
    owner = fchown(fd, (uid_t)-1, like->st_gid);
  if (owner != 0 && errno != EPERM && errno != EINVAL && errno != EOPNOTSUPP) return errno;
  return fchmod(fd, like->st_mode & 0777) == 0 ? 0 : errno;
}

int posix_copy_put(int from, const struct stat *info, const posix_place *at,
                   const struct stat *like) {
  char name[4096];
  int to = -1;
  int error = posix_temporary_open(at, 0600, name, &to);
  if (error != 0) return error;
  int lock = fcntl(to, F_DUPFD_CLOEXEC, 0); /* nobody sweeps the file before it has its name */
  if (lock < 0) error = errno;
  if (error == 0) error = posix_transfer(from, to, info->st_size);
  if (error == 0) error = copy_inherit(to, like);
  if (close(to) != 0 && error == 0) error = errno;
  if (error == 0 && renameat(at->dir, name, at->dir, at->name) != 0) error = errno;
  if (error != 0) unlinkat(at->dir, name, 0);
  if (lock >= 0) close(lock);
  return error;
}

static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int copy_onto(int from, const struct stat *info, const char *dst) {
  posix_target target;
  int error = posix_target_open(dst, &target);
  if (error == 0 && !target.exists) error = copy_new(from, info, &target.at);
  if (error == 0 && target.exists && !is_same(info, &target.was)) {
    error = posix_copy_put(from, info, &target.at, &target.was);
  }
  posix_target_close(&target);
  return error;
}

/* Others may create and delete the name in between: repeats until one of the two ways succeeds. */
static int copy_to(int from, const struct stat *info, const char *dst) {
  posix_place at;
  int error = posix_place_open(dst, &at);
  if (error == 0) error = copy_new(from, info, &at);
  posix_place_close(&at);
  for (int i = 0; error == EEXIST && i < MOST_TRIES; i++)
    error = copy_onto(from, info, dst);
  return error;
}

void posix_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                     TF_Status *status) {
  (void)filesystem;
  int from = -1;
  struct stat info;
  int error = posix_copy_open(src, &from, &info);
  if (error == 0) {
    error = copy_to(from, &info, dst);
    close(from);
  }
  posix_report(status, error);
}

/* Like copy_onto, but never follows a link at the name. */
static int copy_onto_entry(int from, const struct stat *info, const posix_place *at) {
  struct stat was;
  int error = copy_new(from, info, at);
  if (error != EEXIST) return error;
  if (fstatat(at->dir, at->name, &was, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? EEXIST : errno;
  if (S_ISLNK(was.st_mode)) return POSIX_LINK;
  if (S_ISDIR(was.st_mode)) return EISDIR;
  if (!S_ISREG(was.st_mode)) return POSIX_NOT_A_FILE;
  return is_same(info, &was) ? 0 : posix_copy_put(from, info, at, &was);
}

void posix_copy_entry(const modfs_directory *from, const char *name, const modfs_directory *to,
                      const char *new_name, TF_Status *status) {
  const posix_place at = {((const posix_scan *)to->plugin_directory)->fd, new_name};
  struct stat info;
  int file = -1;
  int error = posix_open_at(from, name, O_RDONLY, &file);
  if (error == 0) error = copy_inspect(file, &info);
  if (error == 0) {
    error = EEXIST;
    for (int i = 0; error == EEXIST && i < MOST_TRIES; i++)
      error = copy_onto_entry(file, &info, &at);
    close(file);
  }
  posix_report(status, error);
}
