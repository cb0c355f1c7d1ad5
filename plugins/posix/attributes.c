#include "attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"
#include "error.h"
#include "path.h"

enum {
  EVERY = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP |
          MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME
};

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

static int set_times(const posix_place *at, int flags, const modfs_attributes *attributes,
                     uint64_t which) {
  const struct timespec times[2] = {
      time_of(attributes->atime_nsec, (which & MODFS_ATTRIBUTE_ATIME) != 0),
      time_of(attributes->mtime_nsec, (which & MODFS_ATTRIBUTE_MTIME) != 0)};
  return utimensat(at->dir, at->name, times, flags);
}

/* The largest number means "unchanged" to the kernel, which has 32 bits for both. */
static int set_owner(const posix_place *at, int flags, const modfs_attributes *attributes,
                     uint64_t which) {
  bool fit = attributes->owner < UINT32_MAX && attributes->group < UINT32_MAX;
  if (!fit) errno = EINVAL;
  if (!fit) return -1;
  uid_t owner = (which & MODFS_ATTRIBUTE_OWNER) != 0 ? (uid_t)attributes->owner : (uid_t)-1;
  gid_t group = (which & MODFS_ATTRIBUTE_GROUP) != 0 ? (gid_t)attributes->group : (gid_t)-1;
  return fchownat(at->dir, at->name, owner, group, flags);
}

/* The owner comes before the mode, as changing it clears bits of the mode. */
static int set_at(const posix_place *at, int flags, const modfs_attributes *attributes,
                  uint64_t which) {
  const uint64_t owners = MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP;
  const uint64_t times = MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME;
  if ((which & owners) != 0 && set_owner(at, flags, attributes, which) != 0) return errno;
  if ((which & MODFS_ATTRIBUTE_MODE) != 0 &&
      fchmodat(at->dir, at->name, (mode_t)attributes->mode, flags) != 0)
    return errno;
  if ((which & times) != 0 && set_times(at, flags, attributes, which) != 0) return errno;
  return 0;
}

void posix_set_attributes(const TF_Filesystem *filesystem, const modfs_directory *directory,
                          const char *path, const modfs_attributes *attributes, uint64_t which,
                          TF_Status *status) {
  (void)filesystem;
  posix_place at;
  bool itself = directory != NULL && *path == '\0';
  int error = (which & ~(uint64_t)EVERY) != 0 ? EOPNOTSUPP : 0;
  if (error == 0) error = posix_entry_place(directory, itself ? "." : path, &at);
  if (error == 0) {
    int flags = directory != NULL && !itself ? AT_SYMLINK_NOFOLLOW : 0;
    error = set_at(&at, flags, attributes, which);
    posix_entry_leave(directory, &at);
  }
  posix_report(status, error);
}
