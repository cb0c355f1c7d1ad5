#include "rename.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attributes.h"
#include "copy.h"
#include "directory.h"
#include "entry.h"
#include "error.h"
#include "scan.h"
#include "target.h"

/* Finds out whether the entry `to` is the source itself. */
static int look_for(const struct stat *source, const posix_place *to, bool *there) {
  struct stat target;
  *there = false;
  if (fstatat(to->dir, to->name, &target, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? 0 : errno;
  *there = source->st_dev == target.st_dev && source->st_ino == target.st_ino;
  return 0;
}

/* Finds out whether the link at `from` leads to the entry `to` itself: renaming would leave a link to
 * itself. One that leads nowhere does not. */
static int leads_to(const posix_place *from, const posix_place *to, bool *there) {
  struct stat source;
  *there = false;
  if (fstatat(from->dir, from->name, &source, 0) == 0) return look_for(&source, to, there);
  return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : errno;
}

static bool is_directory(const posix_place *at) {
  struct stat info;
  return fstatat(at->dir, at->name, &info, 0) == 0 && S_ISDIR(info.st_mode);
}

static int move_link(const posix_place *from, const posix_place *to) {
  char leads[4096];
  char name[4096];
  ssize_t length = readlinkat(from->dir, from->name, leads, sizeof leads);
  if (length < 0) return errno;
  if ((size_t)length == sizeof leads) return ENAMETOOLONG;
  leads[length] = '\0';
  int error = posix_temporary_name(to, name);
  if (error != 0) return error;
  if (symlinkat(leads, to->dir, name) != 0) return errno;
  if (renameat(to->dir, name, to->dir, to->name) == 0) return 0;
  error = errno;
  unlinkat(to->dir, name, 0);
  return error;
}

static int move_content(const char *src, const posix_place *to) {
  posix_source source;
  int error = posix_copy_open(src, &source);
  if (error != 0) return error;
  source.wanted = POSIX_TIMES;
  error = posix_copy_put(&source, to, &source.info);
  close(source.fd);
  return error;
}

/* Whether a name may be removed from the directory of `at`: checked before anything changes. */
static int check_removable(const posix_place *at) {
  char parent[4096] = ".";
  const char *slash = strrchr(at->name, '/');
  if (slash != NULL) {
    size_t length = (size_t)(slash + 1 - at->name);
    memcpy(parent, at->name, length);
    parent[length] = '\0';
  }
  return faccessat(at->dir, parent, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

/* The target is on another mount: makes a copy there atomically, then deletes the source. Two mounts may
 * show one file: deleting the source would delete the copy. */
static int move_across(const char *src, const posix_place *from, const struct stat *source,
                       const posix_place *to) {
  bool there;
  int error = look_for(source, to, &there);
  if (error != 0 || there) return error;
  error = check_removable(from);
  if (error == 0) error = S_ISLNK(source->st_mode) ? move_link(from, to) : move_content(src, to);
  if (error == 0 && unlinkat(from->dir, from->name, 0) != 0) error = errno;
  return error;
}

static int rename_checked(const char *src, const posix_place *from, const posix_place *to) {
  struct stat source;
  if (fstatat(from->dir, from->name, &source, AT_SYMLINK_NOFOLLOW) != 0) return errno;
  if (S_ISDIR(source.st_mode) || is_directory(to)) return EISDIR;
  bool stays = false;
  int error = S_ISLNK(source.st_mode) ? leads_to(from, to, &stays) : 0;
  if (error != 0 || stays) return error;
  if (renameat(from->dir, from->name, to->dir, to->name) == 0) return 0;
  return errno == EXDEV ? move_across(src, from, &source, to) : errno;
}

void posix_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                       TF_Status *status) {
  (void)filesystem;
  posix_place from;
  posix_place to;
  int error = posix_place_open(src, &from);
  int error_to = posix_place_open(dst, &to);
  if (error == 0) error = error_to;
  if (error == 0) error = rename_checked(src, &from, &to);
  posix_place_close(&to);
  posix_place_close(&from);
  posix_report(status, error);
}

/* Renames between open directories; a link is moved, not followed. */
void posix_rename_entry(const modfs_directory *from, const char *name, const modfs_directory *to,
                        const char *new_name, TF_Status *status) {
  const posix_place source = {((const posix_scan *)from->plugin_directory)->fd, name};
  const posix_place target = {((const posix_scan *)to->plugin_directory)->fd, new_name};
  struct stat info;
  struct stat was;
  int error = fstatat(source.dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
  bool taken = error == 0 && fstatat(target.dir, new_name, &was, AT_SYMLINK_NOFOLLOW) == 0;
  if (error == 0 && (S_ISDIR(info.st_mode) || (taken && S_ISDIR(was.st_mode)))) error = EISDIR;
  if (error == 0 && renameat(source.dir, name, target.dir, new_name) != 0) error = errno;
  posix_report(status, error);
}
