/* Regions: the bytes of a file at the time of opening, without a copy; the table's operations.
 *
 * They do not change when the file is deleted, replaced or appended to. */
#ifndef MEMORY_REGION_H
#define MEMORY_REGION_H

#include "../common/slot/slot.h"

FS_SLOT(new_read_only_memory_region_from_file) memory_fs_new_read_only_memory_region_from_file;

extern const TF_ReadOnlyMemoryRegionOps memory_region_ops;

#endif
