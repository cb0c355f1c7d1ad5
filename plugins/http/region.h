/* Memory regions: the content of a file, read at once. */
#ifndef HTTP_REGION_H
#define HTTP_REGION_H

#include <modfs/filesystem.h>

void http_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                TF_ReadOnlyMemoryRegion *region, TF_Status *status);
const void *http_region_data(const TF_ReadOnlyMemoryRegion *region);
uint64_t http_region_length(const TF_ReadOnlyMemoryRegion *region);
void http_region_cleanup(TF_ReadOnlyMemoryRegion *region);

#endif
