/* Paths: from what users write to the form that the tree understands.
 *
 * That form is "/" or "/name/name…": no empty name, no "." or "..", no slash at
 * the end. Of a URI the host is the first name. */
#ifndef MEMORY_PATH_H
#define MEMORY_PATH_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

enum { MEMORY_NAME_MAX = 255, MEMORY_PATH_MAX = 65536 };

/* A piece of a path; not NUL-terminated. */
struct memory_name {
  const char *text;
  size_t length;
};

/* The bytes of "scheme://" at the start of a URI, 0 for a plain path. */
size_t memory_path_scheme_length(const char *uri);

/* Brings a URI or path to the tree's form. Owns: the caller frees it. NULL when memory is short. */
char *memory_path_translate(const char *uri);

/* Whether a path is in the tree's form and within the limits; gives its length. */
memory_error memory_path_check(const char *path, size_t *length);

/* Takes the next name of a path from *at on; false when there is none before end. */
bool memory_path_next(const char **at, const char *end, struct memory_name *name);

/* The last name; empty for "/". */
struct memory_name memory_path_base(const char *path, size_t length);

/* The length of what stands before the last name: 1 for "/" and "/a", 2 for "/a/b". */
size_t memory_path_parent_length(const char *path, size_t length);

/* Whether path is top, or something below it. */
bool memory_path_covers(const char *top, size_t top_length, const char *path, size_t length);

/* Orders paths so that all that is below one follows it at once. */
int memory_path_compare(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
