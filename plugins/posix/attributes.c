#include "attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"
#include "error.h"
#include "path.h"

/* What is changed: the entry at a place or, where that is NULL, an open file. */
typedef struct subject {
  const posix_place *at;
  int flags;
  int fd;
} subject;

static struct timespec time_of(int64_t nanoseconds, bool set) {
  const int64_t second = 1000000000;
  if (!set) return (struct timespec){.tv_nsec = UTIME_OMIT};
  struct timespec time = {.tv_sec = nanoseconds / second, .tv_nsec = (long)(nanoseconds % second)};
  if (time.tv_nsec < 0) {
    time.tv_nsec += second;
    time.tv_sec--;
  }
  return time;
}

static int set_times(const subject *of, const modfs_attributes *attributes, uint64_t which) {
  const struct timespec times[2] = {
      time_of(attributes->atime_nsec, (which & MODFS_ATTRIBUTE_ATIME) != 0),
      time_of(attributes->mtime_nsec, (which & MODFS_ATTRIBUTE_MTIME) != 0)};
  return of->at != NULL ? utimensat(of->at->dir, of->at->name, times, of->flags)
                        : futimens(of->fd, times);
}

/* The largest number means "unchanged" to the kernel, which has 32 bits for both. */
static bool fits(const modfs_attributes *attributes, uint64_t which) {
  if ((which & MODFS_ATTRIBUTE_OWNER) != 0 && attributes->owner >= UINT32_MAX) return false;
  return (which & MODFS_ATTRIBUTE_GROUP) == 0 || attributes->group < UINT32_MAX;
}

static int set_owner(const subject *of, const modfs_attributes *attributes, uint64_t which) {
  bool fit = fits(attributes, which);
  if (!fit) errno = EINVAL;
  if (!fit) return -1;
  uid_t owner = (which & MODFS_ATTRIBUTE_OWNER) != 0 ? (uid_t)attributes->owner : (uid_t)-1;
  gid_t group = (which & MODFS_ATTRIBUTE_GROUP) != 0 ? (gid_t)attributes->group : (gid_t)-1;
  return of->at != NULL ? fchownat(of->at->dir, of->at->name, owner, group, of->flags)
                        : fchown(of->fd, owner, group);
}

static int set_mode(const subject *of, mode_t mode) {
  return of->at != NULL ? fchmodat(of->at->dir, of->at->name, mode, of->flags)
                        : fchmod(of->fd, mode);
}

/* The owner comes before the mode, as changing it clears bits of the mode. */
static int set_all(const subject *of, const modfs_attributes *attributes, uint64_t which) {
  if ((which & POSIX_OWNERS) != 0 && set_owner(of, attributes, which) != 0) return errno;
  if ((which & MODFS_ATTRIBUTE_MODE) != 0 && set_mode(of, (mode_t)attributes->mode) != 0)
    return errno;
  if ((which & POSIX_TIMES) != 0 && set_times(of, attributes, which) != 0) return errno;
  return 0;
}

void posix_set_attributes(const TF_Filesystem *filesystem, const modfs_directory *directory,
                          const char *path, const modfs_attributes *attributes, uint64_t which,
                          TF_Status *status) {
  (void)filesystem;
  posix_place at;
  bool itself = directory != NULL && *path == '\0';
  uint64_t all = POSIX_ATTRIBUTES | MODFS_ATTRIBUTE_OF_LINK;
  int error = (which & ~all) != 0 ? EOPNOTSUPP : 0;
  if (error == 0) error = posix_entry_place(directory, itself ? "." : path, &at);
  if (error == 0) {
    bool follows = itself || (directory == NULL && (which & MODFS_ATTRIBUTE_OF_LINK) == 0);
    const subject of = {.at = &at, .flags = follows ? 0 : AT_SYMLINK_NOFOLLOW};
    error = set_all(&of, attributes, which);
    posix_entry_leave(directory, &at);
  }
  posix_report(status, error);
}

/* Of a file that is written ---------------------------------------------------- */

int posix_wanted_check(const modfs_attributes *attributes, uint64_t which) {
  if ((which & ~(uint64_t)POSIX_ATTRIBUTES) != 0) return EOPNOTSUPP;
  return fits(attributes, which) ? 0 : EINVAL;
}

void posix_wanted_add(posix_wanted *wanted, const modfs_attributes *attributes, uint64_t which) {
  modfs_attributes *all = &wanted->attributes;
  if ((which & MODFS_ATTRIBUTE_OWNER) != 0) all->owner = attributes->owner;
  if ((which & MODFS_ATTRIBUTE_GROUP) != 0) all->group = attributes->group;
  if ((which & MODFS_ATTRIBUTE_MODE) != 0) all->mode = attributes->mode;
  if ((which & MODFS_ATTRIBUTE_MTIME) != 0) all->mtime_nsec = attributes->mtime_nsec;
  if ((which & MODFS_ATTRIBUTE_ATIME) != 0) all->atime_nsec = attributes->atime_nsec;
  wanted->which |= which;
}

int posix_wanted_set(const posix_wanted *wanted, int fd, uint64_t among) {
  const subject of = {.fd = fd};
  return set_all(&of, &wanted->attributes, wanted->which & among);
}
