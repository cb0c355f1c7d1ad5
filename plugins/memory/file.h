/* Files open for reading: the table's operations.
 *
 * An open file references the content at the time of opening; reads within it take no
 * lock. Reads beyond its end look at the node, which may have grown. */
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include "../common/slot/slot.h"

FS_SLOT(new_random_access_file) memory_fs_new_random_access_file;

extern const TF_RandomAccessFileOps memory_file_ops;

#endif
