#include "strings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static bool reserve(objects_strings *strings) {
  if (strings->count < strings->room) return true;
  size_t room = strings->room * 2 + 64;
  char **longer = realloc(strings->items, room * sizeof *longer);
  if (!longer) return false;
  strings->items = longer;
  strings->room = room;
  return true;
}

bool objects_strings_add(objects_strings *strings, const char *text, TF_Status *status) {
  char *copy = strings->count < INT_MAX && reserve(strings) ? strdup(text) : NULL;
  if (copy)
    strings->items[strings->count++] = copy;
  else
    objects_no_memory(status);
  return copy != NULL;
}

int objects_strings_give(objects_strings *strings, char ***entries, TF_Status *status) {
  if (TF_GetCode(status) == TF_OK && reserve(strings)) {
    *entries = strings->items;
    return (int)strings->count;
  }
  if (TF_GetCode(status) == TF_OK) objects_no_memory(status);
  for (size_t i = 0; i < strings->count; i++)
    free(strings->items[i]);
  free(strings->items);
  return -1;
}

bool objects_texts_add(objects_texts *texts, const char *text) {
  size_t n = strlen(text) + 1;
  if (n > texts->room - texts->length) {
    size_t room = 2 * texts->room + n + 4096;
    char *longer = realloc(texts->bytes, room);
    if (!longer) return false;
    texts->bytes = longer;
    texts->room = room;
  }
  memcpy(texts->bytes + texts->length, text, n);
  texts->length += n;
  return true;
}
