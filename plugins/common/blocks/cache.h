/* A cache of file content in blocks, shared by all readers; the least recently used are dropped first. */
#ifndef BLOCKS_CACHE_H
#define BLOCKS_CACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { BLOCKS_SIZE = 256 * 1024 };

typedef struct blocks_block blocks_block;

/* Points to the cache of this process: a forked child starts with an empty one. Starts zeroed. */
typedef struct blocks_cache_place {
  _Atomic(struct blocks_cache *) here;
} blocks_cache_place;

/* Finds a block; NULL when it is not cached. The key names one version of a file.
 * Owns: the caller releases the block. */
blocks_block *blocks_cache_get(blocks_cache_place *place, const char *key, uint64_t index);

/* A new block for n bytes, at most BLOCKS_SIZE, which the caller fills; NULL without memory.
 * Owns: the caller releases the block. */
blocks_block *blocks_cache_new(blocks_cache_place *place, size_t n);

/* Adds a filled block to the cache, which then drops its oldest blocks down to limit bytes. Without
 * memory for the key the block stays uncached. The caller's reference remains either way. */
void blocks_cache_add(blocks_cache_place *place, blocks_block *block, const char *key,
                      uint64_t index, uint64_t limit);

char *blocks_bytes(blocks_block *block, size_t *n);
void blocks_cache_release(blocks_cache_place *place, blocks_block *block);

/* Releases the block and removes it from the cache, if it is still in there. */
void blocks_cache_drop(blocks_cache_place *place, blocks_block *block);

void blocks_cache_flush(blocks_cache_place *place);
void blocks_cache_free(blocks_cache_place *place);

#endif
