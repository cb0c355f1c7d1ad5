/* The prefix cache: directories that had keys a moment ago. No path above a file in them is a file. */
#ifndef S3_PREFIX_CACHE_H
#define S3_PREFIX_CACHE_H

#include "filesystem.h"
#include "name.h"

/* Adds a directory that a listing has just found to have keys. */
void s3_prefix_cache_add(const TF_Filesystem *filesystem, const s3_name *name);

/* Discards the entry of a name that is about to become a file. */
void s3_prefix_cache_discard(const TF_Filesystem *filesystem, const s3_name *name);

/* True for two seconds at most. */
bool s3_prefix_cache_has_keys(const TF_Filesystem *filesystem, const s3_name *name);

#endif
