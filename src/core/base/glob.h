/* Patterns: the functions that are not public. */
#ifndef MODFS_CORE_GLOB_H
#define MODFS_CORE_GLOB_H

#include <modfs/modfs.h>

/* Whether a pattern has any of * ? [ \ in its first length bytes. */
bool glob_has_magic(const char *pattern, size_t length);

/* The paths that match, sorted, each once; with_stars: a segment "**" matches any number of
 * directories. status must be OK on entry. A failure of a listing is located, others are not. */
void glob_find(const modfs_fs *fs, const char *pattern, bool with_stars, modfs_string_list *names,
               TF_Status *status);

#endif
