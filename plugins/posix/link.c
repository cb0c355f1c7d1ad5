#include "link.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "entry.h"
#include "error.h"
#include "path.h"

void posix_create_link(const TF_Filesystem *filesystem, const modfs_directory *directory,
                       const char *path, const char *target, TF_Status *status) {
  (void)filesystem;
  posix_place at;
  int error = posix_entry_place(directory, path, &at);
  if (error == 0 && symlinkat(target, at.dir, at.name) != 0) error = errno;
  posix_entry_leave(directory, &at);
  posix_report(status, error);
}

/* Reads with more and more room until the whole target fits. */
static int read_target(const posix_place *at, char **target) {
  for (size_t size = 4096;; size *= 2) {
    char *text = malloc(size);
    if (text == NULL) return ENOMEM;
    ssize_t length = readlinkat(at->dir, at->name, text, size);
    if (length >= 0 && (size_t)length < size) {
      text[length] = '\0';
      *target = text;
      return 0;
    }
    int error = length < 0 ? errno : 0;
    free(text);
    if (error != 0) return error == EINVAL ? POSIX_NO_LINK : error;
  }
}

char *posix_read_link(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, TF_Status *status) {
  (void)filesystem;
  posix_place at;
  char *target = NULL;
  int error = posix_entry_place(directory, path, &at);
  if (error == 0) error = read_target(&at, &target);
  posix_entry_leave(directory, &at);
  posix_report(status, error);
  return target;
}
