#include "string_list.h"

#include <endian.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

bool string_list_take(modfs_string_list *names, char *text) {
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

bool string_list_add(modfs_string_list *names, const char *text, size_t length) {
  return string_list_take(names, strndup(text, length));
}

bool string_list_end(modfs_string_list *names) {
  char **items = realloc(names->items, (names->count + 1) * sizeof *items);
  if (!items) return false;
  names->items = items;
  items[names->count] = NULL;
  return true;
}

void modfs_string_list_fini(modfs_string_list *names) {
  for (size_t i = 0; i < names->count; i++)
    free(names->items[i]);
  free(names->items);
  *names = (modfs_string_list){0, NULL};
}

static int compare_strings(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A string with eight of its bytes as a number, which compares as the bytes do. */
typedef struct keyed {
  uint64_t key;
  char *text;
} keyed;

static int compare_keys(const void *a, const void *b) {
  uint64_t left = ((const keyed *)a)->key, right = ((const keyed *)b)->key;
  return (left > right) - (left < right);
}

static size_t common_length(const keyed *all, size_t count) {
  const char *first = all[0].text;
  size_t length = strlen(first);
  for (size_t i = 1; i < count; i++) {
    size_t n = 0;
    while (n < length && all[i].text[n] == first[n])
      n++;
    length = n;
  }
  return length;
}

/* Sorts by the eight bytes behind the common prefix, then each run of equals by the bytes after. */
static void sort_keyed(keyed *all, size_t count) {
  size_t at = common_length(all, count);
  for (size_t i = 0; i < count; i++) {
    char bytes[sizeof(uint64_t)] = {0};
    memcpy(bytes, all[i].text + at, strnlen(all[i].text + at, sizeof bytes));
    memcpy(&all[i].key, bytes, sizeof bytes);
    all[i].key = be64toh(all[i].key);
  }
  qsort(all, count, sizeof *all, compare_keys);
  for (size_t start = 0, end; start < count; start = end) {
    for (end = start + 1; end < count && all[end].key == all[start].key; end++) {
    }
    bool ended = (all[start].key & 0xff) == 0;
    if (end - start > 1 && !ended) sort_keyed(all + start, end - start);
  }
}

static bool is_sorted(char *const *items, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (strcmp(items[i - 1], items[i]) > 0) return false;
  return true;
}

void string_list_order(char **items, size_t count) {
  if (is_sorted(items, count)) return;
  keyed *all = count > 1 ? malloc(count * sizeof *all) : NULL;
  if (!all) {
    if (count > 1) qsort(items, count, sizeof *items, compare_strings);
    return;
  }
  for (size_t i = 0; i < count; i++)
    all[i].text = items[i];
  sort_keyed(all, count);
  for (size_t i = 0; i < count; i++)
    items[i] = all[i].text;
  free(all);
}

void modfs_string_list_sort(modfs_string_list *names) {
  string_list_order(names->items, names->count);
}

static char *give_string(const char *text, void *(*allocate)(size_t)) {
  size_t size = strlen(text) + 1;
  char *copy = allocate(size);
  return copy ? memcpy(copy, text, size) : NULL;
}

int string_list_give(modfs_string_list *names, void *(*allocate)(size_t), void (*release)(void *),
                     char ***entries, TF_Status *status) {
  size_t given = 0, count = names->count;
  char **array = count <= INT_MAX ? allocate((count + 1) * sizeof *array) : NULL;
  while (array && given < count && (array[given] = give_string(names->items[given], allocate)))
    given++;
  modfs_string_list_fini(names);
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
