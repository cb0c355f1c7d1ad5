#include "entry.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configuration.h"
#include "error.h"
#include "scan.h"

static int dir_of(const modfs_directory *directory) {
  return ((const posix_scan *)directory->plugin_directory)->fd;
}

int posix_entry_place(const modfs_directory *directory, const char *name, posix_place *place) {
  if (directory == NULL) return posix_place_open(name, place);
  *place = (posix_place){dir_of(directory), name};
  return 0;
}

void posix_entry_leave(const modfs_directory *directory, posix_place *place) {
  if (directory == NULL) posix_place_close(place);
}

int posix_open_at(const modfs_directory *directory, const char *name, int flags, int *fd) {
  *fd = posix_openat(dir_of(directory), name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
  if (*fd >= 0) return 0;
  return errno == ELOOP ? POSIX_LINK : errno;
}

void posix_open_subdirectory(const modfs_directory *parent, const char *name,
                             modfs_directory *directory, TF_Status *status) {
  posix_scan *scan = NULL;
  int error = posix_scan_new_at(parent->plugin_directory, name, &scan);
  if (error == 0) directory->plugin_directory = scan;
  posix_report(status, error);
}

void posix_create_subdirectory(const modfs_directory *directory, const char *name,
                               TF_Status *status) {
  const posix_scan *scan = directory->plugin_directory;
  mode_t mode = (mode_t)posix_option_get(scan->filesystem, POSIX_DIRECTORY_MODE);
  posix_report(status, mkdirat(scan->fd, name, mode) == 0 ? 0 : errno);
}

void posix_delete_entry(const modfs_directory *directory, const char *name, bool is_directory,
                        TF_Status *status) {
  int error = 0;
  if (unlinkat(dir_of(directory), name, is_directory ? AT_REMOVEDIR : 0) != 0) error = errno;
  posix_report(status, error == EEXIST ? ENOTEMPTY : error);
}
