/* Files mapped into memory. */
#ifndef POSIX_REGION_H
#define POSIX_REGION_H

#include "../common/slot/slot.h"

FS_SLOT(new_read_only_memory_region_from_file) posix_new_read_only_memory_region_from_file;

extern const TF_ReadOnlyMemoryRegionOps posix_region_ops;

#endif
