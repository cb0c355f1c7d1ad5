#include "reader.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 16 }; /* of one request */

/* Cuts what came into blocks, and returns the first. */
static blocks_block *keep(blocks_reader *reader, uint64_t index, const char *bytes, size_t n) {
  blocks_block *first = NULL;
  uint64_t limit = reader->limit(reader->state);
  for (size_t at = 0; at < n; at += BLOCKS_SIZE) {
    size_t size = n - at < BLOCKS_SIZE ? n - at : BLOCKS_SIZE;
    blocks_block *block = blocks_cache_put(reader->cache, reader->key, index + at / BLOCKS_SIZE,
                                           bytes + at, size, limit);
    if (at == 0)
      first = block;
    else if (block)
      blocks_cache_release(reader->cache, block);
  }
  return first;
}

void blocks_reader_keep(blocks_reader *reader, const char *bytes, size_t n) {
  blocks_block *block = keep(reader, 0, bytes, n);
  if (block) blocks_cache_release(reader->cache, block);
}

static blocks_block *fetch_blocks(blocks_reader *reader, uint64_t index, uint64_t count,
                                  TF_Status *status) {
  uint64_t most = reader->limit(reader->state) / BLOCKS_SIZE / 2;
  if (count > MOST_BLOCKS) count = MOST_BLOCKS;
  if (count > most) count = most > 0 ? most : 1;
  uint64_t offset = index * BLOCKS_SIZE, left = reader->length - offset;
  size_t n = (size_t)(count * BLOCKS_SIZE < left ? count * BLOCKS_SIZE : left);
  char *bytes = reader->fetch(reader->state, offset, n, status);
  if (!bytes) return NULL;
  blocks_block *first = keep(reader, index, bytes, n);
  if (!first) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  free(bytes);
  return first;
}

/* Copies from the block that holds offset; returns how much, 0 on failure. */
static size_t copy_from_block(blocks_reader *reader, uint64_t offset, size_t n, uint64_t ahead,
                              char *buffer, TF_Status *status) {
  uint64_t index = offset / BLOCKS_SIZE, last = (offset + n - 1) / BLOCKS_SIZE;
  size_t held = 0, start = (size_t)(offset % BLOCKS_SIZE);
  blocks_block *block = blocks_cache_get(reader->cache, reader->key, index);
  if (!block) block = fetch_blocks(reader, index, last - index + 1 + ahead, status);
  if (!block) return 0;
  const char *bytes = blocks_bytes(block, &held);
  if (n > held - start) n = held - start;
  memcpy(buffer, bytes + start, n);
  blocks_cache_release(reader->cache, block);
  return n;
}

/* Twice as far with each read that goes on where the last one ended. */
static uint64_t blocks_ahead(blocks_reader *reader, uint64_t offset, size_t n) {
  uint64_t ahead = 0;
  if (atomic_exchange(&reader->end, offset + n) == offset && offset > 0) {
    ahead = atomic_load(&reader->ahead) * 2;
    if (ahead == 0) ahead = 1;
    if (ahead > MOST_BLOCKS) ahead = MOST_BLOCKS;
  }
  atomic_store(&reader->ahead, ahead);
  return ahead;
}

int64_t blocks_reader_read(blocks_reader *reader, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status) {
  uint64_t left = offset < reader->length ? reader->length - offset : 0;
  size_t take = n < left ? n : (size_t)left;
  uint64_t ahead = take > 0 ? blocks_ahead(reader, offset, take) : 0;
  for (size_t done = 0; done < take;) {
    size_t got = copy_from_block(reader, offset + done, take - done, ahead, buffer + done, status);
    if (got == 0) return -1;
    done += got;
  }
  TF_SetStatus(status, take < n ? TF_OUT_OF_RANGE : TF_OK, take < n ? "end of file" : "");
  return (int64_t)take;
}
