/* The pattern language, for one name of a path.
 *
 * `*` matches any bytes, `?` one byte, `[list]` and `[^list]` one byte in or not in a
 * list with ranges, `\c` the byte c. A '[' without an end is literal. The time is bounded
 * by the product of both lengths. */
#ifndef MEMORY_GLOB_H
#define MEMORY_GLOB_H

#include "path.h"

/* Whether the pattern contains anything but literal bytes. */
bool memory_glob_is_pattern(struct memory_name text);

/* Whether a NUL-terminated name matches. */
bool memory_glob_match(struct memory_name pattern, const char *name);

#endif
