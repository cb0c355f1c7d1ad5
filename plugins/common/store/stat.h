/* Finds out what a path is: an object, a directory (a prefix of keys, or a marker "key/"), or nothing. */
#ifndef STORE_STAT_H
#define STORE_STAT_H

#include "../slot/slot.h"
#include "../objects/filesystem.h"
#include "call.h"

/* Asks for an object with this key only. false with NOT_FOUND, and *missing set, when the object does not exist. */
bool store_stat_object(const TF_Filesystem *filesystem, const objects_name *name,
                       objects_object *object, bool *missing, TF_Status *status);

/* Whether keys begin with the name's prefix; for a bucket, whether it exists. Also false on failure. */
store_check store_stat_prefix;

/* Finds an object, else a directory. If there is neither: NOT_FOUND or, below a file, FAILED_PRECONDITION. */
bool store_stat_any(const TF_Filesystem *filesystem, const objects_name *name,
                    objects_object *object, TF_Status *status);

/* Whether it is a directory; if it is a file, FAILED_PRECONDITION. */
store_check store_stat_directory;

/* Sets the status for a key without an object: NOT_FOUND, or FAILED_PRECONDITION for a directory and for a
 * path below a file. */
store_change store_stat_missing;

/* Whether one of the paths above is a file. A directory that is not empty ends the search. */
store_check store_stat_is_below_file;

FS_SLOT(stat) store_stat;
FS_SLOT(path_exists) store_path_exists;
FS_SLOT(is_directory) store_is_directory;
FS_SLOT(get_file_size) store_get_file_size;

#endif
