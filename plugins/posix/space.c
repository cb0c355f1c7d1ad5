#include "space.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "error.h"
#include "path.h"

void posix_get_space(const TF_Filesystem *filesystem, const char *path, modfs_space *space,
                     TF_Status *status) {
  (void)filesystem;
  int fd = -1;
  struct statvfs info;
  int error = posix_open(path, O_PATH, 0, &fd);
  if (error == 0 && fstatvfs(fd, &info) != 0) error = errno;
  if (error == 0) {
    modfs_space all = {
        .struct_size = space->struct_size,
        .total = (uint64_t)info.f_blocks * info.f_frsize,
        .free = (uint64_t)info.f_bfree * info.f_frsize,
        .available = (uint64_t)info.f_bavail * info.f_frsize,
    };
    memcpy(space, &all, all.struct_size < sizeof all ? all.struct_size : sizeof all);
  }
  if (fd >= 0) close(fd);
  posix_report(status, error);
}
