/* Checks of a name before a file or a directory is created there. */
#ifndef STORE_PLACE_H
#define STORE_PLACE_H

#include "../objects/filesystem.h"
#include "call.h"

/* Whether an object may be written: the name is not a directory, no path above it is a file and, with
 * if_none_match, no such object exists. */
store_check store_place_may_write;

/* The same for a name in a new directory: checks if_none_match only. */
store_check store_place_may_write_fresh;

/* Whether the object does not exist; if it does, ALREADY_EXISTS. */
store_check store_place_is_absent;

/* Whether the parent directory exists; if not, NOT_FOUND, or FAILED_PRECONDITION if a parent is a file. */
store_check store_place_has_parent;

#endif
