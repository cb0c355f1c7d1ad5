/* The allocator's invariants.
 *
 * Each piece is a list of blocks in the order of their addresses, without gaps; sizes and addresses
 * of blocks are multiples of 256. (The edges of a piece that its source did not align are unused.)
 *
 * A block is free (wanted is 0, and it is in the bin of its size) or in use (wanted is what was
 * asked for, and it is in the bucket of its address); never both, and in neither only within a
 * function. Two neighbours are never both free: releasing a block joins it with its free
 * neighbours, so a piece with nothing in use is one block again. A bin is sorted by size, then by
 * address, so the first block that is large enough is the best fit. An allocation cuts off what it
 * does not need; without memory for the struct of the rest, it keeps the whole block.
 *
 * Pieces only grow in number: all are returned by bfc_free, which frees every struct, too. There is
 * no lock, for the owner has one (memory.c). It may release it while the source is called: then
 * other threads may take and release blocks, but not extend the allocator, so nothing that is kept
 * across a call of the source (limit, wish and the structs of the new piece) is theirs to change. A
 * forked child does not use its parent's allocator. */
#include "bfc.h"

#include <stdlib.h>

/* Bin b holds free blocks from 256 * 2^b bytes up to the next bin; the last one has no end. */
enum { BINS = 40, BUCKETS_AT_FIRST = 256 };

#define FIRST_PIECE ((uint64_t)1 << 20)

typedef struct block {
  uintptr_t address;
  uint64_t size;
  uint64_t wanted;                /* what was asked for; 0: free */
  struct block *before, *after;   /* in its piece, by address */
  struct block *smaller, *larger; /* in its bin, by size, then by address */
  struct block *chained;          /* in its bucket, while in use */
} block;

typedef struct piece {
  uintptr_t address;
  uint64_t size;
  block *first;
  struct piece *next;
} piece;

struct bfc {
  bfc_source source;
  uint64_t limit;
  uint64_t next_piece;
  bool grows;
  block *bins[BINS];
  block **buckets; /* a hash table of the blocks in use, by address */
  size_t bucket_count;
  size_t used_blocks;
  piece *pieces;
  bfc_stats stats;
};

static uint64_t round_up(uint64_t size) {
  uint64_t least = size > 0 ? size : 1;
  return (least + (BFC_ALIGNMENT - 1)) & ~(uint64_t)(BFC_ALIGNMENT - 1);
}

static size_t bin_of(uint64_t size) {
  size_t bin = 63 - (size_t)__builtin_clzll(size / BFC_ALIGNMENT);
  return bin < BINS ? bin : BINS - 1;
}

/* Bins ------------------------------------------------------------------------ */

static bool is_before(const block *a, const block *b) {
  return a->size != b->size ? a->size < b->size : a->address < b->address;
}

static void put_into_bin(bfc *allocator, block *free_block) {
  block **link = &allocator->bins[bin_of(free_block->size)], *smaller = NULL;
  while (*link && is_before(*link, free_block)) {
    smaller = *link;
    link = &smaller->larger;
  }
  free_block->wanted = 0;
  free_block->smaller = smaller;
  free_block->larger = *link;
  if (*link) (*link)->smaller = free_block;
  *link = free_block;
}

static void take_from_bin(bfc *allocator, block *free_block) {
  if (free_block->larger) free_block->larger->smaller = free_block->smaller;
  if (free_block->smaller)
    free_block->smaller->larger = free_block->larger;
  else
    allocator->bins[bin_of(free_block->size)] = free_block->larger;
}

static block *find_best(const bfc *allocator, uint64_t size) {
  for (size_t bin = bin_of(size); bin < BINS; bin++)
    for (block *candidate = allocator->bins[bin]; candidate; candidate = candidate->larger)
      if (candidate->size >= size) return candidate;
  return NULL;
}

/* Blocks in use ---------------------------------------------------------------- */

