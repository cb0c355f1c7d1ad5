/* Regions: the bytes of a file as they were at opening, without a copy; the table's operations.
 *
 * They stay what they were when the file is deleted, replaced or grown. */
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
