/* The prefix cache: directories that had keys a moment ago. No path above a file in them is a file. */
#ifndef STORE_PREFIX_CACHE_H
#define STORE_PREFIX_CACHE_H

#include "../objects/filesystem.h"

/* Adds a directory that a listing has just found to have keys. */
void store_prefix_cache_add(const TF_Filesystem *filesystem, const objects_name *name);

/* Discards the entry of a name that is about to become a file. */
void store_prefix_cache_discard(const TF_Filesystem *filesystem, const objects_name *name);

/* Discards those of a name that is deleted and of the directories above it, whose only key it may have been. */
void store_prefix_cache_discard_around(const TF_Filesystem *filesystem, const objects_name *name);

/* Discards all entries. */
void store_prefix_cache_clear(const TF_Filesystem *filesystem);

/* True for two seconds at most. */
bool store_prefix_cache_has_keys(const TF_Filesystem *filesystem, const objects_name *name);

#endif
