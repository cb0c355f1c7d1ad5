/* curl's allocator. It wipes every block when curl frees it: request headers contain credentials.
 * There is no shared state: malloc does the locking. */
#include "memory.h"

#include <curl/curl.h>
#include <string.h>

#include "../wiped/wiped.h"

/* With another model its first use would allocate memory. */
static _Thread_local bool was_short __attribute__((tls_model("initial-exec")));

static void *take(size_t size) {
  void *made = wiped_take(size);
  was_short = was_short || !made;
  return made;
}

static void *change(void *block, size_t size) {
  void *made = wiped_change(block, size);
  was_short = was_short || !made;
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
  curl_global_init_mem(CURL_GLOBAL_DEFAULT, take, wiped_give, change, copy, clear);
}
