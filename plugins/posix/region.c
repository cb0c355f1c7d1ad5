#include "region.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "path.h"

typedef struct posix_region {
  void *data;
  size_t length;
} posix_region;

static int region_map(int fd, posix_region *region) {
  struct stat info;
  if (fstat(fd, &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  if (!S_ISREG(info.st_mode)) return POSIX_NOT_A_FILE;
  if (info.st_size == 0) return POSIX_EMPTY_FILE;
  if ((uint64_t)info.st_size > PTRDIFF_MAX) return EOVERFLOW;
  region->length = (size_t)info.st_size;
  region->data = mmap(NULL, region->length, PROT_READ, MAP_PRIVATE, fd, 0);
  return region->data == MAP_FAILED ? errno : 0;
}

static int region_new(const char *path, TF_ReadOnlyMemoryRegion *handle) {
  posix_region *region = calloc(1, sizeof *region);
  if (region == NULL) return ENOMEM;
  int fd = -1;
  int error = posix_open(path, O_RDONLY, 0, &fd);
  if (error == 0) {
    error = region_map(fd, region);
    close(fd);
  }
  if (error == 0) {
    handle->plugin_memory_region = region;
  } else {
    free(region);
  }
  return error;
}

void posix_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                 TF_ReadOnlyMemoryRegion *region,
                                                 TF_Status *status) {
  (void)filesystem;
  posix_report(status, region_new(path, region));
}

static const void *region_data(const TF_ReadOnlyMemoryRegion *region) {
  return ((const posix_region *)region->plugin_memory_region)->data;
}

static uint64_t region_length(const TF_ReadOnlyMemoryRegion *region) {
  return ((const posix_region *)region->plugin_memory_region)->length;
}

static void region_cleanup(TF_ReadOnlyMemoryRegion *handle) {
  posix_region *region = handle->plugin_memory_region;
  if (region == NULL) return;
  munmap(region->data, region->length);
  free(region);
}

const TF_ReadOnlyMemoryRegionOps posix_region_ops = {region_cleanup, region_data, region_length};
