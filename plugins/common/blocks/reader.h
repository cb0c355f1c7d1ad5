/* Reads a file through the block cache, or from its whole content. Read-ahead grows while reads are sequential. */
#ifndef BLOCKS_READER_H
#define BLOCKS_READER_H

#include <modfs/filesystem.h>

#include "cache.h"

/* The bytes that one request delivers. */
typedef struct blocks_piece blocks_piece;

/* Fetches exactly n bytes at offset into the piece; on failure sets status and returns false. */
typedef bool blocks_fetch(void *state, uint64_t offset, size_t n, blocks_piece *piece,
                          TF_Status *status);

/* What a sequential read wants of the file: n bytes at offset now, and behind them, as it seems, the rest of
 * `window` blocks. */
typedef struct blocks_next {
  uint64_t offset;
  size_t n;
  char *bytes;         /* receives them; NULL: the piece does */
  blocks_piece *piece; /* of n bytes */
  uint64_t window;
} blocks_next;

/* Where the byte at `at` is to be stored, at most *room from there; NULL without memory. */
char *blocks_next_room(const blocks_next *next, size_t at, size_t *room);

/* All is stored. */
void blocks_next_tell(const blocks_next *next);

/* Receives the n bytes. On failure it sets status or, where they are to be fetched as others are, leaves it OK. */
typedef bool blocks_follow(void *state, const blocks_next *next, TF_Status *status);

typedef struct blocks_reader {
  blocks_cache_place *cache;
  char *key;       /* names this version of the file; the owner of the reader frees it */
  uint64_t length; /* of the file */
  char *whole;     /* its content, where that is here already; freed by the owner, too */
  blocks_fetch *fetch;
  blocks_follow *follow; /* for sequential reads; NULL: pieces are fetched ahead, in parallel */
  bool follows_at_once;  /* a first read of any size counts as sequential */
  uint64_t (*limit)(void *state); /* bytes that the cache may hold */
  void *state;
  int parallel;               /* most requests in flight; 0 means 1 */
  atomic_uint_fast64_t end;   /* where the last read ended: one that starts there is sequential */
  atomic_uint_fast64_t ahead; /* blocks of read-ahead of the last read */
} blocks_reader;

/* Adds bytes that the caller already has, from the start of the file, to the cache. */
void blocks_reader_keep(blocks_reader *reader, const char *bytes, size_t n);

/* Copies n received bytes to offset `at` of the piece; false without memory, or when they exceed
 * what was requested. A repeated request may write the same bytes again. */
bool blocks_piece_take(blocks_piece *piece, size_t at, const char *bytes, size_t n);

/* The contract of `read` in TF_RandomAccessFileOps. Threads: any. */
int64_t blocks_reader_read(blocks_reader *reader, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status);

#endif
