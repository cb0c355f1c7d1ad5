/* A growing list of strings, as the listing operations return it.
 *
 * A host frees each string by itself. Those of a long list lie in arenas, so that
 * this costs a look and a count: an arena is aligned to its size, stands in a table
 * at a place that its address gives, and ends with its last string. A place holds
 * one arena: while it is taken, strings are malloc's, as those of short lists are.
 *
 * Nothing is locked. A list is built by one thread, which holds a count of its own
 * in the arena at hand; who frees a string has it, so its arena is still there, and
 * what malloc gave is never in the range of an arena that stands in the table. */
#ifndef MEMORY_NAMES_H
#define MEMORY_NAMES_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

struct memory_arena;

struct memory_names {
  char **items; /* NULL until the first one is added */
  size_t count;
  size_t room;
  struct memory_arena *arena; /* the one at hand */
  bool scattered;             /* there was no place for one */
};

/* Makes room for as many strings. */
memory_error memory_names_reserve(struct memory_names *names, size_t room);

/* Adds a string of that length and gives the place to write it to; its NUL is there. */
memory_error memory_names_add(struct memory_names *names, size_t length, char **text);

/* Sorts; what is sorted already costs one pass. */
void memory_names_sort(struct memory_names *names);

/* Frees the strings and the array. */
void memory_names_fini(struct memory_names *names);

/* Hands the list to the host, who frees it, and returns the count; or reports, frees it and returns
 * -1 when there was an error. */
int memory_names_give(struct memory_names *names, memory_error error, char ***entries,
                      TF_Status *status);

/* Frees what a list holds, or malloc gave. NULL is allowed. */
void memory_names_free(void *text);

#endif
