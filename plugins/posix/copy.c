#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "error.h"
#include "target.h"
#include "transfer.h"

int posix_copy_open(const char *path, int *fd, struct stat *info) {
  int error = posix_open(path, O_RDONLY, 0, fd);
  if (error != 0) return error;
  if (fstat(*fd, info) != 0) {
    error = errno;
  } else if (S_ISDIR(info->st_mode)) {
    error = EISDIR;
  } else if (!S_ISREG(info->st_mode)) {
    error = POSIX_NOT_A_FILE;
  }
  if (error != 0) close(*fd);
  return error;
}

/* Fills the new file name in dir; it stays behind when that fails. */
static int copy_to(int from, const struct stat *info, int dir, const char *name,
                   const struct stat *like) {
  mode_t mode = like != NULL ? 0600 : info->st_mode & 0777;
  int to = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (to < 0) return errno;
  int error = posix_transfer(from, to, info->st_size);
  if (close(to) != 0 && error == 0) error = errno;
  if (error == 0 && like != NULL) error = posix_target_inherit(dir, name, like);
  return error;
}

int posix_copy_put(int from, const struct stat *info, const posix_place *at,
                   const struct stat *like) {
  char name[4096];
  int error = posix_temporary_name(at, name);
  if (error != 0) return error;
  error = copy_to(from, info, at->dir, name, like);
  if (error == 0 && renameat(at->dir, name, at->dir, at->name) != 0) error = errno;
  if (error != 0) unlinkat(at->dir, name, 0);
  return error;
}

static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int copy_onto(int from, const struct stat *info, const char *dst) {
  posix_target target;
  int error = posix_target_open(dst, &target);
  if (error == 0 && !(target.exists && is_same(info, &target.was))) {
    error = posix_copy_put(from, info, &target.at, target.exists ? &target.was : NULL);
  }
  posix_target_close(&target);
  return error;
}

void posix_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                     TF_Status *status) {
  (void)filesystem;
  int from = -1;
  struct stat info;
  int error = posix_copy_open(src, &from, &info);
  if (error == 0) {
    error = copy_onto(from, &info, dst);
    close(from);
  }
  posix_report(status, error);
}
