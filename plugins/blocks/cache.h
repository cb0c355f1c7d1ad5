/* Blocks of content that all readers share, the least used ones dropped first. */
#ifndef BLOCKS_CACHE_H
#define BLOCKS_CACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCKS_SIZE = 256 * 1024 };

typedef struct blocks_block blocks_block;

/* A cache belongs to a process: a forked child finds a fresh one in this place. Starts zeroed. */
typedef struct blocks_cache_place {
  _Atomic(struct blocks_cache *) here;
} blocks_cache_place;

/* A block of the cache that the caller releases; NULL when it is not there. The key names a version of a
 * file. */
blocks_block *blocks_cache_get(blocks_cache_place *place, const char *key, uint64_t index);

/* A block for n bytes, at most BLOCKS_SIZE, that the caller fills, and releases; NULL when memory is
 * short. */
blocks_block *blocks_cache_new(blocks_cache_place *place, size_t n);

/* Puts a filled block into the cache, which then drops what is beyond the limit; without memory for
 * that it stays the caller's alone. */
void blocks_cache_add(blocks_cache_place *place, blocks_block *block, const char *key,
                      uint64_t index, uint64_t limit);

char *blocks_bytes(blocks_block *block, size_t *n);
void blocks_cache_release(blocks_cache_place *place, blocks_block *block);

/* Releases it, and drops it from the cache, where it is in one. */
void blocks_cache_drop(blocks_cache_place *place, blocks_block *block);

void blocks_cache_flush(blocks_cache_place *place);
void blocks_cache_free(blocks_cache_place *place);

#endif
