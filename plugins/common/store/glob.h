/* Finds the paths that match a pattern. */
#ifndef STORE_GLOB_H
#define STORE_GLOB_H

#include "../slot/slot.h"

FS_SLOT(get_matching_paths) store_get_matching_paths;

#endif
