/* The bytes of files: blocks that only grow at their end.
 *
 * A block may be shared by a file, its copies, open readers and regions. Each holder
 * keeps its own length; bytes below it never change. The first holder that appends
 * claims the room behind its length in place; any other moves to a block of its own.
 * A zero byte follows the last bytes written. */
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

/* Adds a reference. NULL, the block of an empty file, is allowed. */
struct memory_content *memory_content_share(struct memory_content *content);
void memory_content_release(struct memory_content *content);

/* Makes room for n bytes behind the first `length` ones, in another block if necessary; length + n
 * must not overflow. On failure nothing has changed. */
bool memory_content_extend(struct memory_content **content, size_t length, size_t n);

/* Writes n bytes into the room made by extend. */
void memory_content_write(struct memory_content *content, size_t length, const char *bytes,
                          size_t n);

/* Makes sure that a zero byte follows the first `length` bytes, in another block if necessary.
 * It stays there until the next append by any holder of the block. */
bool memory_content_isolate(struct memory_content **content, size_t length);

#endif