static size_t bucket_of(const bfc *allocator, uintptr_t address) {
  return (size_t)(address / BFC_ALIGNMENT * 0x9e3779b97f4a7c15u >> 32) &
         (allocator->bucket_count - 1);
}

static void chain(bfc *allocator, block *used) {
  block **bucket = &allocator->buckets[bucket_of(allocator, used->address)];
  used->chained = *bucket;
  *bucket = used;
}

/* Doubles the buckets. Without memory for that the chains grow longer, and nothing fails. */
static void grow_buckets(bfc *allocator) {
  size_t count = allocator->bucket_count;
  block **old = allocator->buckets, **grown = calloc(2 * count, sizeof(block *));
  if (!grown) return;
  allocator->buckets = grown;
  allocator->bucket_count = 2 * count;
  for (size_t i = 0; i < count; i++)
    for (block *used = old[i], *next; used; used = next) {
      next = used->chained;
      chain(allocator, used);
    }
  free(old);
}

static block *remove_used(bfc *allocator, uintptr_t address) {
  block **link = &allocator->buckets[bucket_of(allocator, address)];
  while (*link && (*link)->address != address)
    link = &(*link)->chained;
  block *used = *link;
  if (used) {
    *link = used->chained;
    allocator->used_blocks--;
  }
  return used;
}

/* Large pieces ------------------------------------------------------------------ */

static piece *add_piece(bfc *allocator, uint64_t size) {
  piece *added = calloc(1, sizeof *added);
  block *whole = calloc(1, sizeof *whole);
  uintptr_t address =
      added && whole ? allocator->source.allocate(allocator->source.context, size) : 0;
  /* A piece that is not aligned loses its edges; one that has no 256 bytes left is returned. */
  uintptr_t start = (uintptr_t)round_up(address);
  if (address != 0 && size - (start - address) < BFC_ALIGNMENT) {
    allocator->source.release(allocator->source.context, address, size);
    address = 0;
  }
  if (address == 0) {
    free(added);
    free(whole);
    return NULL;
  }
  *whole = (block){.address = start,
                   .size = (size - (start - address)) & ~(uint64_t)(BFC_ALIGNMENT - 1)};
  *added = (piece){address, size, whole, allocator->pieces};
  allocator->pieces = added;
  allocator->stats.bytes_reserved += (int64_t)size;
  if (allocator->stats.bytes_reserved > allocator->stats.peak_bytes_reserved)
    allocator->stats.peak_bytes_reserved = allocator->stats.bytes_reserved;
  put_into_bin(allocator, whole);
  return added;
}

/* Takes a piece with room for size bytes: each time the source refuses, a tenth less is tried. */
static bool extend(bfc *allocator, uint64_t size) {
  uint64_t left = allocator->limit - (uint64_t)allocator->stats.bytes_reserved;
  uint64_t wish = allocator->grows ? allocator->next_piece : left;
  while (allocator->grows && wish < size && wish < left)
    wish *= 2;
  if (wish > left) wish = left;
  wish &= ~(uint64_t)(BFC_ALIGNMENT - 1);
  while (wish >= size && wish > 0) {
    if (add_piece(allocator, wish)) {
      allocator->next_piece = 2 * wish;
      return true;
    }
    uint64_t smaller = (wish / 10 * 9) & ~(uint64_t)(BFC_ALIGNMENT - 1);
    wish = wish > size && smaller < size ? size : smaller;
  }
  return false;
}

/* The face ---------------------------------------------------------------------- */

bfc *bfc_new(bfc_source source, uint64_t limit, bool grows) {
  bfc *allocator = calloc(1, sizeof *allocator);
  if (!allocator) return NULL;
  allocator->source = source;
  allocator->limit = limit < INT64_MAX ? limit : INT64_MAX;
  allocator->next_piece = FIRST_PIECE;
  allocator->grows = grows;
  allocator->stats.bytes_limit = (int64_t)allocator->limit;
  allocator->buckets = calloc(BUCKETS_AT_FIRST, sizeof *allocator->buckets);
  allocator->bucket_count = BUCKETS_AT_FIRST;
  if (allocator->buckets) return allocator;
  free(allocator);
  return NULL;
}

