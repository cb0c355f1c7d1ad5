/* Reading directories with getdents64.
 *
 * State: a descriptor, whose read position the kernel keeps, and a buffer of entries: those between
 * `next` and `filled` have been read but not returned. The buffer is allocated for the first entry;
 * posix_scan_rest frees it while no entry is needed and drops what is in it.
 *
 * Entries that are created or deleted during a scan may be returned or not; all others are returned
 * once, where the filesystem supports that. A directory that is deleted during a scan just ends.
 *
 * Threads: one at a time for each scan; scans share nothing. Who frees: a scan made by posix_scan_new or
 * _new_at owns its descriptor, and posix_scan_free closes it. posix_scan_start only borrows one, for a
 * caller that frees the scan itself (delete.c).
 *
 * Fork: a child shares the read position with its parent, so it must not continue a scan. */
#include "scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "../common/interrupt/interrupt.h"
#include "path.h"

enum { ROOM = 64 * 1024 };

static int scan_make(const TF_Filesystem *filesystem, int fd, posix_scan **scan) {
  posix_scan *made = calloc(1, sizeof *made);
  if (made == NULL) {
    close(fd);
    return ENOMEM;
  }
  made->filesystem = filesystem;
  posix_scan_start(made, fd);
  *scan = made;
  return 0;
}

int posix_scan_new(const TF_Filesystem *filesystem, const char *path, posix_scan **scan) {
  int fd = -1;
  int error = posix_open(path, O_RDONLY | O_DIRECTORY, 0, &fd);
  if (error == EACCES) error = posix_open(path, O_PATH | O_DIRECTORY, 0, &fd);
  return error != 0 ? error : scan_make(filesystem, fd, scan);
}

int posix_scan_new_at(const posix_scan *parent, const char *name, posix_scan **scan) {
  enum { FLAGS = O_DIRECTORY | O_NOFOLLOW };
  int fd = posix_openat(parent->fd, name, O_RDONLY | O_NONBLOCK | FLAGS, 0);
  if (fd < 0 && errno == EACCES) fd = posix_openat(parent->fd, name, O_PATH | FLAGS, 0);
  return fd < 0 ? errno : scan_make(parent->filesystem, fd, scan);
}

void posix_scan_rest(posix_scan *scan) {
  free(scan->bytes);
  scan->bytes = NULL;
}

void posix_scan_free(posix_scan *scan) {
  if (scan == NULL) return;
  close(scan->fd);
  free(scan->bytes);
  free(scan);
}

void posix_scan_start(posix_scan *scan, int fd) {
  scan->fd = fd;
  scan->next = scan->filled = 0;
}

int posix_scan_read(const posix_scan *scan, char *bytes, size_t size, size_t *filled) {
  ssize_t got;
  if (interrupt_is_wanted()) return ECANCELED;
  do {
    got = getdents64(scan->fd, bytes, size);
  } while (got < 0 && errno == EINTR);
  *filled = got > 0 ? (size_t)got : 0;
  if (got >= 0 || errno == ENOENT) return 0; /* ENOENT: the directory itself was deleted */
  return errno == EBADF ? EACCES : errno;    /* EBADF: O_PATH, because it is not readable */
}

static int scan_fill(posix_scan *scan) {
  if (scan->bytes == NULL) scan->bytes = malloc(ROOM);
  if (scan->bytes == NULL) return ENOMEM;
  scan->next = 0;
  return posix_scan_read(scan, scan->bytes, ROOM, &scan->filled);
}

bool posix_scan_is_dots(const char *name) {
  return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

int posix_scan_next(posix_scan *scan, const struct dirent64 **entry) {
  for (;;) {
    if (scan->next == scan->filled) {
      int error = scan_fill(scan);
      *entry = NULL;
      if (error != 0 || scan->filled == 0) return error;
    }
    const struct dirent64 *found = (const void *)(scan->bytes + scan->next);
    scan->next += found->d_reclen;
    if (posix_scan_is_dots(found->d_name)) continue;
    *entry = found;
    return 0;
  }
}
