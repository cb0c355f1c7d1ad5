/* Memory that may contain secrets: it is wiped before it is freed, also where it grows, which realloc would not do.
 * Each block has its size in front. */
#ifndef WIPED_WIPED_H
#define WIPED_WIPED_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In front of each block. */
typedef union wiped_front {
  size_t size;
  max_align_t aligned;
} wiped_front;

/* NULL without memory. */
static inline void *wiped_take(size_t size) {
  wiped_front *made = size <= SIZE_MAX - sizeof *made ? malloc(sizeof *made + size) : NULL;
  if (!made) return NULL;
  made->size = size;
  return made + 1;
}

static inline size_t wiped_size(const void *block) {
  return block ? ((const wiped_front *)block - 1)->size : 0;
}

static inline void wiped_give(void *block) {
  wiped_front *made = block;
  if (!made) return;
  made--;
  explicit_bzero(made, sizeof *made + made->size);
  free(made);
}

/* As realloc: NULL without memory, and the block stays. */
static inline void *wiped_change(void *block, size_t size) {
  const size_t known = wiped_size(block);
  void *made = wiped_take(size);
  if (!made || !block) return made;
  memcpy(made, block, known < size ? known : size);
  wiped_give(block);
  return made;
}

/* For a text of malloc; NULL is allowed. */
static inline void wiped_free_text(char *text) {
  if (text) explicit_bzero(text, strlen(text));
  free(text);
}

#endif
