/* Deleting a tree of any depth and width.
 *
 * Each directory is read to its end: entries that are not directories are deleted at
 * once, the names of subdirectories are stacked. Going down opens relative to the parent
 * and never follows a link. Going up uses the parent's descriptor or, where that had to
 * be closed, "..", checked by device and inode. */
#ifndef POSIX_DELETE_H
#define POSIX_DELETE_H

#include "../common/slot/slot.h"

FS_SLOT(delete_recursively) posix_delete_recursively;

#endif
