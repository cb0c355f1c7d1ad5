#include "names.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static memory_error names_grow(struct memory_names *names) {
  size_t room = names->room ? 2 * names->room : 16;
  char **items = realloc(names->items, room * sizeof(*items));
  if (!items) return MEMORY_NO_MEMORY;
  names->items = items;
  names->room = room;
  return MEMORY_OK;
}

memory_error memory_names_add(struct memory_names *names, char *name) {
  memory_error error = name ? MEMORY_OK : MEMORY_NO_MEMORY;
  if (!error && names->count == INT_MAX) error = MEMORY_TOO_MANY;
  if (!error && names->count == names->room) error = names_grow(names);
  if (error)
    free(name);
  else
    names->items[names->count++] = name;
  return error;
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void memory_names_sort(struct memory_names *names) {
  if (names->count > 1) qsort(names->items, names->count, sizeof(*names->items), compare);
}

void memory_names_fini(struct memory_names *names) {
  for (size_t i = 0; i < names->count; ++i)
    free(names->items[i]);
  free(names->items);
  *names = (struct memory_names){0};
}

int memory_names_give(struct memory_names *names, memory_error error, char ***entries,
                      TF_Status *status) {
  if (!error && !names->items) error = names_grow(names);
  if (error) {
    memory_names_fini(names);
    memory_error_report(error, status);
    return -1;
  }
  *entries = names->items;
  return (int)names->count;
}
