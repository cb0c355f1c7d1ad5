/* Directories: markers, empty objects whose keys end in a slash. */
#ifndef STORE_DIRECTORY_H
#define STORE_DIRECTORY_H

#include "../slot/slot.h"
#include "../objects/filesystem.h"
#include "call.h"

/* Creates the directory and its missing parents, immediately. */
store_change store_directory_make;

FS_SLOT(create_dir) store_create_dir;
FS_SLOT(recursively_create_dir) store_recursively_create_dir;

#endif
