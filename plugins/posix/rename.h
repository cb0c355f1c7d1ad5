/* Renames files. */
#ifndef POSIX_RENAME_H
#define POSIX_RENAME_H

#include "../common/slot/slot.h"

FS_SLOT(rename_file) posix_rename_file;

#endif
