#include "read_region.h"

#include <stdlib.h>

/* How often a region begins anew when the file was replaced while it was read. */
enum { MOST_ANEW = 16 };

typedef struct read_region {
  uint64_t length;
  char bytes[];
} read_region;

/* Reads the open file into a new region; NULL on failure. */
static read_region *read_all(const TF_RandomAccessFile *file, const read_region_files *files,
                             TF_Status *status) {
  uint64_t length = files->length(file);
  if (length == 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the file is empty");
    return NULL;
  }
  read_region *self = length < PTRDIFF_MAX / 2 ? malloc(sizeof *self + (size_t)length) : NULL;
  if (!self) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
    return NULL;
  }
  self->length = length;
  if (files->ops->read(file, 0, (size_t)length, self->bytes, status) == (int64_t)length)
    return self;
  free(self);
  return NULL;
}

void read_region_open(const TF_Filesystem *filesystem, const char *path,
                      const read_region_files *files, TF_ReadOnlyMemoryRegion *region,
                      TF_Status *status) {
  bool replaced = true;
  for (int left = MOST_ANEW; replaced; left--) {
    TF_RandomAccessFile file = {NULL};
    files->open(filesystem, path, &file, status);
    if (TF_GetCode(status) == TF_OK) region->plugin_memory_region = read_all(&file, files, status);
    files->ops->cleanup(&file);
    replaced = TF_GetCode(status) == TF_ABORTED && left > 0;
    if (replaced) TF_SetStatus(status, TF_OK, "");
  }
}

static const void *region_data(const TF_ReadOnlyMemoryRegion *region) {
  return ((const read_region *)region->plugin_memory_region)->bytes;
}

static uint64_t region_length(const TF_ReadOnlyMemoryRegion *region) {
  return ((const read_region *)region->plugin_memory_region)->length;
}

static void region_cleanup(TF_ReadOnlyMemoryRegion *region) {
  free(region->plugin_memory_region);
  region->plugin_memory_region = NULL;
}

const TF_ReadOnlyMemoryRegionOps read_region_ops = {region_cleanup, region_data, region_length};
