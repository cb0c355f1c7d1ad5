/* Files opened for reading. */
#ifndef POSIX_FILE_H
#define POSIX_FILE_H

#include "../common/slot/slot.h"

FS_SLOT(new_random_access_file) posix_new_random_access_file;

extern const TF_RandomAccessFileOps posix_file_ops;

#endif
