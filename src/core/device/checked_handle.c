/* Generation-checked handles, without a lock: host threads make them while plugin threads use them.
 *
 * A handle holds the number of a slot in its low bits and the slot's generation, the count of
 * its uses, above them. A slot is new (its number is not below "count"), taken (one handle has its
 * present generation), free (its number is in the free list) or in a stock. checked_handle_use moves the generation on
 * by compare-and-swap, so exactly one caller gets the thing; any other, and any stale handle, gets
 * NULL. Only then does the slot become free. Generations wrap: after 2^32 uses of one slot (2^10
 * where pointers have 32 bits) a handle that was never used up would match again.
 *
 * Free slots are taken several at a time, into the stock of whoever makes handles, and stay linked by
 * "next" there; so most handles are made without a change to what threads share.
 *
 * "thing" belongs to whoever has the slot: written after it was taken and before the handle is
 * given away, read after the compare-and-swap. The free list is a stack whose head carries a count
 * of changes in its upper half, without which a slot that was popped and pushed back in between
 * would go unnoticed (ABA). Slot 0 is never handed out: no handle is NULL.
 *
 * Slots are allocated in pieces that never move and are never freed, as a late handle may lead
 * to any of them. A fork leaves the child a usable table, for there is no lock to be left locked; a
 * slot that another thread was moving at that moment is lost to the child. */
#include "checked_handle.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
  PLACE_BITS = sizeof(void *) == 8 ? 32 : 22,
  FIRST_BITS = 6,
  PIECES = PLACE_BITS - FIRST_BITS,
  STOCK = 32 /* slots that are taken at once */
};

#define PLACE_MASK (((uintptr_t)1 << PLACE_BITS) - 1)
#define USES_MASK (UINTPTR_MAX >> PLACE_BITS)

typedef struct place {
  void *thing; /* owned by whoever has taken the slot */
  atomic_uintptr_t uses;
  atomic_uint next; /* the next free slot; 0: none */
} place;

/* Piece k has 2^(6 + k) slots. */
static struct {
  place *_Atomic pieces[PIECES];
  atomic_uint count;      /* the lowest number that was never taken */
  _Atomic uint64_t first; /* low half: the first free slot; high half: count of changes */
} handles = {.count = 1}; /* slot 0 stays unused */

static place *piece_at(size_t k, bool make) {
  place *piece = atomic_load_explicit(&handles.pieces[k], memory_order_acquire), *known = NULL;
  if (piece || !make) return piece;
  piece = calloc((size_t)1 << (FIRST_BITS + k), sizeof *piece);
  if (!piece || atomic_compare_exchange_strong(&handles.pieces[k], &known, piece)) return piece;
  free(piece);
  return known;
}

/* NULL when the slot does not exist and is not or cannot be made. */
static place *place_at(uint32_t number, bool make) {
  uint64_t shifted = (uint64_t)number + (1u << FIRST_BITS);
  size_t k = 63 - (size_t)__builtin_clzll(shifted) - FIRST_BITS;
  place *piece = k < PIECES ? piece_at(k, make) : NULL;
  return piece ? piece + (shifted - ((uint64_t)1 << (FIRST_BITS + k))) : NULL;
}

/* The next value of "first": the count of changes makes each one differ from all before. */
static uint64_t changed(uint64_t first, uint32_t number) {
  return ((first >> 32) + 1) << 32 | number;
}

static uint32_t next_of(uint32_t number) {
  return atomic_load_explicit(&place_at(number, false)->next, memory_order_relaxed);
}

static void set_next(place *self, uint32_t next) {
  atomic_store_explicit(&self->next, next, memory_order_relaxed);
}

/* The last of some slots that are linked from one on. While others change the list they need not be
 * what it has: then "first" has changed, too. */
static uint32_t last_of(uint32_t number, size_t most) {
  for (uint32_t next; most > 1 && (next = next_of(number)) != 0; most--)
    number = next;
  return number;
}

/* Takes the first slots of the free list. */
static uint32_t take_free(void) {
  uint64_t first = atomic_load_explicit(&handles.first, memory_order_acquire);
  uint32_t number, last;
  do {
    number = (uint32_t)first;
    if (number == 0) return 0;
    last = last_of(number, STOCK);
  } while (!atomic_compare_exchange_weak_explicit(&handles.first, &first,
                                                  changed(first, next_of(last)),
                                                  memory_order_acquire, memory_order_acquire));
  set_next(place_at(last, false), 0);
  return number;
}

/* Puts slots that are linked from the first to the last one before the free list. */
static void give_free(uint32_t number, place *last) {
  uint64_t first = atomic_load_explicit(&handles.first, memory_order_relaxed);
  do
    set_next(last, (uint32_t)first);
  while (!atomic_compare_exchange_weak_explicit(&handles.first, &first, changed(first, number),
                                                memory_order_release, memory_order_relaxed));
}

static uint32_t take_new(void) {
  uint32_t count = atomic_load_explicit(&handles.count, memory_order_relaxed);
  do
    if (count >= PLACE_MASK || !place_at(count, true)) return 0;
  while (!atomic_compare_exchange_weak(&handles.count, &count, count + 1));
  return count;
}

void *checked_handle_new(handle_stock *stock, void *thing) {
  if (stock->first == 0) stock->first = take_free();
  if (stock->first == 0) stock->first = take_new();
  uint32_t number = stock->first;
  if (number == 0) return NULL;
  place *taken = place_at(number, false);
  stock->first = atomic_load_explicit(&taken->next, memory_order_relaxed);
  taken->thing = thing;
  uintptr_t uses = atomic_load_explicit(&taken->uses, memory_order_relaxed);
  return (void *)(uses << PLACE_BITS | number);
}

void handle_stock_fini(handle_stock *stock) {
  if (stock->first != 0) give_free(stock->first, place_at(last_of(stock->first, STOCK), false));
  stock->first = 0;
}

void *checked_handle_use(void *ticket) {
  uint32_t number = (uint32_t)((uintptr_t)ticket & PLACE_MASK);
  uintptr_t uses = (uintptr_t)ticket >> PLACE_BITS;
  place *used = number != 0 ? place_at(number, false) : NULL;
  if (!used || !atomic_compare_exchange_strong(&used->uses, &uses, (uses + 1) & USES_MASK))
    return NULL;
  void *thing = used->thing;
  give_free(number, used);
  return thing;
}
