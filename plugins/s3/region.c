#include "region.h"

#include <stdlib.h>

#include "error.h"
#include "file.h"

typedef struct s3_region {
  uint64_t length;
  char bytes[];
} s3_region;

static s3_region *read_all(const TF_RandomAccessFile *file, TF_Status *status) {
  uint64_t length = s3_file_length(file);
  if (length == 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the file is empty");
    return NULL;
  }
  s3_region *region = length < PTRDIFF_MAX / 2 ? malloc(sizeof *region + (size_t)length) : NULL;
  if (!region) {
    s3_no_memory(status);
    return NULL;
  }
  region->length = length;
  if (s3_file_read(file, 0, (size_t)length, region->bytes, status) == (int64_t)length)
    return region;
  free(region);
  return NULL;
}

void s3_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                              TF_ReadOnlyMemoryRegion *region, TF_Status *status) {
  TF_RandomAccessFile file = {NULL};
  s3_new_random_access_file(filesystem, path, &file, status);
  if (TF_GetCode(status) == TF_OK) region->plugin_memory_region = read_all(&file, status);
  s3_file_cleanup(&file);
}

const void *s3_region_data(const TF_ReadOnlyMemoryRegion *region) {
  return ((const s3_region *)region->plugin_memory_region)->bytes;
}

uint64_t s3_region_length(const TF_ReadOnlyMemoryRegion *region) {
  return ((const s3_region *)region->plugin_memory_region)->length;
}

void s3_region_cleanup(TF_ReadOnlyMemoryRegion *region) {
  free(region->plugin_memory_region);
  region->plugin_memory_region = NULL;
}
