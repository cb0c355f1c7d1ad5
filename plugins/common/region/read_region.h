/* Memory regions of filesystems that cannot map files: the content of a file, read at once. */
#ifndef REGION_READ_REGION_H
#define REGION_READ_REGION_H

#include "../slot/slot.h"

/* The files that are read. */
typedef struct read_region_files {
  FS_SLOT(new_random_access_file) * open;
  uint64_t (*length)(const TF_RandomAccessFile *file);
  const TF_RandomAccessFileOps *ops;
} read_region_files;

/* Opens a file, reads all of it and closes it. Owns: the region is freed by its cleanup. */
void read_region_open(const TF_Filesystem *filesystem, const char *path,
                      const read_region_files *files, TF_ReadOnlyMemoryRegion *region,
                      TF_Status *status);

extern const TF_ReadOnlyMemoryRegionOps read_region_ops;

#endif
