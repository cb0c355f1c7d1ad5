/* A growing list of strings, as the listing operations return it. */
#ifndef MEMORY_NAMES_H
#define MEMORY_NAMES_H

#include "error.h"

#include <stddef.h>

struct memory_names {
  char **items; /* NULL until the first one is added */
  size_t count;
  size_t room;
};

/* Adds a string and takes it over; frees it on failure. NULL counts as memory being short. */
memory_error memory_names_add(struct memory_names *names, char *name);

void memory_names_sort(struct memory_names *names);

/* Frees the strings and the array. */
void memory_names_fini(struct memory_names *names);

/* Hands the list to the host, who frees it, and returns the count; or reports, frees it and returns
 * -1 when there was an error. */
int memory_names_give(struct memory_names *names, memory_error error, char ***entries,
                      TF_Status *status);

#endif
