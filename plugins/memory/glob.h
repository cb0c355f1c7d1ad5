/* The pattern language, for one name of a path.
 *
 * * any bytes, ? one byte, [list] and [^list] one byte in or not in a list with
 * ranges, \c the byte c. A list without end is a plain '['. The time is bounded
 * by the product of both lengths. */
#ifndef MEMORY_GLOB_H
#define MEMORY_GLOB_H

#include "path.h"

/* Whether there is anything in it that is not to be taken as it is written. */
bool memory_glob_is_pattern(struct memory_name text);

/* Whether a name, NUL-terminated, matches. */
bool memory_glob_match(struct memory_name pattern, const char *name);

#endif
