#include "cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUCKETS = 1024 };

struct http_block {
  http_block *next; /* of the bucket */
  http_block *newer;
  http_block *older;
  uint64_t hash;
  uint64_t index;
  int holders; /* under the lock */
  char *key;
  size_t length;
  char bytes[];
};

typedef struct http_cache {
  pid_t pid;
  pthread_mutex_t mutex;
  uint64_t held; /* bytes */
  http_block *newest;
  http_block *oldest;
  http_block *buckets[BUCKETS];
  struct http_cache *inherited; /* of the parent; its lock may be held for ever */
} http_cache;

static http_cache *cache_new(http_cache *inherited) {
  http_cache *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  pthread_mutex_init(&made->mutex, NULL);
  made->pid = getpid();
  made->inherited = inherited;
  return made;
}

static http_cache *cache_here(http_cache_place *place) {
  http_cache *cache = atomic_load(&place->here);
  while (!cache || cache->pid != getpid()) {
    http_cache *made = cache_new(cache);
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

static void release(http_block *block) {
  if (--block->holders > 0) return;
  free(block->key);
  free(block);
}

const char *http_block_bytes(const http_block *block, size_t *n) {
  *n = block->length;
  return block->bytes;
}

static http_block **find(http_cache *cache, uint64_t hash, const char *key, uint64_t index) {
  http_block **at = &cache->buckets[hash % BUCKETS];
  while (*at && ((*at)->hash != hash || (*at)->index != index || strcmp((*at)->key, key) != 0))
    at = &(*at)->next;
  return at;
}

static void unlink_age(http_cache *cache, http_block *block) {
  *(block->newer ? &block->newer->older : &cache->newest) = block->older;
  *(block->older ? &block->older->newer : &cache->oldest) = block->newer;
}

static void make_newest(http_cache *cache, http_block *block) {
  block->newer = NULL;
  block->older = cache->newest;
  *(cache->newest ? &cache->newest->newer : &cache->oldest) = block;
  cache->newest = block;
}

static void drop(http_cache *cache, http_block *block) {
  *find(cache, block->hash, block->key, block->index) = block->next;
  unlink_age(cache, block);
  cache->held -= block->length;
  release(block);
}

void http_cache_release(http_cache_place *place, http_block *block) {
  http_cache *cache = cache_here(place);
  if (!cache) return;
  pthread_mutex_lock(&cache->mutex);
  release(block);
  pthread_mutex_unlock(&cache->mutex);
}

http_block *http_cache_get(http_cache_place *place, const char *key, uint64_t index) {
  http_cache *cache = cache_here(place);
  if (!cache) return NULL;
  pthread_mutex_lock(&cache->mutex);
  http_block *block = *find(cache, hash_of(key, index), key, index);
  if (block) {
    block->holders++;
    unlink_age(cache, block);
    make_newest(cache, block);
  }
  pthread_mutex_unlock(&cache->mutex);
  return block;
}

static http_block *block_new(const char *key, uint64_t index, const char *bytes, size_t n) {
  http_block *block = malloc(sizeof *block + n);
  if (!block) return NULL;
  *block = (http_block){.hash = hash_of(key, index), .index = index, .holders = 1, .length = n};
  block->key = strdup(key);
  memcpy(block->bytes, bytes, n);
  if (block->key) return block;
  free(block);
  return NULL;
}

static void insert(http_cache *cache, http_block *block, uint64_t limit) {
  http_block **at = find(cache, block->hash, block->key, block->index);
  if (*at) drop(cache, *at);
  at = &cache->buckets[block->hash % BUCKETS];
  block->next = *at;
  *at = block;
  block->holders++;
  make_newest(cache, block);
  cache->held += block->length;
  http_block *next = NULL;
  for (http_block *old = cache->oldest; old && cache->held > limit; old = next) {
    next = old->newer;
    drop(cache, old);
  }
}

http_block *http_cache_put(http_cache_place *place, const char *key, uint64_t index,
                           const char *bytes, size_t n, uint64_t limit) {
  http_cache *cache = cache_here(place);
  http_block *block = cache ? block_new(key, index, bytes, n) : NULL;
  if (!block) return NULL;
  pthread_mutex_lock(&cache->mutex);
  insert(cache, block, limit);
  pthread_mutex_unlock(&cache->mutex);
  return block;
}

void http_cache_flush(http_cache_place *place) {
  http_cache *cache = cache_here(place);
  if (!cache) return;
  pthread_mutex_lock(&cache->mutex);
  http_block *next = NULL, *block = cache->oldest;
  memset(cache->buckets, 0, sizeof cache->buckets);
  cache->newest = cache->oldest = NULL;
  cache->held = 0;
  for (; block; block = next) {
    next = block->newer;
    release(block);
  }
  pthread_mutex_unlock(&cache->mutex);
}

void http_cache_free(http_cache_place *place) {
  if (!atomic_load(&place->here)) return;
  http_cache_flush(place);
  http_cache *cache = atomic_load(&place->here);
  while (cache) {
    http_cache *inherited = cache->inherited;
    free(cache);
    cache = inherited;
  }
}
