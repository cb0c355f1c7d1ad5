/* The block cache.
 *
 * A block is in one of four states:
 *   private  its maker alone fills it; no key, one holder, in no list
 *   cached   in its bucket and in the age list; the cache itself counts as one holder
 *   dropped  in no list any more, but somebody still holds it; the last release frees it
 *   spare    no key, no holder, full size; kept for its memory, at most MOST_SPARE of them
 * Bytes and length change only while a block is private, so holders read them without a lock.
 *
 * One mutex for each cache guards the buckets, the age list, the spare list, the counters and every
 * `holders`. It is a leaf: no callback runs and nothing is fetched while it is held.
 *
 * `held` counts the bytes of cached blocks alone. Dropped and spare blocks come on top of the limit,
 * the spare ones with 16 MiB at most.
 *
 * Fork: a cache belongs to the process whose pid it has. A child never locks its parent's cache,
 * whose mutex may be held for ever and whose lists may be half changed: it makes one of its own on
 * first use and links the old one as `inherited`. blocks_cache_free frees the blocks of its own
 * process and only the headers of inherited caches. */
#include "cache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUCKETS = 1024, MOST_SPARE = 64 };

struct blocks_block {
  blocks_block *next; /* of the bucket, or of the spare ones */
  blocks_block *newer;
  blocks_block *older;
  uint64_t hash;
  uint64_t index;
  int holders; /* under the mutex */
  char *key;   /* NULL: never added, or spare */
  size_t length;
  char bytes[];
};

typedef struct blocks_cache {
  pid_t pid;
  pthread_mutex_t mutex;
  uint64_t held; /* bytes of cached blocks */
  blocks_block *newest;
  blocks_block *oldest;
  blocks_block *buckets[BUCKETS];
  blocks_block *spare; /* reused, because the kernel must zero fresh pages */
  int spares;
  struct blocks_cache *inherited; /* the parent's; never locked, its mutex may be held for ever */
} blocks_cache;

static blocks_cache *cache_new(blocks_cache *inherited) {
  blocks_cache *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  pthread_mutex_init(&made->mutex, NULL);
  made->pid = getpid();
  made->inherited = inherited;
  return made;
}

/* The cache of this process. Of two threads that make one at once, the second frees its own. */
static blocks_cache *cache_here(blocks_cache_place *place) {
  blocks_cache *cache = atomic_load(&place->here);
  while (!cache || cache->pid != getpid()) {
    blocks_cache *made = cache_new(cache);
    if (!made) return NULL;
    if (atomic_compare_exchange_strong(&place->here, &cache, made)) return made;
    free(made);
  }
  return cache;
}

/* FNV-1a. */
static uint64_t hash_of(const char *key, uint64_t index) {
  uint64_t hash = 14695981039346656037u ^ index;
  for (; *key; key++)
    hash = (hash ^ (unsigned char)*key) * 1099511628211u;
  return hash * 1099511628211u;
}

/* Drops one reference, under the mutex; the last one frees the block or makes it spare. */
static void release(blocks_cache *cache, blocks_block *block) {
  if (--block->holders > 0) return;
  free(block->key);
  block->key = NULL;
  if (block->length < BLOCKS_SIZE || cache->spares == MOST_SPARE) {
    free(block);
    return;
  }
  block->next = cache->spare;
  cache->spare = block;
  cache->spares++;
}

char *blocks_bytes(blocks_block *block, size_t *n) {
  *n = block->length;
  return block->bytes;
}

/* The link to the block in its bucket, or to the NULL at the bucket's end. */
static blocks_block **find(blocks_cache *cache, uint64_t hash, const char *key, uint64_t index) {
  blocks_block **at = &cache->buckets[hash % BUCKETS];
  while (*at && ((*at)->hash != hash || (*at)->index != index || strcmp((*at)->key, key) != 0))
    at = &(*at)->next;
  return at;
}

static void unlink_age(blocks_cache *cache, blocks_block *block) {
  *(block->newer ? &block->newer->older : &cache->newest) = block->older;
  *(block->older ? &block->older->newer : &cache->oldest) = block->newer;
}

static void make_newest(blocks_cache *cache, blocks_block *block) {
  block->newer = NULL;
  block->older = cache->newest;
  *(cache->newest ? &cache->newest->newer : &cache->oldest) = block;
  cache->newest = block;
}

