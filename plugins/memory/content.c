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

/* Nobody else can see a block with one holder, so that one may move. */
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

static size_t grown_capacity(const struct memory_content *content, size_t need) {
  size_t twice = content && content->capacity <= SIZE_MAX / 2 ? content->capacity * 2 : 0;
  if (need < SMALLEST) need = SMALLEST;
  return need > twice ? need : twice;
}

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
