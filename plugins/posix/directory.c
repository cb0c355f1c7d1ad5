#include "directory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configuration.h"
#include "error.h"
#include "path.h"

static mode_t directory_mode(const TF_Filesystem *filesystem) {
  return (mode_t)posix_option_get(filesystem, POSIX_DIRECTORY_MODE);
}

static int make_directory(const char *path, mode_t mode) {
  posix_place at;
  int error = posix_place_open(path, &at);
  if (error == 0 && mkdirat(at.dir, at.name, mode) != 0) error = errno;
  posix_place_close(&at);
  return error;
}

void posix_create_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  posix_report(status, make_directory(path, directory_mode(filesystem)));
}

void posix_create_private_dir(const TF_Filesystem *filesystem, const char *path,
                              TF_Status *status) {
  (void)filesystem;
  posix_report(status, make_directory(path, 0700));
}

/* Creates one directory; 0 also when it exists already, or a link leads to one. */
static int make_one(int dir, const char *name, mode_t mode) {
  if (mkdirat(dir, name, mode) == 0) return 0;
  int error = errno;
  if (error == ENOENT) return error;
  struct stat info;
  if (fstatat(dir, name, &info, 0) != 0)
    return error == EEXIST ? (errno == ENOENT ? POSIX_BROKEN_LINK : errno) : error;
  if (S_ISDIR(info.st_mode)) return 0;
  return error == EEXIST ? ENOTDIR : error;
}

/* Creates name with all its parents: goes up to a parent that exists, then down again. */
static int make_all(int dir, char *name, mode_t mode) {
  size_t length = strlen(name);
  int error = make_one(dir, name, mode);
  while (error == ENOENT) {
    char *slash = strrchr(name, '/');
    if (slash == NULL || slash == name) break;
    *slash = '\0';
    error = make_one(dir, name, mode);
  }
  for (size_t n = strlen(name); n < length; n = strlen(name)) {
    name[n] = '/';
    if (error == 0) error = make_one(dir, name, mode);
  }
  return error;
}

void posix_recursively_create_dir(const TF_Filesystem *filesystem, const char *path,
                                  TF_Status *status) {
  mode_t mode = directory_mode(filesystem);
  posix_place at;
  int error = posix_place_prepare(path, &at, make_all, mode);
  if (error == 0) {
    char name[POSIX_PATH_STEP];
    memcpy(name, at.name, strlen(at.name) + 1);
    error = make_all(at.dir, name, mode);
  }
  posix_place_close(&at);
  posix_report(status, error);
}

static int remove_at(const posix_place *at, int flags) {
  if (unlinkat(at->dir, at->name, flags) == 0) return 0;
  return errno == EEXIST ? ENOTEMPTY : errno;
}

/* Some kernels return EPERM, not EISDIR, for a directory. */
static int check_permission(const posix_place *at, int error) {
  struct stat info;
  if (error != EPERM || fstatat(at->dir, at->name, &info, AT_SYMLINK_NOFOLLOW) != 0) return error;
  return S_ISDIR(info.st_mode) ? EISDIR : error;
}

void posix_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem;
  posix_place at;
  int error = posix_place_open(path, &at);
  if (error == 0) error = check_permission(&at, remove_at(&at, 0));
  posix_place_close(&at);
  posix_report(status, error);
}

void posix_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem;
  posix_place at;
  int error = posix_place_open(path, &at);
  if (error == 0) error = remove_at(&at, AT_REMOVEDIR);
  posix_place_close(&at);
  posix_report(status, error);
}
