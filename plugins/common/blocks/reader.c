/* Sequential and random reads through the block cache.
 *
 * A reader is constant after its owner filled it in, but for the hints `end` and `ahead`, which are
 * atomics. Reads on several threads may mix these up: that costs a useless or a missing read-ahead,
 * never a wrong byte.
 *
 * A piece belongs to one request and to the thread that performs it. Its blocks are private (see
 * cache.c) until the whole piece has arrived; then all of them are added to the cache at once, and an
 * incomplete piece adds none. So a cached block is always complete.
 *
 * Locks: none here. No lock is held during a request. Two readers that miss the same block both
 * fetch it, and the later one replaces the block of the other.
 *
 * Who frees: piece_end releases all blocks of a piece but the first, which it returns to the caller.
 * Threads of one read are joined before that read returns, so none outlives its reader.
 * Fork: a reader keeps nothing of a process. In a child it fills the child's cache. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

#include "../parallel/parallel.h"

/* Blocks of one request: at least, when there are several at a time, and at most. */
enum { LEAST_BLOCKS = 4, MOST_BLOCKS = 16 };

struct blocks_piece {
  blocks_reader *reader;
  size_t size;   /* bytes requested */
  size_t length; /* bytes received */
  blocks_block *blocks[MOST_BLOCKS];
};

/* Where the byte at `at` is to be stored, at most *room from there; NULL without memory. */
static char *piece_room(blocks_piece *piece, size_t at, size_t *room) {
  blocks_block **block = &piece->blocks[at / BLOCKS_SIZE];
  size_t start = at % BLOCKS_SIZE, left = piece->size - (at - start), size = 0;
  if (!*block)
    *block = blocks_cache_new(piece->reader->cache, left < BLOCKS_SIZE ? left : BLOCKS_SIZE);
  if (!*block) return NULL;
  char *bytes = blocks_bytes(*block, &size);
  *room = size - start;
  return bytes + start;
}

char *blocks_next_room(const blocks_next *next, size_t at, size_t *room) {
  if (!next->bytes) return piece_room(next->piece, at, room);
  *room = next->n - at;
  return next->bytes + at;
}

void blocks_next_tell(const blocks_next *next) {
  if (next->piece) next->piece->length = next->n;
}

bool blocks_piece_take(blocks_piece *piece, size_t at, const char *bytes, size_t n) {
  if (at > piece->size || n > piece->size - at) return false;
  piece->length = at + n;
  for (size_t room = 0; n > 0; at += room, bytes += room, n -= room) {
    char *place = piece_room(piece, at, &room);
    if (!place) return false;
    if (room > n) room = n;
    memcpy(place, bytes, room);
  }
  return true;
}

/* Adds a whole piece to the cache and returns its first block; releases an incomplete one. */
static blocks_block *piece_end(blocks_piece *piece, uint64_t index, bool whole) {
  blocks_reader *reader = piece->reader;
  uint64_t limit = reader->limit(reader->state);
  for (uint64_t i = 0; i < MOST_BLOCKS && piece->blocks[i]; i++) {
    if (whole) blocks_cache_add(reader->cache, piece->blocks[i], reader->key, index + i, limit);
    if (!whole || i > 0) blocks_cache_release(reader->cache, piece->blocks[i]);
  }
  return whole ? piece->blocks[0] : NULL;
}

void blocks_reader_keep(blocks_reader *reader, const char *bytes, size_t n) {
  blocks_piece piece = {.reader = reader, .size = n};
  blocks_block *block = piece_end(&piece, 0, blocks_piece_take(&piece, 0, bytes, n));
  if (block) blocks_cache_release(reader->cache, block);
}

static uint64_t most_blocks(const blocks_reader *reader) {
  return reader->parallel > 1 ? (uint64_t)reader->parallel * MOST_BLOCKS : MOST_BLOCKS;
}

/* Fetches and caches count blocks, fewer at the end of the file, and returns the first. */
static blocks_block *fetch_piece(blocks_reader *reader, uint64_t index, uint64_t count,
                                 TF_Status *status) {
  uint64_t offset = index * BLOCKS_SIZE, left = reader->length - offset;
  size_t n = (size_t)(count * BLOCKS_SIZE < left ? count * BLOCKS_SIZE : left);
  blocks_piece piece = {.reader = reader, .size = n};
  bool good = reader->fetch(reader->state, offset, n, &piece, status);
  if (good && piece.length < n)
    TF_SetStatus(status, TF_DATA_LOSS, "fewer bytes were received than requested");
  return piece_end(&piece, index, good && piece.length == n);
}

/* Several pieces fetched in parallel. Only the first one was requested by the caller: a failure of
 * the others is dropped, and reported if their blocks are read later. */
typedef struct fetching {
  blocks_reader *reader;
  uint64_t index;
  uint64_t count;
  uint64_t piece;
  blocks_block *first;
  TF_Status *status;
} fetching;

static bool fetch_one(void *state, uint64_t i) {
  fetching *self = state;
  uint64_t at = i * self->piece, left = self->count - at;
  TF_Status *status = i == 0 ? self->status : TF_NewStatus();
  if (!status) return false;
  blocks_block *block =
      fetch_piece(self->reader, self->index + at, left < self->piece ? left : self->piece, status);
  if (i == 0)
    self->first = block;
  else if (block)
    blocks_cache_release(self->reader->cache, block);
  if (i > 0) TF_DeleteStatus(status);
  return block != NULL;
}

