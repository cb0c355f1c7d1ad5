#include "string_list.h"

#include <endian.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

static bool append(modfs_string_list *names, char *text) {
  bool full = (names->count & (names->count - 1)) == 0;
  if (full) {
    size_t capacity = names->count ? 2 * names->count : 1;
    char **items = realloc(names->items, capacity * sizeof *items);
    if (!items) return false;
    names->items = items;
  }
  names->items[names->count++] = text;
  return true;
}

bool string_list_take(modfs_string_list *names, char *text) {
  bool taken = text && append(names, text);
  if (!taken) free(text);
  return taken;
}

bool string_list_add(modfs_string_list *names, const char *text, size_t length) {
  return string_list_take(names, strndup(text, length));
}

/* Blocks ----------------------------------------------------------------------- */

enum { BLOCK = 64 * 1024, ALIGNMENT = _Alignof(max_align_t) };

struct string_block {
  struct string_block *next;
  size_t size, used;
  _Alignas(max_align_t) char bytes[];
};

/* The first block with room, after adding one if need be; NULL when memory is short. */
static struct string_block *block_for(modfs_string_list *names, size_t least) {
  struct string_block *block = names->blocks;
  if (block && block->size - block->used >= least) return block;
  size_t size = least > BLOCK ? least : BLOCK;
  block = malloc(sizeof *block + size);
  if (!block) return NULL;
  *block = (struct string_block){.next = names->blocks, .size = size};
  return names->blocks = block;
}

