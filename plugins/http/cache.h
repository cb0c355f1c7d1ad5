/* Blocks of content that all readers share, the least used ones dropped first. */
#ifndef HTTP_CACHE_H
#define HTTP_CACHE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { HTTP_BLOCK = 256 * 1024 };

typedef struct http_block http_block;

/* A cache belongs to a process: a forked child finds a fresh one in this place. Starts zeroed. */
typedef struct http_cache_place {
  _Atomic(struct http_cache *) here;
} http_cache_place;

/* Both return a block that the caller releases; NULL when it is not there, when memory is short. The
 * key names a version of a file. */
http_block *http_cache_get(http_cache_place *place, const char *key, uint64_t index);
http_block *http_cache_put(http_cache_place *place, const char *key, uint64_t index,
                           const char *bytes, size_t n, uint64_t limit);

const char *http_block_bytes(const http_block *block, size_t *n);
void http_cache_release(http_cache_place *place, http_block *block);

void http_cache_flush(http_cache_place *place);
void http_cache_free(http_cache_place *place);

#endif