static blocks_block *fetch_blocks(blocks_reader *reader, uint64_t index, uint64_t count,
                                  TF_Status *status) {
  /* Half of the cache at most: read-ahead must not evict itself. */
  uint64_t most = reader->limit(reader->state) / BLOCKS_SIZE / 2;
  uint64_t left = (reader->length - index * BLOCKS_SIZE + BLOCKS_SIZE - 1) / BLOCKS_SIZE;
  if (most > most_blocks(reader)) most = most_blocks(reader);
  if (most == 0) most = 1;
  if (count > most) count = most;
  if (count > left) count = left;
  int parallel = reader->parallel > 1 ? reader->parallel : 1;
  uint64_t piece = (count + (uint64_t)parallel - 1) / (uint64_t)parallel;
  if (piece < LEAST_BLOCKS) piece = LEAST_BLOCKS;
  fetching all = {reader, index, count, piece, NULL, status};
  parallel_for((count + piece - 1) / piece, parallel, fetch_one, &all);
  return all.first;
}

/* What is left of a read. */
typedef struct remainder {
  uint64_t offset;
  size_t n;
  char *buffer;
  uint64_t ahead; /* blocks to fetch beyond the last */
} remainder;

/* A sequential reader of a file that is larger than the cache will find none of its blocks when it
 * starts again. So it drops each block once read, instead of evicting blocks that others use. */
static bool is_passed(blocks_reader *reader, const remainder *left) {
  return left->ahead > 0 && left->offset % BLOCKS_SIZE == 0 &&
         reader->length > reader->limit(reader->state);
}

static void advance(remainder *left, size_t n) {
  left->offset += n;
  left->buffer += n;
  left->n -= n;
}

/* How many bytes of the read would be cached and passed at once: whole blocks. At most so many at a time as are to
 * be received again when their request fails. */
static size_t bytes_to_pass(blocks_reader *reader, const remainder *left) {
  const size_t most = (size_t)LEAST_BLOCKS * BLOCKS_SIZE;
  bool whole = left->offset % BLOCKS_SIZE == 0 && reader->length > reader->limit(reader->state);
  size_t rest = left->offset + left->n < reader->length ? left->n % BLOCKS_SIZE : 0;
  size_t n = left->n > most ? most : left->n - rest;
  return whole ? n : 0;
}

/* Takes what is next from where the read goes on: blocks that would be passed at once into the buffer, and there is
 * no block then; another one into the cache. False with OK: it is to be fetched. */
static bool follow_block(blocks_reader *reader, remainder *left, uint64_t window,
                         blocks_block **block, TF_Status *status) {
  size_t passed = bytes_to_pass(reader, left);
  uint64_t index = left->offset / BLOCKS_SIZE, there = reader->length - index * BLOCKS_SIZE;
  size_t n = there < BLOCKS_SIZE ? (size_t)there : BLOCKS_SIZE;
  blocks_piece piece = {.reader = reader, .size = n};
  blocks_next next = {index * BLOCKS_SIZE, n, NULL, &piece, window};
  if (passed > 0) next = (blocks_next){left->offset, passed, left->buffer, NULL, window};
  TF_SetStatus(status, TF_OK, "");
  bool good = reader->follow(reader->state, &next, status);
  if (passed == 0)
    *block = piece_end(&piece, index, good);
  else if (good)
    advance(left, passed);
  return good;
}

/* Copies from the block that contains the offset, and advances by as much; false on failure. */
static bool copy_from_block(blocks_reader *reader, remainder *left, TF_Status *status) {
  uint64_t index = left->offset / BLOCKS_SIZE, last = (left->offset + left->n - 1) / BLOCKS_SIZE;
  uint64_t window = last - index + 1 + left->ahead;
  size_t held = 0, start = (size_t)(left->offset % BLOCKS_SIZE);
  blocks_block *block = blocks_cache_get(reader->cache, reader->key, index);
  if (!block && left->ahead > 0 && reader->follow) {
    bool came = follow_block(reader, left, window, &block, status);
    if (came && !block) return true;
    if (!came && TF_GetCode(status) != TF_OK) return false;
  }
  if (!block) block = fetch_blocks(reader, index, window, status);
  if (!block) return false;
  const char *bytes = blocks_bytes(block, &held);
  size_t n = left->n < held - start ? left->n : held - start;
  memcpy(left->buffer, bytes + start, n);
  advance(left, n);
  if (is_passed(reader, left))
    blocks_cache_drop(reader->cache, block);
  else
    blocks_cache_release(reader->cache, block);
  return n > 0;
}

/* Quadruples read-ahead with each sequential read. A large read at offset 0 counts as sequential: it is likely
 * to continue; so does any, where a request that goes on costs no more than one that does not. */
static uint64_t blocks_ahead(blocks_reader *reader, uint64_t offset, size_t n) {
  uint64_t ahead = 0, own = (n + BLOCKS_SIZE - 1) / BLOCKS_SIZE;
  bool goes_on = atomic_exchange(&reader->end, offset + n) == offset;
  if (goes_on && (offset > 0 || own >= LEAST_BLOCKS || reader->follows_at_once)) {
    ahead = atomic_load(&reader->ahead) * 4;
    if (ahead < own) ahead = own;
    if (ahead > most_blocks(reader)) ahead = most_blocks(reader);
  }
  atomic_store(&reader->ahead, ahead);
  return ahead;
}

int64_t blocks_reader_read(blocks_reader *reader, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status) {
  uint64_t left = offset < reader->length ? reader->length - offset : 0;
  size_t take = n < left ? n : (size_t)left;
  uint64_t ahead = take > 0 && !reader->whole ? blocks_ahead(reader, offset, take) : 0;
  remainder rest = {offset, take, buffer, ahead};
  if (reader->whole && take > 0) memcpy(buffer, reader->whole + offset, take);
  while (!reader->whole && rest.n > 0)
    if (!copy_from_block(reader, &rest, status)) return -1;
  TF_SetStatus(status, take < n ? TF_OUT_OF_RANGE : TF_OK, take < n ? "end of file" : "");
  return (int64_t)take;
}
