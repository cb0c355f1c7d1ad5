#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "attributes.h"
#include "entry.h"
#include "error.h"
#include "scan.h"
#include "stat.h"
#include "target.h"
#include "temporary.h"
#include "transfer.h"

enum { MOST_TRIES = 1000 };

/* Checks that an open file can be copied; otherwise closes it and returns an error. */
static int copy_inspect(posix_source *source) {
  int error = 0;
  source->wanted = source->kept = 0;
  source->left = NULL;
  if (fstat(source->fd, &source->info) != 0) {
    error = errno;
  } else if (S_ISDIR(source->info.st_mode)) {
    error = EISDIR;
  } else if (!S_ISREG(source->info.st_mode)) {
    error = POSIX_NOT_A_FILE;
  }
  if (error != 0) close(source->fd);
  return error;
}

int posix_copy_open(const char *path, posix_source *source) {
  int error = posix_open(path, O_RDONLY, 0, &source->fd);
  return error != 0 ? error : copy_inspect(source);
}

/* Writing the copy -------------------------------------------------------------- */

static struct timespec time_kept(struct timespec time, bool wanted) {
  if (!wanted) time.tv_nsec = UTIME_OMIT;
  return time;
}

/* The umask, or the directory, may have taken bits from the copy's mode. What a directory left of one
 * file, it leaves of the next. */
static bool copy_keep_mode(const posix_source *source, int to) {
  const mode_t mode = source->info.st_mode & 01777;
  atomic_uint *left = source->left;
  struct stat now;
  if (left != NULL && (mode & ~(mode_t)atomic_load(left)) == 0) return true;
  if (fstat(to, &now) != 0) return false;
  if ((now.st_mode & 07777) != mode) return fchmod(to, mode) == 0;
  if (left != NULL) atomic_fetch_or(left, mode & 0777);
  return true;
}

/* Gives the open copy what is wanted, as far as that can be set. */
static void copy_keep(posix_source *source, int to) {
  const struct stat *info = &source->info;
  const uint64_t times = source->wanted & POSIX_TIMES;
  if ((source->wanted & MODFS_ATTRIBUTE_MODE) != 0 && copy_keep_mode(source, to))
    source->kept |= MODFS_ATTRIBUTE_MODE;
  const struct timespec both[2] = {time_kept(info->st_atim, (times & MODFS_ATTRIBUTE_ATIME) != 0),
                                   time_kept(info->st_mtim, (times & MODFS_ATTRIBUTE_MTIME) != 0)};
  if (times != 0 && futimens(to, both) == 0) source->kept |= times;
}

static int copy_create(const posix_place *at, mode_t mode) {
  return posix_openat(at->dir, at->name, O_WRONLY | O_CREAT | O_EXCL, mode);
}

/* A name that does not exist is written in place: nothing can be damaged, and it costs half as much as
 * a temporary file. Returns EEXIST when the name exists. */
