#include "read_region.h"

#include <stdlib.h>

typedef struct read_region {
  uint64_t length;
  char bytes[];
} read_region;

void read_region_open(const TF_RandomAccessFile *file, uint64_t length, read_region_read *read,
                      TF_ReadOnlyMemoryRegion *region, TF_Status *status) {
  if (length == 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the file is empty");
    return;
  }
  read_region *self = length < PTRDIFF_MAX / 2 ? malloc(sizeof *self + (size_t)length) : NULL;
  if (!self) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
    return;
  }
  self->length = length;
  if (read(file, 0, (size_t)length, self->bytes, status) == (int64_t)length)
    region->plugin_memory_region = self;
  else
    free(self);
}

const void *read_region_data(const TF_ReadOnlyMemoryRegion *region) {
  return ((const read_region *)region->plugin_memory_region)->bytes;
}

uint64_t read_region_length(const TF_ReadOnlyMemoryRegion *region) {
  return ((const read_region *)region->plugin_memory_region)->length;
}

void read_region_cleanup(TF_ReadOnlyMemoryRegion *region) {
  free(region->plugin_memory_region);
  region->plugin_memory_region = NULL;
}
