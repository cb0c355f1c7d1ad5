/* Listing directories. */
#ifndef ARCHIVE_DIRECTORY_H
#define ARCHIVE_DIRECTORY_H

#include "../common/slot/slot.h"

FS_SLOT(get_children) archive_get_children;
EXTENSION_SLOT(open_directory) archive_open_directory;
EXTENSION_SLOT(next_entry) archive_next_entry;
EXTENSION_SLOT(close_directory) archive_close_directory;

#endif
