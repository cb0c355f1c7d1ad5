/* An entry is opened without access to its content, which needs no permission, and its attributes are
 * reached by the name that /proc has for the descriptor: so the entry stays the same one, and a link
 * is never followed by chance. */
#include "xattrs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "entry.h"
#include "error.h"
#include "path.h"

/* The kernel's limits for a list of names and for a value. */
enum { MOST_NAMES = 65536, LONGEST_VALUE = 65536 };

typedef struct subject {
  int fd;
  char way[32];
} subject;

static int subject_open(subject *self, const modfs_directory *directory, const char *path) {
  struct stat info;
  int error = directory == NULL
                  ? posix_open(path, O_PATH, 0, &self->fd)
                  : posix_open_at(directory, *path != '\0' ? path : ".", O_PATH, &self->fd);
  if (error != 0) return error;
  snprintf(self->way, sizeof self->way, "/proc/self/fd/%d", self->fd);
  if (fstat(self->fd, &info) != 0)
    error = errno;
  else if (S_ISLNK(info.st_mode))
    error = POSIX_LINK;
  if (error != 0) close(self->fd);
  return error;
}

/* Without /proc there is no way to the attributes. */
static int last_error(void) {
  return errno == ENOENT ? EOPNOTSUPP : errno;
}

static bool is_kept(const char *name) {
  return strncmp(name, "user.", 5) == 0 || strcmp(name, "system.posix_acl_access") == 0 ||
         strcmp(name, "system.posix_acl_default") == 0;
}

/* The names of all attributes, one behind the other, and their length: NULL and 0 where there are
 * none, or where the filesystem has no attributes. */
static int list_names(const subject *of, char **names, size_t *length) {
  ssize_t n = listxattr(of->way, NULL, 0);
  *names = NULL;
  *length = 0;
  if (n <= 0) return n < 0 && errno != EOPNOTSUPP ? last_error() : 0;
  *names = malloc(MOST_NAMES);
  if (*names == NULL) return ENOMEM;
  n = listxattr(of->way, *names, MOST_NAMES);
  if (n >= 0) *length = (size_t)n;
  return n >= 0 ? 0 : last_error();
}

/* Reading ------------------------------------------------------------------------------ */

typedef struct block {
  char *data;
  size_t size;
} block;

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* One that was removed meanwhile is left out. */
static int add_value(const subject *of, const char *name, block *to) {
  uint32_t value;
  size_t named = strlen(name) + 1;
  char *data = realloc(to->data, to->size + sizeof value + named + LONGEST_VALUE);
  if (data == NULL) return ENOMEM;
  to->data = data;
  char *at = data + to->size;
  ssize_t length = getxattr(of->way, name, at + sizeof value + named, LONGEST_VALUE);
  if (length < 0) return errno == ENODATA ? 0 : last_error();
  value = (uint32_t)length;
  memcpy(at, &value, sizeof value);
  memcpy(at + sizeof value, name, named);
  to->size += sizeof value + named + (size_t)length;
  return 0;
}

static int read_values(const subject *of, const char *names, size_t length, block *to) {
  const char **sorted = malloc(length * sizeof *sorted);
  size_t count = 0;
  int error = sorted == NULL ? ENOMEM : 0;
  for (size_t at = 0; error == 0 && at < length; at += strlen(names + at) + 1)
    if (is_kept(names + at)) sorted[count++] = names + at;
  if (count > 0) qsort(sorted, count, sizeof *sorted, compare_names);
  for (size_t i = 0; error == 0 && i < count; i++)
    error = add_value(of, sorted[i], to);
  free(sorted);
  return error;
}

char *posix_get_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                       const char *path, size_t *size, TF_Status *status) {
  (void)filesystem;
  subject of;
  char *names = NULL;
  size_t length = 0;
  block found = {NULL, 0};
  int error = subject_open(&of, directory, path);
  if (error == 0) {
    error = list_names(&of, &names, &length);
    if (error == 0 && length > 0) error = read_values(&of, names, length, &found);
    close(of.fd);
  }
  free(names);
  if (error != 0 || found.size == 0) {
    free(found.data);
    found = (block){NULL, 0};
  }
  *size = found.size;
  posix_report(status, error);
  return found.data;
}

/* Setting ------------------------------------------------------------------------------ */

/* The next attribute of a block; false at its end. */
static bool next_value(const block *from, size_t *at, const char **name, const char **value,
                       uint32_t *length) {
  if (*at >= from->size) return false;
  memcpy(length, from->data + *at, sizeof *length);
  *name = from->data + *at + sizeof *length;
  *value = *name + strlen(*name) + 1;
  *at = (size_t)(*value - from->data) + *length;
  return true;
}

static bool contains(const block *in, const char *name) {
  const char *present, *value;
  uint32_t length;
  for (size_t at = 0; next_value(in, &at, &present, &value, &length);)
    if (strcmp(present, name) == 0) return true;
  return false;
}

static int remove_others(const subject *of, const block *wanted) {
  char *names;
  size_t length;
  int error = list_names(of, &names, &length);
  for (size_t at = 0; error == 0 && at < length; at += strlen(names + at) + 1) {
    const char *name = names + at;
    bool surplus = is_kept(name) && !contains(wanted, name);
    if (surplus && removexattr(of->way, name) != 0 && errno != ENODATA) error = last_error();
  }
  free(names);
  return error;
}

/* What fails does not keep the others from being set. */
static int set_values(const subject *of, const block *wanted) {
  const char *name, *value;
  uint32_t length;
  int error = remove_others(of, wanted);
  for (size_t at = 0; next_value(wanted, &at, &name, &value, &length);) {
    int failed = is_kept(name) ? 0 : EOPNOTSUPP;
    if (failed == 0 && setxattr(of->way, name, value, length, 0) != 0) failed = last_error();
    if (error == 0) error = failed;
  }
  return error;
}

/* The owner of an entry that cannot be written may change its attributes once it can. */
static int set_closed(const subject *of, const block *wanted) {
  struct stat info;
  if (fstat(of->fd, &info) != 0) return errno;
  if ((info.st_mode & S_IWUSR) != 0) return EACCES;
  if (chmod(of->way, (info.st_mode & 07777) | S_IWUSR) != 0) return EACCES;
  int error = set_values(of, wanted);
  if (chmod(of->way, info.st_mode & 07777) != 0 && error == 0) error = errno;
  return error;
}

void posix_set_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                      const char *path, const char *data, size_t size, TF_Status *status) {
  (void)filesystem;
  subject of;
  const block wanted = {(char *)(uintptr_t)data, size};
  int error = subject_open(&of, directory, path);
  if (error == 0) {
    error = set_values(&of, &wanted);
    if (error == EACCES) error = set_closed(&of, &wanted);
    close(of.fd);
  }
  posix_report(status, error);
}
