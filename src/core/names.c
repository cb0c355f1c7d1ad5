#include "names.h"

#include <endian.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

bool names_take(modfs_names *names, char *text) {
  bool full = (names->count & (names->count - 1)) == 0;
  if (text && full) {
    size_t capacity = names->count ? 2 * names->count : 1;
    char **items = realloc(names->items, capacity * sizeof *items);
    if (!items) {
      free(text);
      return false;
    }
    names->items = items;
  }
  if (!text) return false;
  names->items[names->count++] = text;
  return true;
}

bool names_add(modfs_names *names, const char *text, size_t length) {
  return names_take(names, strndup(text, length));
}

bool names_end(modfs_names *names) {
  char **items = realloc(names->items, (names->count + 1) * sizeof *items);
  if (!items) return false;
  names->items = items;
  items[names->count] = NULL;
  return true;
}

void modfs_names_fini(modfs_names *names) {
  for (size_t i = 0; i < names->count; i++)
    free(names->items[i]);
  free(names->items);
  *names = (modfs_names){0, NULL};
}

static int compare_strings(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A string by the bytes behind what all have in common: they settle nearly every comparison. */
typedef struct keyed {
  uint64_t key;
  char *text;
} keyed;

static int compare_keyed(const void *a, const void *b) {
  const keyed *left = a, *right = b;
  if (left->key != right->key) return left->key < right->key ? -1 : 1;
  return strcmp(left->text, right->text);
}

static size_t common_length(const modfs_names *names) {
  const char *first = names->items[0];
  size_t length = strlen(first);
  for (size_t i = 1; i < names->count; i++) {
    size_t n = 0;
    while (n < length && names->items[i][n] == first[n])
      n++;
    length = n;
  }
  return length;
}

void modfs_names_sort(modfs_names *names) {
  keyed *all = names->count > 1 ? malloc(names->count * sizeof *all) : NULL;
  if (!all) {
    if (names->count > 1) qsort(names->items, names->count, sizeof *names->items, compare_strings);
    return;
  }
  size_t common = common_length(names);
  for (size_t i = 0; i < names->count; i++) {
    char first[sizeof(uint64_t)] = {0};
    memcpy(first, names->items[i] + common, strnlen(names->items[i] + common, sizeof first));
    memcpy(&all[i].key, first, sizeof first);
    all[i] = (keyed){be64toh(all[i].key), names->items[i]};
  }
  qsort(all, names->count, sizeof *all, compare_keyed);
  for (size_t i = 0; i < names->count; i++)
    names->items[i] = all[i].text;
  free(all);
}

static char *give_string(const char *text, void *(*allocate)(size_t)) {
  size_t size = strlen(text) + 1;
  char *copy = allocate(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

int names_give(modfs_names *names, void *(*allocate)(size_t), void (*release)(void *),
               char ***entries, TF_Status *status) {
  size_t given = 0, count = names->count;
  char **array = count <= INT_MAX ? allocate((count + 1) * sizeof *array) : NULL;
  while (array && given < count && (array[given] = give_string(names->items[given], allocate)))
    given++;
  modfs_names_fini(names);
  if (array && given == count) {
    *entries = array;
    return (int)count;
  }
  while (array && given > 0)
    release(array[--given]);
  if (array) release(array);
  status_no_memory(status);
  return -1;
}
