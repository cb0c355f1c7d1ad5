#include "region.h"

#include <stdlib.h>

#include "error.h"
#include "file.h"

typedef struct http_region {
  uint64_t length;
  char bytes[];
} http_region;

static http_region *read_all(const TF_RandomAccessFile *file, TF_Status *status) {
  uint64_t length = http_file_length(file);
  if (length == 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the file is empty");
    return NULL;
  }
  http_region *region = length < PTRDIFF_MAX / 2 ? malloc(sizeof *region + (size_t)length) : NULL;
  if (!region) {
    http_no_memory(status);
    return NULL;
  }
  region->length = length;
  if (http_file_read(file, 0, (size_t)length, region->bytes, status) == (int64_t)length)
    return region;
  free(region);
  return NULL;
}

void http_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                TF_ReadOnlyMemoryRegion *region,
                                                TF_Status *status) {
  TF_RandomAccessFile file = {NULL};
  http_new_random_access_file(filesystem, path, &file, status);
  if (TF_GetCode(status) == TF_OK) region->plugin_memory_region = read_all(&file, status);
  http_file_cleanup(&file);
}

const void *http_region_data(const TF_ReadOnlyMemoryRegion *region) {
  return ((const http_region *)region->plugin_memory_region)->bytes;
}

uint64_t http_region_length(const TF_ReadOnlyMemoryRegion *region) {
  return ((const http_region *)region->plugin_memory_region)->length;
}

void http_region_cleanup(TF_ReadOnlyMemoryRegion *region) {
  free(region->plugin_memory_region);
  region->plugin_memory_region = NULL;
}
