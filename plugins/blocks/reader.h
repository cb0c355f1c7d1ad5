/* Reading a file by blocks that come through the cache: further ahead the longer a reader goes straight on. */
#ifndef BLOCKS_READER_H
#define BLOCKS_READER_H

#include <modfs/filesystem.h>

#include "cache.h"

/* What one request brings. */
typedef struct blocks_piece blocks_piece;

typedef struct blocks_reader {
  blocks_cache_place *cache;
  char *key;       /* names this version of the file; free() */
  uint64_t length; /* of the file */
  /* Fetches n bytes at offset, all of them, into the piece; false with a failure. */
  bool (*fetch)(void *state, uint64_t offset, size_t n, blocks_piece *piece, TF_Status *status);
  uint64_t (*limit)(void *state); /* bytes that the cache may hold */
  void *state;
  int parallel;               /* requests in flight at most; 0 is 1 */
  atomic_uint_fast64_t end;   /* of the last read: one that goes on there reads ahead */
  atomic_uint_fast64_t ahead; /* blocks */
} blocks_reader;

/* Keeps what is known of the file from its first byte on. */
void blocks_reader_keep(blocks_reader *reader, const char *bytes, size_t n);

/* Takes what has come, n bytes that lie at behind the piece's beginning; false when memory is short, or
 * it is more than was asked for. What was taken before may be taken again. */
bool blocks_piece_take(blocks_piece *piece, size_t at, const char *bytes, size_t n);

/* As read of the ABI. Any thread. */
int64_t blocks_reader_read(blocks_reader *reader, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status);

#endif
