/* Paths: from what users write to the canonical form of the tree.
 *
 * The canonical form is "/" or "/name/name…": no empty name, no "." or "..", no slash at
 * the end. The host of a URI is the first name. */
#ifndef MEMORY_PATH_H
#define MEMORY_PATH_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

enum { MEMORY_NAME_MAX = 255, MEMORY_PATH_MAX = 65536 };

/* One name of a path; not NUL-terminated. */
struct memory_name {
  const char *text;
  size_t length;
};

/* The length of "scheme://" at the start of a URI; 0 for a plain path. */
size_t memory_path_scheme_length(const char *uri);

/* Converts a URI or path to the canonical form; NULL without memory. Owns: the caller frees it. */
char *memory_path_translate(const char *uri);

/* Checks that a path is canonical and within the limits; returns its length. */
memory_error memory_path_check(const char *path, size_t *length);

/* Gets the next name of a path and moves *at behind it; false when there is none before end. */
bool memory_path_next(const char **at, const char *end, struct memory_name *name);

/* The last name; empty for "/". */
struct memory_name memory_path_base(const char *path, size_t length);

/* The length of the parent path: 1 for "/" and "/a", 2 for "/a/b". */
size_t memory_path_parent_length(const char *path, size_t length);

/* Whether path is top or lies below it. */
bool memory_path_covers(const char *top, size_t top_length, const char *path, size_t length);

/* Orders paths so that everything below a path follows it immediately. */
int memory_path_compare(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
