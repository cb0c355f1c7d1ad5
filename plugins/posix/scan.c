#include "scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "path.h"

int posix_scan_new(const char *path, posix_scan **scan) {
  posix_scan *made = malloc(sizeof *made);
  if (made == NULL) return ENOMEM;
  int fd = -1;
  int error = posix_open(path, O_RDONLY | O_DIRECTORY, 0, &fd);
  if (error != 0) {
    free(made);
    return error;
  }
  posix_scan_start(made, fd);
  *scan = made;
  return 0;
}

void posix_scan_free(posix_scan *scan) {
  if (scan == NULL) return;
  close(scan->fd);
  free(scan);
}

void posix_scan_start(posix_scan *scan, int fd) {
  scan->fd = fd;
  scan->next = scan->filled = 0;
}

static int scan_fill(posix_scan *scan) {
  ssize_t got;
  do {
    got = getdents64(scan->fd, scan->bytes, sizeof scan->bytes);
  } while (got < 0 && errno == EINTR);
  scan->next = 0;
  scan->filled = got > 0 ? (size_t)got : 0;
  return got < 0 && errno != ENOENT ? errno : 0; /* ENOENT: the directory itself was deleted */
}

static bool is_dots(const char *name) {
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
    if (is_dots(found->d_name)) continue;
    *entry = found;
    return 0;
  }
}
