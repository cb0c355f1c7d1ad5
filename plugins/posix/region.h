/* Files mapped into memory. */
#ifndef POSIX_REGION_H
#define POSIX_REGION_H

#include <modfs/filesystem.h>

void posix_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                 TF_ReadOnlyMemoryRegion *region,
                                                 TF_Status *status);
const void *posix_region_data(const TF_ReadOnlyMemoryRegion *region);
uint64_t posix_region_length(const TF_ReadOnlyMemoryRegion *region);
void posix_region_cleanup(TF_ReadOnlyMemoryRegion *handle);

#endif
