/* curl's allocator. It wipes every block when curl frees it: request headers contain credentials.
 * Each block has its size in front. There is no shared state: malloc does the locking. */
#include "memory.h"

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* In front of each block. */
typedef union front {
  size_t size;
  max_align_t aligned;
} front;

/* With another model its first use would allocate memory. */
static _Thread_local bool was_short __attribute__((tls_model("initial-exec")));

static void *take(size_t size) {
  front *made = size <= SIZE_MAX - sizeof *made ? malloc(sizeof *made + size) : NULL;
  was_short = was_short || !made;
  if (!made) return NULL;
  made->size = size;
  return made + 1;
}

static void give(void *block) {
  front *made = block;
  if (!made) return;
  made--;
  explicit_bzero(made, sizeof *made + made->size);
  free(made);
}

static void *change(void *block, size_t size) {
  size_t known = block ? ((front *)block - 1)->size : 0;
  void *made = take(size);
  if (!made || !block) return made;
  memcpy(made, block, known < size ? known : size);
  give(block);
  return made;
}

static char *copy(const char *text) {
  size_t n = strlen(text) + 1;
  char *made = take(n);
  return made ? memcpy(made, text, n) : NULL;
}

static void *clear(size_t count, size_t size) {
  if (size > 0 && count > SIZE_MAX / size) return NULL;
  void *made = take(count * size);
  return made ? memset(made, 0, count * size) : NULL;
}

bool memory_was_short(void) {
  bool failed = was_short;
  was_short = false;
  return failed;
}

void memory_start_curl(void) {
  curl_global_init_mem(CURL_GLOBAL_DEFAULT, take, give, change, copy, clear);
}
