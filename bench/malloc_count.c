/* Preloaded, it counts what the process takes from the heap: calls, and bytes asked for. */
#include <stddef.h>
#include <stdatomic.h>

/* glibc's own names for what is counted here. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static atomic_size_t calls;
static atomic_size_t bytes;

#define EXPORT __attribute__((visibility("default")))

EXPORT void malloc_count(size_t *calls_out, size_t *bytes_out);
EXPORT void *malloc(size_t size);
EXPORT void *calloc(size_t count, size_t size);
EXPORT void *realloc(void *old, size_t size);

static void count_one(size_t size) {
  atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

void malloc_count(size_t *calls_out, size_t *bytes_out) {
  *calls_out = atomic_load(&calls);
  *bytes_out = atomic_load(&bytes);
}

void *malloc(size_t size) {
  count_one(size);
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_one(count * size);
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  count_one(size);
  return __libc_realloc(old, size);
}