static int copy_new(posix_source *source, const posix_place *at) {
  int to = copy_create(at, source->info.st_mode & 0777);
  if (to < 0) return errno;
  int error = posix_transfer(source->fd, to, source->info.st_size);
  if (error == 0) copy_keep(source, to);
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

int posix_copy_put(posix_source *source, const posix_place *at, const struct stat *like) {
  char name[4096];
  int to = -1;
  source->left = NULL;
  int error = posix_temporary_open(at, 0600, name, &to);
  if (error != 0) return error;
  int lock = fcntl(to, F_DUPFD_CLOEXEC, 0); /* nobody sweeps the file before it has its name */
  if (lock < 0) error = errno;
  if (error == 0) error = posix_transfer(source->fd, to, source->info.st_size);
  if (error == 0) error = copy_inherit(to, like);
  if (error == 0) copy_keep(source, to);
  if (close(to) != 0 && error == 0) error = errno;
  if (error == 0 && renameat(at->dir, name, at->dir, at->name) != 0) error = errno;
  if (error != 0) unlinkat(at->dir, name, 0);
  if (lock >= 0) close(lock);
  return error;
}

/* Over a file that exists. A file that is copied onto itself stays as it is. */
static int copy_over(posix_source *source, const posix_place *at, const struct stat *was) {
  bool same = source->info.st_dev == was->st_dev && source->info.st_ino == was->st_ino;
  if (!same) return posix_copy_put(source, at, was);
  source->kept = source->wanted;
  return 0;
}

/* By a path ----------------------------------------------------------------------- */

static int copy_onto(posix_source *source, const char *dst) {
  posix_target target;
  int error = posix_target_open(dst, &target);
  if (error == 0 && !target.exists) error = copy_new(source, &target.at);
  if (error == 0 && target.exists) error = copy_over(source, &target.at, &target.was);
  posix_target_close(&target);
  return error;
}

/* Others may create and delete the name in between: repeats until one of the two ways succeeds. */
static int copy_to(posix_source *source, const char *dst) {
  posix_place at;
  int error = posix_place_open(dst, &at);
  if (error == 0) error = copy_new(source, &at);
  posix_place_close(&at);
  for (int i = 0; error == EEXIST && i < MOST_TRIES; i++)
    error = copy_onto(source, dst);
  return error;
}

void posix_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                     TF_Status *status) {
  (void)filesystem;
  posix_source source;
  int error = posix_copy_open(src, &source);
  if (error == 0) {
    error = copy_to(&source, dst);
    close(source.fd);
  }
  posix_report(status, error);
}

/* Between open directories -------------------------------------------------------- */

/* Like copy_onto, but never follows a link at the name. */
static int copy_onto_entry(posix_source *source, const posix_place *at) {
  struct stat was;
  int error = copy_new(source, at);
  if (error != EEXIST) return error;
  if (fstatat(at->dir, at->name, &was, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? EEXIST : errno;
  if (S_ISLNK(was.st_mode)) return POSIX_LINK;
  if (S_ISDIR(was.st_mode)) return EISDIR;
  if (!S_ISREG(was.st_mode)) return POSIX_NOT_A_FILE;
  return copy_over(source, at, &was);
}

static int copy_entry(posix_source *source, const posix_place *at) {
  int error = EEXIST;
  for (int i = 0; error == EEXIST && i < MOST_TRIES; i++)
    error = copy_onto_entry(source, at);
  close(source->fd);
  return error;
}

static posix_place place_in(const modfs_directory *to, const char *name) {
  return (posix_place){((const posix_scan *)to->plugin_directory)->fd, name};
}

static int entry_open(const modfs_directory *from, const char *name, posix_source *source) {
  int error = posix_open_at(from, name, O_RDONLY, &source->fd);
  return error != 0 ? error : copy_inspect(source);
}

void posix_copy_entry(const modfs_directory *from, const char *name, const modfs_directory *to,
                      const char *new_name, TF_Status *status) {
  const posix_place at = place_in(to, new_name);
  posix_source source;
  int error = entry_open(from, name, &source);
  if (error == 0) error = copy_entry(&source, &at);
  posix_report(status, error);
}

uint64_t posix_copy_entry_keeping(const modfs_directory *from, const char *name,
                                  const modfs_directory *to, const char *new_name, uint64_t which,
                                  modfs_attributes *attributes, TF_Status *status) {
  const posix_place at = place_in(to, new_name);
  posix_source source;
  int error = entry_open(from, name, &source);
  if (error == 0) {
    posix_attributes_fill(&source.info, attributes);
    source.wanted = which & (MODFS_ATTRIBUTE_MODE | POSIX_TIMES);
    source.left = &((posix_scan *)to->plugin_directory)->left;
    error = copy_entry(&source, &at);
  }
  posix_report(status, error);
  return error == 0 ? source.kept : 0;
}
