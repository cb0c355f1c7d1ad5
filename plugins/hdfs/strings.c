#include "strings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

static bool reserve(hdfs_strings *strings) {
  if (strings->count < strings->room) return true;
  size_t room = strings->room * 2 + 64;
  char **longer = realloc(strings->items, room * sizeof *longer);
  if (!longer) return false;
  strings->items = longer;
  strings->room = room;
  return true;
}

bool hdfs_strings_add(hdfs_strings *strings, const char *text, TF_Status *status) {
  char *copy = strings->count < INT_MAX && reserve(strings) ? strdup(text) : NULL;
  if (!copy) return hdfs_no_memory(status);
  strings->items[strings->count++] = copy;
  return true;
}

bool hdfs_strings_has(const hdfs_strings *strings, const char *text) {
  for (size_t i = 0; i < strings->count; i++)
    if (strcmp(strings->items[i], text) == 0) return true;
  return false;
}

void hdfs_strings_fini(hdfs_strings *strings) {
  for (size_t i = 0; i < strings->count; i++)
    free(strings->items[i]);
  free(strings->items);
  *strings = (hdfs_strings){.items = NULL};
}

int hdfs_strings_give(hdfs_strings *strings, char ***entries, TF_Status *status) {
  if (hdfs_ok(status) && reserve(strings)) {
    *entries = strings->items;
    return (int)strings->count;
  }
  if (hdfs_ok(status)) hdfs_no_memory(status);
  hdfs_strings_fini(strings);
  return -1;
}
