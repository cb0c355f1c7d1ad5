/* A growing list of strings, as the listing operations return it.
 *
 * A host frees each string by itself. Strings of a long list are in arenas, so that this
 * costs a lookup and a count; see names.c. Those of short lists are malloc's. A list is
 * built by one thread; any thread may free its strings. */
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
  struct memory_arena *arena; /* the one that is being filled */
  bool scattered;             /* no place was free for one: use malloc */
};

/* Makes room for that many strings in the array. */
memory_error memory_names_reserve(struct memory_names *names, size_t room);

/* Adds a string of that length; *text is where the caller writes it. The NUL is there already. */
memory_error memory_names_add(struct memory_names *names, size_t length, char **text);

/* Sorts the list; a sorted one costs one pass. */
void memory_names_sort(struct memory_names *names);

/* Frees the strings and the array. */
void memory_names_fini(struct memory_names *names);

/* Gives the list to the host, which frees it, and returns the count. On an error reports it, frees the
 * list and returns -1. */
int memory_names_give(struct memory_names *names, memory_error error, char ***entries,
                      TF_Status *status);

/* Frees a string of a list, or a block of malloc. NULL is allowed. */
void memory_names_free(void *text);

#endif
