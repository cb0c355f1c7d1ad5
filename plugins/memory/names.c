/* String lists, and the arenas of long ones.
 *
 * The ABI lets the host free each string of a list by itself. Strings of a long list are in arenas, so
 * that freeing one is a lookup and a count. An arena is ARENA bytes, aligned to its size, so the address
 * of a string gives its arena's address. Whether there really is an arena is in `places`: its address
 * selects one place, which holds that address, or another arena's, or 0.
 *
 * States of an arena: being filled by one thread, which holds one count of its own; complete; freed,
 * when all strings are. If its place is taken when it is made, the list uses malloc from then on.
 *
 * No locks. A place is taken by compare-and-swap. `strings` is changed by the builder alone as long as
 * it fills the arena, because nobody else has a string of it yet, and afterwards by atomic decrements.
 * Whoever frees a string holds a count, so its arena's place cannot be emptied meanwhile. malloc's
 * blocks are never inside an arena that is in the table, so a match is never mistaken.
 *
 * Who frees: the last string, or the builder, clears the place and frees the arena. Fork: a child has a
 * copy of the table and of all arenas, and frees its strings there. */
#include "names.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ARENA = 1 << 20,
  PLACES = 64,
  LONG_LIST = 1024 /* strings: longer lists are worth the memory of an arena */
};

struct memory_arena {
  atomic_size_t strings; /* not freed yet, and one more while the arena is being filled */
  size_t used;
};

static _Atomic uintptr_t places[PLACES]; /* 0: free */

/* Arenas ------------------------------------------------------------------------- */

static _Atomic uintptr_t *place_of(uintptr_t base) {
  return &places[base / ARENA % PLACES];
}

static struct memory_arena *arena_new(void) {
  struct memory_arena *arena = aligned_alloc(ARENA, ARENA);
  uintptr_t none = 0;
  if (!arena) return NULL;
  if (atomic_compare_exchange_strong(place_of((uintptr_t)arena), &none, (uintptr_t)arena)) {
    atomic_init(&arena->strings, 1);
    arena->used = sizeof(*arena);
    return arena;
  }
  free(arena);
  return NULL;
}

static void arena_drop(struct memory_arena *arena) {
  if (!arena || atomic_fetch_sub_explicit(&arena->strings, 1, memory_order_acq_rel) != 1) return;
  atomic_store(place_of((uintptr_t)arena), 0);
  free(arena);
}

/* No atomic increment is needed: nobody else has a string of this arena yet. */
static char *arena_take(struct memory_arena *arena, size_t size) {
  char *text = (char *)arena + arena->used;
  size_t strings = atomic_load_explicit(&arena->strings, memory_order_relaxed);
  arena->used += size;
  atomic_store_explicit(&arena->strings, strings + 1, memory_order_relaxed);
  return text;
}

void memory_names_free(void *text) {
  uintptr_t base = (uintptr_t)text / ARENA * ARENA;
  if (base && atomic_load_explicit(place_of(base), memory_order_acquire) == base)
    arena_drop((struct memory_arena *)base);
  else
    free(text);
}

/* Lists --------------------------------------------------------------------------- */

memory_error memory_names_reserve(struct memory_names *names, size_t room) {
  if (room <= names->room) return MEMORY_OK;
  char **items = realloc(names->items, room * sizeof(*items));
  if (!items) return MEMORY_NO_MEMORY;
  names->items = items;
  names->room = room;
  return MEMORY_OK;
}

static memory_error names_grow(struct memory_names *names) {
  return memory_names_reserve(names, names->room ? 2 * names->room : 16);
}

static bool has_room(const struct memory_names *names, size_t size) {
  return names->arena && size <= ARENA - names->arena->used;
}

static char *string_new(struct memory_names *names, size_t size) {
  if (!has_room(names, size) && names->room > LONG_LIST && !names->scattered) {
    arena_drop(names->arena);
    names->arena = arena_new();
    names->scattered = !names->arena;
  }
  return has_room(names, size) ? arena_take(names->arena, size) : malloc(size);
}

memory_error memory_names_add(struct memory_names *names, size_t length, char **text) {
  memory_error error = MEMORY_OK;
  if (names->count == INT_MAX) return MEMORY_TOO_MANY;
  if (names->count == names->room) error = names_grow(names);
  char *string = error ? NULL : string_new(names, length + 1);
  if (!string) return MEMORY_NO_MEMORY;
  string[length] = '\0';
  names->items[names->count++] = *text = string;
  return MEMORY_OK;
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void memory_names_sort(struct memory_names *names) {
  size_t i = 1;
  while (i < names->count && strcmp(names->items[i - 1], names->items[i]) <= 0)
    ++i;
  if (i < names->count) qsort(names->items, names->count, sizeof(*names->items), compare);
}

void memory_names_fini(struct memory_names *names) {
  arena_drop(names->arena);
  for (size_t i = 0; i < names->count; ++i)
    memory_names_free(names->items[i]);
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
  arena_drop(names->arena);
  *entries = names->items;
  return (int)names->count;
}
