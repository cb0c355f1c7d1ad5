/* Creates directories, deletes single entries, syncs directories. */
#ifndef POSIX_DIRECTORY_H
#define POSIX_DIRECTORY_H

#include "../common/slot/slot.h"

FS_SLOT(create_dir) posix_create_dir;
EXTENSION_SLOT(create_private_dir) posix_create_private_dir;
FS_SLOT(recursively_create_dir) posix_recursively_create_dir;
FS_SLOT(delete_file) posix_delete_file;
FS_SLOT(delete_dir) posix_delete_dir;

#endif
