/* Blocks of bytes with several holders.
 *
 * A holder is a reference and a length of its own. The first `length` bytes never change while
 * anybody holds them, so holders read them without a lock, and a copy of a file shares them.
 *
 * `used` is how many bytes have been claimed by any holder; length <= used <= capacity. A holder
 * appends in place only if it moves `used` from its own length to the new one by compare-and-swap:
 * of two holders of the same length one wins, and the other moves to a block of its own.
 *
 * A block with one reference is its holder's alone: it may be reallocated, and bytes above its
 * holder's length may be overwritten. References only grow through an existing holder, so a count of
 * one cannot change while that holder works. A file's own holder works under its node's bytes lock.
 *
 * A zero byte follows the last bytes written. An append in place overwrites it: it holds for a
 * holder only until another one claims the room behind.
 *
 * Who frees: the last release. NULL is the block of an empty file. Fork: a child has copies; nothing
 * here belongs to a process. */
#include "content.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 64 };

struct memory_content *memory_content_share(struct memory_content *content) {
  if (content) atomic_fetch_add_explicit(&content->references, 1, memory_order_relaxed);
  return content;
}

void memory_content_release(struct memory_content *content) {
  if (!content) return;
  if (atomic_fetch_sub_explicit(&content->references, 1, memory_order_acq_rel) == 1) free(content);
}

static bool content_is_sole(struct memory_content *content) {
  return content && atomic_load_explicit(&content->references, memory_order_acquire) == 1;
}

/* Moves the holder to a block of that capacity. A sole holder's block may be reallocated in place. */
static bool content_move(struct memory_content **slot, size_t length, size_t capacity) {
  struct memory_content *old = *slot, *content;
  bool sole = content_is_sole(old);
  if (capacity > SIZE_MAX - sizeof(*content) - 1) return false;
  content = realloc(sole ? old : NULL, sizeof(*content) + capacity + 1);
  if (!content) return false;
  content->capacity = capacity;
  if (!sole) {
    atomic_init(&content->references, 1);
    if (old) memcpy(content->data, old->data, length);
    memory_content_release(old);
  }
  atomic_store_explicit(&content->used, length, memory_order_relaxed);
  content->data[length] = '\0';
  *slot = content;
  return true;
}

/* Doubles, so that many small appends copy each byte a constant number of times. */
static size_t grown_capacity(const struct memory_content *content, size_t need) {
  size_t twice = content && content->capacity <= SIZE_MAX / 2 ? content->capacity * 2 : 0;
  if (need < SMALLEST) need = SMALLEST;
  return need > twice ? need : twice;
}

/* Claims the n bytes behind length; false when there is no room or another holder has it. */
static bool content_claim(struct memory_content *content, size_t length, size_t n) {
  if (!content || n > content->capacity - length) return false;
  return atomic_compare_exchange_strong(&content->used, &length, length + n);
}

bool memory_content_extend(struct memory_content **slot, size_t length, size_t n) {
  size_t need = length + n;
  if (content_claim(*slot, length, n)) return true;
  if (!content_move(slot, length, grown_capacity(*slot, need)) && !content_move(slot, length, need))
    return false;
  atomic_store_explicit(&(*slot)->used, need, memory_order_relaxed);
  return true;
}

void memory_content_write(struct memory_content *content, size_t length, const char *bytes,
                          size_t n) {
  memcpy(content->data + length, bytes, n);
  content->data[length + n] = '\0';
}

bool memory_content_isolate(struct memory_content **slot, size_t length) {
  if (atomic_load_explicit(&(*slot)->used, memory_order_acquire) == length) return true;
  return content_move(slot, length, length);
}
