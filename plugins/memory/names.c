#include "names.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  ARENA = 1 << 20,
  PLACES = 64,
  LONG_LIST = 1024 /* strings, for which an arena is worth its memory */
};

struct memory_arena {
  atomic_size_t strings; /* that are not freed yet, and one while more are added */
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

/* The builder's count keeps the arena, and nobody else has any string of it. */
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
