/* Checks of a name before a file or a directory is created there. */
#ifndef STORE_PLACE_H
#define STORE_PLACE_H

#include "../objects/filesystem.h"

/* Whether an object may be written: the name is not a directory, no path above it is a file and, with
 * if_none_match, no such object exists. */
bool store_place_may_write(const TF_Filesystem *filesystem, const objects_name *name,
                           TF_Status *status);

/* The same for a name in a new directory: checks if_none_match only. */
bool store_place_may_write_fresh(const TF_Filesystem *filesystem, const objects_name *name,
                                 TF_Status *status);

/* Whether the object does not exist; if it does, ALREADY_EXISTS. */
bool store_place_is_absent(const TF_Filesystem *filesystem, const objects_name *name,
                           TF_Status *status);

/* Whether the parent directory exists; if not, NOT_FOUND, or FAILED_PRECONDITION if a parent is a file. */
bool store_place_has_parent(const TF_Filesystem *filesystem, const objects_name *name,
                            TF_Status *status);

#endif
