/* The pattern language of gitignore(5): a list of patterns, of which the last that matches an entry
 * decides.
 *
 * A path is relative to the directory that the patterns stand for, without "." and "..". That
 * nothing below an excluded directory can be taken back is for the caller, who does not descend
 * into it. */
#ifndef MODFS_CORE_IGNORE_H
#define MODFS_CORE_IGNORE_H

#include <stdbool.h>
#include <stddef.h>

/* What a list says of an entry: nothing, that a pattern matches it, or one that begins with "!". */
typedef enum ignore_verdict { IGNORE_NOTHING, IGNORE_MATCHED, IGNORE_NEGATED } ignore_verdict;

/* A list of compiled patterns; all zero: none. */
typedef struct ignore_list {
  struct ignore_pattern *patterns;
  size_t count;
} ignore_list;

void ignore_list_fini(ignore_list *list);

/* Appends the patterns of a text, one a line, as git reads a file of them: without comments and
 * blank lines. A pattern that can match nothing is dropped. False when memory is short. */
bool ignore_list_add(ignore_list *list, const char *text, size_t length);

/* Takes time in proportion to the length of the path times that of the patterns, at most. */
ignore_verdict ignore_list_match(const ignore_list *list, const char *path, bool is_directory);

#endif
