/* Best fit with coalescing: small pieces handed out of large ones, as TensorFlow's default
 * allocation strategy does (its bfc_allocator). Addresses are numbers here: nothing is read or
 * written through them. Not locked: its owner is. */
#ifndef MODFS_CORE_BFC_H
#define MODFS_CORE_BFC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BFC_ALIGNMENT = 256 };

typedef struct bfc bfc;

/* Where large pieces come from: address 0 means there is none. */
typedef struct bfc_source {
  void *context;
  uintptr_t (*allocate)(void *context, uint64_t size);
  void (*release)(void *context, uintptr_t address, uint64_t size);
} bfc_source;

typedef struct bfc_stats {
  int64_t num_allocs; /* so far */
  int64_t bytes_in_use;
  int64_t peak_bytes_in_use;
  int64_t largest_alloc_size;
  int64_t bytes_reserved; /* taken from the source */
  int64_t peak_bytes_reserved;
  int64_t bytes_limit;
  int64_t largest_free_block_bytes;
} bfc_stats;

/* limit: bytes that may be taken from the source. grows: pieces are taken as they are needed, each
 * at least twice the one before; else all at once, as far as the source gives it.
 * NULL when memory is short. */
bfc *bfc_new(bfc_source source, uint64_t limit, bool grows);

/* Gives all pieces back, also those in use. */
void bfc_free(bfc *allocator);

/* size bytes on a multiple of 256, 0 when there is no room. A size of 0 counts as 1. */
uintptr_t bfc_allocate(bfc *allocator, uint64_t size);

/* An address that was never handed out is left alone: false. */
bool bfc_release(bfc *allocator, uintptr_t address);

bfc_stats bfc_statistics(const bfc *allocator);

/* How many free blocks there are; 1 for each large piece when nothing is in use. */
size_t bfc_free_blocks(const bfc *allocator);

#endif
