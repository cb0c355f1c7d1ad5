/* Lists a directory: all names at once, or one after the other. */
#ifndef POSIX_LISTING_H
#define POSIX_LISTING_H

#include "../common/slot/slot.h"

FS_SLOT(get_children) posix_get_children;
EXTENSION_SLOT(open_directory) posix_open_directory;
EXTENSION_SLOT(next_entry) posix_next_entry;
EXTENSION_SLOT(next_entries) posix_next_entries;
EXTENSION_SLOT(close_directory) posix_close_directory;

#endif
