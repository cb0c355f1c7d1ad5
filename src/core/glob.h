/* What the core needs of patterns beyond the public functions. */
#ifndef MODFS_CORE_GLOB_H
#define MODFS_CORE_GLOB_H

#include <modfs/modfs.h>

/* Whether a pattern has any of * ? [ \ in its first length bytes. */
bool glob_has_magic(const char *pattern, size_t length);

/* The paths that match, sorted, each once; with_stars: a segment "**" is any number of directories.
 * Nothing is cleared before. A failure that a listing met is located, one of its own is not. */
void glob_find(const modfs_fs *fs, const char *pattern, bool with_stars, modfs_names *names,
               TF_Status *status);

#endif
