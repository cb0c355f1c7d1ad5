#include "strings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(remote_strings *strings) {
  if (strings->count < strings->room) return true;
  size_t room = strings->room * 2 + 64;
  char **longer = realloc(strings->items, room * sizeof *longer);
  if (!longer) return false;
  strings->items = longer;
  strings->room = room;
  return true;
}

static void set_no_memory(TF_Status *status) {
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

bool remote_strings_add(remote_strings *strings, const char *text, TF_Status *status) {
  char *copy = strings->count < INT_MAX && reserve(strings) ? strdup(text) : NULL;
  if (copy)
    strings->items[strings->count++] = copy;
  else
    set_no_memory(status);
  return copy != NULL;
}

bool remote_strings_has(const remote_strings *strings, const char *text) {
  for (size_t i = 0; i < strings->count; i++)
    if (strcmp(strings->items[i], text) == 0) return true;
  return false;
}

void remote_strings_fini(remote_strings *strings) {
  for (size_t i = 0; i < strings->count; i++)
    free(strings->items[i]);
  free(strings->items);
  *strings = (remote_strings){.items = NULL};
}

int remote_strings_give(remote_strings *strings, char ***entries, TF_Status *status) {
  if (TF_GetCode(status) == TF_OK && reserve(strings)) {
    *entries = strings->items;
    return (int)strings->count;
  }
  if (TF_GetCode(status) == TF_OK) set_no_memory(status);
  remote_strings_fini(strings);
  return -1;
}