static void drop(blocks_cache *cache, blocks_block *block) {
  *find(cache, block->hash, block->key, block->index) = block->next;
  unlink_age(cache, block);
  cache->held -= block->length;
  release(cache, block);
}

static void end_use(blocks_cache_place *place, blocks_block *block, bool dropped) {
  blocks_cache *cache = cache_here(place);
  if (!cache) return;
  pthread_mutex_lock(&cache->mutex);
  /* Another thread may have dropped or replaced it since: only the block itself is removed. */
  if (dropped && block->key && *find(cache, block->hash, block->key, block->index) == block)
    drop(cache, block);
  release(cache, block);
  pthread_mutex_unlock(&cache->mutex);
}

void blocks_cache_release(blocks_cache_place *place, blocks_block *block) {
  end_use(place, block, false);
}

void blocks_cache_drop(blocks_cache_place *place, blocks_block *block) {
  end_use(place, block, true);
}

blocks_block *blocks_cache_get(blocks_cache_place *place, const char *key, uint64_t index) {
  blocks_cache *cache = cache_here(place);
  if (!cache) return NULL;
  pthread_mutex_lock(&cache->mutex);
  blocks_block *block = *find(cache, hash_of(key, index), key, index);
  if (block) {
    block->holders++;
    unlink_age(cache, block);
    make_newest(cache, block);
  }
  pthread_mutex_unlock(&cache->mutex);
  return block;
}

static blocks_block *take_spare(blocks_cache *cache) {
  pthread_mutex_lock(&cache->mutex);
  blocks_block *block = cache->spare;
  if (block) {
    cache->spare = block->next;
    cache->spares--;
  }
  pthread_mutex_unlock(&cache->mutex);
  return block;
}

blocks_block *blocks_cache_new(blocks_cache_place *place, size_t n) {
  blocks_cache *cache = cache_here(place);
  blocks_block *block = cache && n == BLOCKS_SIZE ? take_spare(cache) : NULL;
  if (cache && !block) block = malloc(sizeof *block + n);
  if (block) *block = (blocks_block){.holders = 1, .length = n};
  return block;
}

static void insert(blocks_cache *cache, blocks_block *block, uint64_t limit) {
  blocks_block **at = find(cache, block->hash, block->key, block->index);
  if (*at) drop(cache, *at); /* two readers fetched the same block: the later one stays */
  at = &cache->buckets[block->hash % BUCKETS];
  block->next = *at;
  *at = block;
  block->holders++;
  make_newest(cache, block);
  cache->held += block->length;
  blocks_block *next = NULL;
  for (blocks_block *old = cache->oldest; old && cache->held > limit; old = next) {
    next = old->newer;
    drop(cache, old);
  }
}

void blocks_cache_add(blocks_cache_place *place, blocks_block *block, const char *key,
                      uint64_t index, uint64_t limit) {
  blocks_cache *cache = cache_here(place);
  block->key = cache ? strdup(key) : NULL;
  if (!block->key) return;
  block->hash = hash_of(key, index);
  block->index = index;
  pthread_mutex_lock(&cache->mutex);
  insert(cache, block, limit);
  pthread_mutex_unlock(&cache->mutex);
}

static void free_spare(blocks_cache *cache) {
  for (blocks_block *next = NULL; cache->spare; cache->spare = next) {
    next = cache->spare->next;
    free(cache->spare);
  }
  cache->spares = 0;
}

void blocks_cache_flush(blocks_cache_place *place) {
  blocks_cache *cache = cache_here(place);
  if (!cache) return;
  pthread_mutex_lock(&cache->mutex);
  blocks_block *next = NULL, *block = cache->oldest;
  memset(cache->buckets, 0, sizeof cache->buckets);
  cache->newest = cache->oldest = NULL;
  cache->held = 0;
  for (; block; block = next) {
    next = block->newer;
    release(cache, block);
  }
  free_spare(cache);
  pthread_mutex_unlock(&cache->mutex);
}

void blocks_cache_free(blocks_cache_place *place) {
  if (!atomic_load(&place->here)) return;
  blocks_cache_flush(place);
  blocks_cache *cache = atomic_load(&place->here);
  while (cache) {
    blocks_cache *inherited = cache->inherited;
    free(cache);
    cache = inherited;
  }
}