void bfc_free(bfc *allocator) {
  if (!allocator) return;
  for (piece *old = allocator->pieces, *next; old; old = next) {
    next = old->next;
    for (block *gone = old->first, *after; gone; gone = after) {
      after = gone->after;
      free(gone);
    }
    allocator->source.release(allocator->source.context, old->address, old->size);
    free(old);
  }
  free(allocator->buckets);
  free(allocator);
}

/* Cuts off what exceeds size. The block is in no bin; the rest goes into one. */
static void split(bfc *allocator, block *whole, uint64_t size) {
  block *rest = whole->size > size ? calloc(1, sizeof *rest) : NULL;
  if (!rest) return;
  *rest = (block){.address = whole->address + size,
                  .size = whole->size - size,
                  .before = whole,
                  .after = whole->after};
  if (rest->after) rest->after->before = rest;
  whole->after = rest;
  whole->size = size;
  put_into_bin(allocator, rest);
}

static void count_allocation(bfc_stats *stats, uint64_t size) {
  stats->num_allocs++;
  stats->bytes_in_use += (int64_t)size;
  if (stats->bytes_in_use > stats->peak_bytes_in_use)
    stats->peak_bytes_in_use = stats->bytes_in_use;
  if ((int64_t)size > stats->largest_alloc_size) stats->largest_alloc_size = (int64_t)size;
}

uintptr_t bfc_take(bfc *allocator, uint64_t size) {
  if (size > allocator->limit) return 0;
  uint64_t rounded = round_up(size);
  block *best = find_best(allocator, rounded);
  if (!best) return 0;
  take_from_bin(allocator, best);
  split(allocator, best, rounded);
  best->wanted = size > 0 ? size : 1;
  if (++allocator->used_blocks > allocator->bucket_count) grow_buckets(allocator);
  chain(allocator, best);
  count_allocation(&allocator->stats, best->size);
  return best->address;
}

uintptr_t bfc_allocate(bfc *allocator, uint64_t size) {
  uintptr_t address = bfc_take(allocator, size);
  if (address == 0 && size <= allocator->limit && extend(allocator, round_up(size)))
    address = bfc_take(allocator, size);
  return address;
}

/* Joins two neighbours, both in no bin; right is freed. */
static void join(block *left, block *right) {
  left->size += right->size;
  left->after = right->after;
  if (left->after) left->after->before = left;
  free(right);
}

bool bfc_release(bfc *allocator, uintptr_t address) {
  block *used = remove_used(allocator, address);
  if (!used) return false;
  allocator->stats.bytes_in_use -= (int64_t)used->size;
  used->wanted = 0;
  block *before = used->before, *after = used->after;
  if (after && after->wanted == 0) {
    take_from_bin(allocator, after);
    join(used, after);
  }
  if (before && before->wanted == 0) {
    take_from_bin(allocator, before);
    join(before, used);
    used = before;
  }
  put_into_bin(allocator, used);
  return true;
}

bfc_stats bfc_statistics(const bfc *allocator) {
  bfc_stats stats = allocator->stats;
  for (size_t bin = BINS; bin-- > 0 && stats.largest_free_block_bytes == 0;)
    for (const block *free_block = allocator->bins[bin]; free_block;
         free_block = free_block->larger)
      stats.largest_free_block_bytes = (int64_t)free_block->size;
  return stats;
}

size_t bfc_free_blocks(const bfc *allocator) {
  size_t count = 0;
  for (size_t bin = 0; bin < BINS; bin++)
    for (const block *free_block = allocator->bins[bin]; free_block;
         free_block = free_block->larger)
      count++;
  return count;
}
