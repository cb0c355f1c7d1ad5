/* Regions: the bytes of a file at the time of opening, without a copy; the table's operations.
 *
 * They do not change when the file is deleted, replaced or appended to. */
#ifndef MEMORY_REGION_H
#define MEMORY_REGION_H

#include <modfs/filesystem.h>

void memory_fs_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem,
                                                     const char *path,
                                                     TF_ReadOnlyMemoryRegion *region,
                                                     TF_Status *status);
void memory_region_cleanup(TF_ReadOnlyMemoryRegion *region);
const void *memory_region_data(const TF_ReadOnlyMemoryRegion *region);
uint64_t memory_region_length(const TF_ReadOnlyMemoryRegion *region);

#endif
