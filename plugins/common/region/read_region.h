/* Memory regions of filesystems that cannot map files: the content of a file, read at once. */
#ifndef REGION_READ_REGION_H
#define REGION_READ_REGION_H

#include <modfs/filesystem.h>

/* The slot that reads the file. */
typedef int64_t read_region_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n,
                                 char *buffer, TF_Status *status);

/* Reads all of an open file. Owns: the file stays the caller's; the region is freed by its cleanup. */
void read_region_open(const TF_RandomAccessFile *file, uint64_t length, read_region_read *read,
                      TF_ReadOnlyMemoryRegion *region, TF_Status *status);

/* The slots of the table. */
const void *read_region_data(const TF_ReadOnlyMemoryRegion *region);
uint64_t read_region_length(const TF_ReadOnlyMemoryRegion *region);
void read_region_cleanup(TF_ReadOnlyMemoryRegion *region);

#endif
