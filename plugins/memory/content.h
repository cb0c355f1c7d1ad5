/* The bytes of files: blocks that only ever grow at their end.
 *
 * A block may be shared: by a file and its copies, by open readers and by
 * regions. Each holder knows how many of the bytes are its own; those never
 * change. Who appends first claims the room behind them; who comes second moves
 * to a block of its own. A zero byte follows what was written last. */
#ifndef MEMORY_CONTENT_H
#define MEMORY_CONTENT_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct memory_content {
  atomic_size_t references;
  atomic_size_t used; /* bytes claimed so far, by whichever holder */
  size_t capacity;    /* without the zero byte */
  alignas(max_align_t) char data[];
};

/* Another holder of a block; NULL, the block of an empty file, is allowed. */
struct memory_content *memory_content_share(struct memory_content *content);
void memory_content_release(struct memory_content *content);

/* Makes room for n bytes behind the length ones that *content holds, in another block if need be;
 * length + n must not overflow. On failure nothing has changed. */
bool memory_content_extend(struct memory_content **content, size_t length, size_t n);

/* Puts n bytes into the room made by extend. */
void memory_content_write(struct memory_content *content, size_t length, const char *bytes,
                          size_t n);

/* Sees to it that a zero byte follows the length bytes, in a block of its own if need be. */
bool memory_content_isolate(struct memory_content **content, size_t length);

#endif
