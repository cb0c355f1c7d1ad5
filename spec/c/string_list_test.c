/* Lists of strings: sorted as strcmp sorts, in each order that they may have before, and by each of
 * the ways that their number chooses; united; packed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "core/base/string_list.h"

enum { LONGEST = 40, ORDERS = 4 };

static unsigned seed = 1;

static unsigned random_below(unsigned limit) {
  seed = seed * 1103515245u + 12345u;
  return (seed >> 8) % limit;
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Few letters make equal strings, and such with long common beginnings. */
static bool add_random(modfs_string_list *names, const char *prefix, unsigned letters) {
  char text[2 * LONGEST];
  int length = snprintf(text, sizeof text, "%s", prefix);
  for (unsigned i = random_below(LONGEST); i > 0; i--)
    text[length++] = (char)(255 - random_below(letters));
  return string_list_add(names, text, (size_t)length);
}

static void turn(char **items, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    char *other = items[i];
    items[i] = items[count - 1 - i];
    items[count - 1 - i] = other;
  }
}

/* 0: as they come, 1: sorted, 2: the other way round, 3: all but the last two the other way round. */
static void arrange(modfs_string_list *names, int order) {
  if (order > 0 && names->count > 0)
    qsort(names->items, names->count, sizeof *names->items, compare);
  if (order > 1) turn(names->items, names->count);
  if (order > 2 && names->count > 1) turn(names->items + names->count - 2, 2);
}

static bool is_in_order(const modfs_string_list *names, int most) {
  for (size_t i = 1; i < names->count; i++)
    if (strcmp(names->items[i - 1], names->items[i]) > most) return false;
  return true;
}

static bool has_each(const modfs_string_list *names, char *const *texts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!bsearch(&texts[i], names->items, names->count, sizeof *texts, compare)) return false;
  return true;
}

static void test_order(size_t count, const char *prefix, unsigned letters, int order) {
  modfs_string_list names = {0};
  char **texts = malloc((count + 1) * sizeof *texts);
  while (names.count < count && add_random(&names, prefix, letters)) {
  }
  if (!CHECK(texts && names.count == count, "%zu strings", count)) return;
  arrange(&names, order);
  for (size_t i = 0; i < count; i++)
    texts[i] = strdup(names.items[i]);
  modfs_string_list_sort(&names);
  CHECK(names.count == count && is_in_order(&names, 0) && has_each(&names, texts, count),
        "%zu of %u letters are sorted, from order %d", count, letters, order);
  arrange(&names, order);
  string_list_unite(&names);
  CHECK(names.count <= count && is_in_order(&names, -1) && has_each(&names, texts, count),
        "and united");
  modfs_string_list_fini(&names);
  for (size_t i = 0; i < count; i++)
    free(texts[i]);
  free(texts);
}

/* Strings of a list's own memory, some longer than its blocks, between rooms for others. */
static void test_pack(void) {
  enum { COUNT = 300, LONG = 100000 };
  modfs_string_list names = {0};
  char *text = malloc(LONG + 1);
  bool right = text != NULL;
  for (int i = 0; right && i < COUNT; i++) {
    size_t length = i % 7 == 0 ? LONG : (size_t)i, size = 0;
    memset(text, 'a' + i % 26, length);
    text[length] = '\0';
    right = string_list_pack(&names, text, i % 2 ? "/" : "");
    char *room = string_list_room(&names, 100, &size);
    right = right && room && size >= 100 && (uintptr_t)room % _Alignof(max_align_t) == 0;
    if (right) memset(room, 'z', size);
    if (right) string_list_use(&names, (size_t)i % 100);
  }
  for (int i = 0; right && i < COUNT; i++) {
    size_t length = i % 7 == 0 ? LONG : (size_t)i;
    const char *item = names.items[i];
    right = strlen(item) == length + (size_t)(i % 2) && (i % 2 == 0 || item[length] == '/') &&
            (length == 0 || (item[0] == 'a' + i % 26 && item[length - 1] == 'a' + i % 26));
  }
  CHECK(right, "packed strings stay what they were");
  modfs_string_list_fini(&names);
  free(text);
}

int main(void) {
  static const size_t counts[] = {0, 1, 2, 3, 9, 100, 511, 600, 9000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    for (int order = 0; order < ORDERS; order++) {
      test_order(counts[i], "", 200, order);
      test_order(counts[i], "a common beginning/", 3, order);
    }
  test_pack();
  return check_end();
}
