/* Best fit with coalescing: allocates small blocks out of large pieces, by the strategy that is
 * TensorFlow's default (its bfc_allocator). Addresses are numbers here: nothing is read or written
 * through them. Not thread-safe: the owner locks. */
#ifndef MODFS_CORE_BFC_H
#define MODFS_CORE_BFC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BFC_ALIGNMENT = 256 };

typedef struct bfc bfc;

/* Where large pieces come from; allocate returns 0 when there is no room. */
typedef struct bfc_source {
  void *context;
  uintptr_t (*allocate)(void *context, uint64_t size);
  void (*release)(void *context, uintptr_t address, uint64_t size);
} bfc_source;

typedef struct bfc_stats {
  int64_t num_allocs; /* in all */
  int64_t bytes_in_use;
  int64_t peak_bytes_in_use;
  int64_t largest_alloc_size;
  int64_t bytes_reserved; /* taken from the source */
  int64_t peak_bytes_reserved;
  int64_t bytes_limit;
  int64_t largest_free_block_bytes;
} bfc_stats;

/* limit: the most bytes to take from the source. grows: pieces are taken as they are needed, each
 * twice as large as the one before, or as large as the request; otherwise one piece takes all that
 * the source gives. NULL when memory is short. */
bfc *bfc_new(bfc_source source, uint64_t limit, bool grows);

/* Returns all pieces to the source, even those with blocks in use. */
void bfc_free(bfc *allocator);

/* Allocates size bytes at a multiple of 256; 0 when there is no room. A size of 0 counts as 1. */
uintptr_t bfc_allocate(bfc *allocator, uint64_t size);

/* The same out of the free blocks alone: the source is not called. */
uintptr_t bfc_take(bfc *allocator, uint64_t size);

/* Frees a block. False, and nothing happens, for an address that is not in use. */
bool bfc_release(bfc *allocator, uintptr_t address);

bfc_stats bfc_statistics(const bfc *allocator);

/* The number of free blocks: one for each large piece when nothing is in use. */
size_t bfc_free_blocks(const bfc *allocator);

#endif
