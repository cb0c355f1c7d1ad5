/* Generation-checked handles, without a lock: host threads make them while plugin threads use them.
 *
 * A handle holds, from its low bits up, its own number, the number of a slot, and the slot's generation. A
 * slot is new (its number is not below "count"), taken by one thing, whose handles have its present
 * generation, or free (its number is in the free list). Its "state" holds the generation above a bit
 * for each handle that was not used yet. checked_handle_use removes that bit by compare-and-swap, so
 * exactly one caller gets the thing; any other, and any handle of a former generation, gets NULL. The
 * end of the handles moves the generation on; only then does the slot become free. Generations wrap:
 * after 2^32 uses of one slot (2^10 where pointers have 32 bits) a handle that was never used up would
 * match again.
 *
 * "thing" belongs to whoever has the slot: written after it was taken and before a handle is
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
#include <stdlib.h>

enum {
  PLACE_BITS = sizeof(void *) == 8 ? 32 : 22, /* below the generation */
  SLOT_BITS = PLACE_BITS - HANDLE_BITS,
  FIRST_BITS = 6,
  PIECES = SLOT_BITS - FIRST_BITS
};

#define SLOT_MASK (((uint32_t)1 << SLOT_BITS) - 1)
#define GENERATION_MASK ((uint32_t)(UINTPTR_MAX >> PLACE_BITS))

typedef struct place {
  void *thing;            /* owned by whoever has taken the slot */
  _Atomic uint64_t state; /* high half: the generation; low half: handles that were not used */
  atomic_uint next;       /* the next free slot; 0: none */
} place;

/* Piece k has 2^(6 + k) slots. */
static struct {
  place *_Atomic pieces[PIECES];
  atomic_uint count;      /* the lowest number that was never taken */
  _Atomic uint64_t first; /* low half: the first free slot; high half: count of changes */
} slots = {.count = 1};   /* slot 0 stays unused */

static place *piece_at(size_t k, bool make) {
  place *piece = atomic_load_explicit(&slots.pieces[k], memory_order_acquire), *known = NULL;
  if (piece || !make) return piece;
  piece = calloc((size_t)1 << (FIRST_BITS + k), sizeof *piece);
  if (!piece || atomic_compare_exchange_strong(&slots.pieces[k], &known, piece)) return piece;
  free(piece);
  return known;
}

/* NULL when the slot does not exist and is not or cannot be made. */
static place *place_at(uint32_t slot, bool make) {
  uint64_t shifted = (uint64_t)slot + (1u << FIRST_BITS);
  size_t k = 63 - (size_t)__builtin_clzll(shifted) - FIRST_BITS;
  place *piece = k < PIECES ? piece_at(k, make) : NULL;
  return piece ? piece + (shifted - ((uint64_t)1 << (FIRST_BITS + k))) : NULL;
}

/* The next value of "first": the count of changes makes each one differ from all before. */
static uint64_t changed(uint64_t first, uint32_t slot) {
  return ((first >> 32) + 1) << 32 | slot;
}

/* While others change the list, what follows the first slot need not be what the list has: then "first"
 * has changed, too. */
static uint32_t take_free(void) {
  uint64_t first = atomic_load_explicit(&slots.first, memory_order_acquire);
  uint32_t slot, next;
  do {
    slot = (uint32_t)first;
    if (slot == 0) return 0;
    next = atomic_load_explicit(&place_at(slot, false)->next, memory_order_relaxed);
  } while (!atomic_compare_exchange_weak_explicit(&slots.first, &first, changed(first, next),
                                                  memory_order_acquire, memory_order_acquire));
  return slot;
}

static void give_free(uint32_t slot, place *given) {
  uint64_t first = atomic_load_explicit(&slots.first, memory_order_relaxed);
  do
    atomic_store_explicit(&given->next, (uint32_t)first, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&slots.first, &first, changed(first, slot),
                                                memory_order_release, memory_order_relaxed));
}

static uint32_t take_new(void) {
  uint32_t count = atomic_load_explicit(&slots.count, memory_order_relaxed);
  do
    if (count >= SLOT_MASK || !place_at(count, true)) return 0;
  while (!atomic_compare_exchange_weak(&slots.count, &count, count + 1));
  return count;
}

uintptr_t checked_handles_new(void *thing) {
  uint32_t slot = take_free();
  if (slot == 0) slot = take_new();
  if (slot == 0) return 0;
  place *taken = place_at(slot, false);
  taken->thing = thing;
  uint64_t state = atomic_load_explicit(&taken->state, memory_order_relaxed);
  atomic_store_explicit(&taken->state, state | UINT32_MAX, memory_order_release);
  return (uintptr_t)(state >> 32) << PLACE_BITS | (uintptr_t)slot << HANDLE_BITS;
}

static place *place_of(uintptr_t handle, uint32_t *slot) {
  *slot = (uint32_t)(handle >> HANDLE_BITS) & SLOT_MASK;
  return *slot != 0 ? place_at(*slot, false) : NULL;
}

void *checked_handle_use(void *handle, unsigned *number) {
  uint32_t slot;
  place *used = place_of((uintptr_t)handle, &slot);
  if (!used) return NULL;
  uint64_t state = atomic_load_explicit(&used->state, memory_order_relaxed);
  *number = (unsigned)(uintptr_t)handle % HANDLES;
  do
    if (state >> 32 != (uintptr_t)handle >> PLACE_BITS || (state >> *number & 1) == 0) return NULL;
  while (!atomic_compare_exchange_weak_explicit(&used->state, &state,
                                                state & ~(UINT64_C(1) << *number),
                                                memory_order_acq_rel, memory_order_relaxed));
  return used->thing;
}

void checked_handles_end(uintptr_t handles) {
  uint32_t slot;
  place *given = place_of(handles, &slot);
  uint32_t generation = (uint32_t)(handles >> PLACE_BITS) + 1;
  atomic_store_explicit(&given->state, (uint64_t)(generation & GENERATION_MASK) << 32,
                        memory_order_release);
  give_free(slot, given);
}
