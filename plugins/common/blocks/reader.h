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

typedef struct blocks_reader {
  blocks_cache_place *cache;
  char *key;       /* names this version of the file; the owner of the reader frees it */
  uint64_t length; /* of the file */
  char *whole;     /* its content, where that is here already; freed by the owner, too */
  blocks_fetch *fetch;
  blocks_fetch
      *follow; /* for pieces that follow each other; NULL: they are fetched ahead, in parallel */
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

/* Where the byte at `at` is to be stored, at most *room from there; NULL without memory. What is stored
 * there counts when it is told. */
char *blocks_piece_room(blocks_piece *piece, size_t at, size_t *room);
void blocks_piece_tell(blocks_piece *piece, size_t length);

/* The contract of `read` in TF_RandomAccessFileOps. Threads: any. */
int64_t blocks_reader_read(blocks_reader *reader, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status);

#endif
