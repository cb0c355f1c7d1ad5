/* The pattern language, for one name of a path.
 *
 * `*` matches any bytes, `?` one byte, `[list]` and `[^list]` one byte in or not in a
 * list with ranges, `\c` the byte c. A '[' without an end is literal. The time is bounded
 * by the product of both lengths. */
#ifndef MODFS_GLOB_H
#define MODFS_GLOB_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the pattern contains anything but literal bytes. */
bool glob_is_pattern(const char *text, size_t length);

/* Whether a NUL-terminated name matches. */
bool glob_match(const char *pattern, size_t length, const char *name);

#endif