char *string_list_room(modfs_string_list *names, size_t least, size_t *size) {
  struct string_block *block = block_for(names, least + ALIGNMENT);
  if (!block) return NULL;
  block->used = (block->used + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  *size = block->size - block->used;
  return block->bytes + block->used;
}

bool string_list_keep(modfs_string_list *names, char *text) {
  return append(names, text);
}

void string_list_use(modfs_string_list *names, size_t used) {
  names->blocks->used += used;
}

bool string_list_pack(modfs_string_list *names, const char *text, const char *ending) {
  size_t length = strlen(text), size = length + strlen(ending) + 1;
  struct string_block *block = block_for(names, size);
  if (!block) return false;
  char *copy = block->bytes + block->used;
  block->used += size;
  memcpy(copy, text, length);
  memcpy(copy + length, ending, size - length);
  return append(names, copy);
}

static void free_blocks(modfs_string_list *names) {
  for (struct string_block *block = names->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  names->blocks = NULL;
}

/* -------------------------------------------------------------------------------- */

/* Gives each string of a list with blocks memory of its own; false when memory is short. */
static bool scatter(modfs_string_list *names) {
  size_t done = 0;
  if (!names->blocks) return true;
  while (done < names->count) {
    char *copy = strdup(names->items[done]);
    if (!copy) break;
    names->items[done++] = copy;
  }
  bool complete = done == names->count;
  while (!complete && done > 0)
    free(names->items[--done]);
  if (!complete) names->count = 0;
  free_blocks(names);
  return complete;
}

bool string_list_end(modfs_string_list *names) {
  if (!scatter(names)) return false;
  char **items = realloc(names->items, (names->count + 1) * sizeof *items);
  if (!items) return false;
  names->items = items;
  items[names->count] = NULL;
  return true;
}

void modfs_string_list_fini(modfs_string_list *names) {
  for (size_t i = 0; !names->blocks && i < names->count; i++)
    free(names->items[i]);
  free_blocks(names);
  free(names->items);
  *names = (modfs_string_list){0};
}

/* Sorting ---------------------------------------------------------------------- */

static int compare_strings(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A string with eight of its bytes as a number, which compares as the bytes do. */
typedef struct keyed {
  uint64_t key;
  char *text;
} keyed;

/* How many are few: sorted by insertion; many: by distributing them; and so many that distributing
 * them to 4,096 places costs less than to 256 more often. */
enum { FEW = 8, MANY = 512, VERY_MANY = 8192, NARROW = 8, WIDE = 12 };

static void sort_few(keyed *all, size_t count) {
  for (size_t i = 1; i < count; i++) {
    keyed one = all[i];
    size_t at = i;
    for (; at > 0 && all[at - 1].key > one.key; at--)
      all[at] = all[at - 1];
    all[at] = one;
  }
}

static void merge(const keyed *left, size_t left_count, const keyed *right, size_t right_count,
                  keyed *to) {
  while (left_count > 0 && right_count > 0) {
    bool takes_right = right->key < left->key;
    *to++ = takes_right ? *right++ : *left++;
    left_count -= !takes_right;
    right_count -= takes_right;
  }
  memcpy(to, left, left_count * sizeof *to);
  memcpy(to + left_count, right, right_count * sizeof *to);
}

/* By merging runs of FEW, which is cheaper than counting bytes until there are many. */
static void sort_some(keyed *all, keyed *spare, size_t count) {
  keyed *from = all, *to = spare;
  for (size_t i = 0; i < count; i += FEW)
    sort_few(all + i, count - i < FEW ? count - i : FEW);
  for (size_t run = FEW; run < count; run *= 2) {
    for (size_t i = 0; i < count; i += 2 * run) {
      size_t left = count - i < run ? count - i : run;
      size_t right = count - i - left < run ? count - i - left : run;
      merge(from + i, left, from + i + left, right, to + i);
    }
    keyed *other = from;
    from = to;
    to = other;
  }
  if (from != all) memcpy(all, from, count * sizeof *all);
}

/* Distributes by some bits of the keys at a shift, and keeps the order of equals. */
static void distribute(const keyed *from, keyed *to, size_t count, unsigned shift, unsigned bits) {
  enum { MOST = 1 << WIDE };
  size_t places[MOST], before = 0, values = (size_t)1 << bits;
  memset(places, 0, values * sizeof *places);
  for (size_t i = 0; i < count; i++)
    places[from[i].key >> shift & (values - 1)]++;
  for (size_t value = 0; value < values; value++) {
    size_t n = places[value];
    places[value] = before;
    before += n;
  }
  for (size_t i = 0; i < count; i++)
    to[places[from[i].key >> shift & (values - 1)]++] = from[i];
}

/* Sorts by the keys: from the last bits to the first, of those in which keys differ. */
static void sort_by_key(keyed *all, keyed *spare, size_t count) {
  unsigned bits = count < VERY_MANY ? NARROW : WIDE;
  uint64_t differing = 0;
  if (count < MANY) {
    sort_some(all, spare, count);
    return;
  }
  for (size_t i = 1; i < count; i++)
    differing |= all[i].key ^ all[0].key;
  keyed *from = all, *to = spare;
  while (differing) {
    unsigned shift = (unsigned)__builtin_ctzll(differing);
    distribute(from, to, count, shift, bits);
    differing &= ~(((UINT64_C(1) << bits) - 1) << shift);
    keyed *other = from;
    from = to;
    to = other;
  }
  if (from != all) memcpy(all, from, count * sizeof *all);
}

static size_t common_length(const keyed *all, size_t count) {
  const char *first = all[0].text;
  size_t length = strlen(first);
  for (size_t i = 1; i < count; i++) {
    size_t n = 0;
    if (strncmp(all[i].text, first, length) == 0) continue;
    while (n < length && all[i].text[n] == first[n])
      n++;
    length = n;
  }
  return length;
}

/* Sorts by the eight bytes behind the common prefix, then each run of equals by the bytes after.
 * Returns whether any are equal. */
static bool sort_keyed(keyed *all, keyed *spare, size_t count) {
  size_t at = common_length(all, count);
  bool equal = false;
  for (size_t i = 0; i < count; i++) {
    char bytes[sizeof(uint64_t)] = {0};
    memcpy(bytes, all[i].text + at, strnlen(all[i].text + at, sizeof bytes));
    memcpy(&all[i].key, bytes, sizeof bytes);
    all[i].key = be64toh(all[i].key);
  }
  sort_by_key(all, spare, count);
  for (size_t start = 0, end; start < count; start = end) {
    for (end = start + 1; end < count && all[end].key == all[start].key; end++) {
    }
    bool ended = (all[start].key & 0xff) == 0;
    if (end - start > 1) equal |= ended || sort_keyed(all + start, spare, end - start);
  }
  return equal;
}

/* Sorts by the keys, or, where memory is short, without them. Returns whether any may be equal. */
static bool sort_strings(char **items, size_t count) {
  keyed *all = malloc(2 * count * sizeof *all);
  if (!all) {
    qsort(items, count, sizeof *items, compare_strings);
    return true;
  }
  for (size_t i = 0; i < count; i++)
    all[i].text = items[i];
  bool equal = sort_keyed(all, all + count, count);
  for (size_t i = 0; i < count; i++)
    items[i] = all[i].text;
  free(all);
  return equal;
}

static void reverse(char **items, size_t count) {
  for (size_t i = 0; i < count / 2; i++) {
    char *other = items[i];
    items[i] = items[count - 1 - i];
    items[count - 1 - i] = other;
  }
}

/* How many strings from the first on are in order, or, falling, in the opposite order. */
static size_t run_length(char *const *items, size_t count, bool falling, bool *equal) {
  size_t i = 1;
  for (; i < count; i++) {
    int order = strcmp(items[i - 1], items[i]);
    if (falling ? order <= 0 : order > 0) break;
    *equal |= order == 0;
  }
  return i;
}

/* Some filesystems list the newest name first, and names are often made in order. Returns whether
 * any may be equal. */
static bool sort(char **items, size_t count) {
  bool equal = false, none = false;
  if (count < 2 || run_length(items, count, false, &equal) == count) return equal;
  if (run_length(items, count, true, &none) < count) return sort_strings(items, count);
  reverse(items, count);
  return false;
}

void string_list_order(char **items, size_t count) {
  sort(items, count);
}

void modfs_string_list_sort(modfs_string_list *names) {
  sort(names->items, names->count);
}

void string_list_unite(modfs_string_list *names) {
  size_t kept = 1;
  if (!sort(names->items, names->count)) return;
  for (size_t i = 1; i < names->count; i++) {
    if (strcmp(names->items[kept - 1], names->items[i]) != 0)
      names->items[kept++] = names->items[i];
    else if (!names->blocks)
      free(names->items[i]);
  }
  names->count = kept;
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
