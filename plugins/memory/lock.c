#include "lock.h"

#include <pthread.h>

/* Fewer than 64: the thread sanitizer follows no more at once, and fork holds all. */
enum { STRIPES = 32 };

/* One lock for each cache line. */
struct stripe {
  _Alignas(64) pthread_mutex_t mutex;
};

static pthread_mutex_t tree = PTHREAD_MUTEX_INITIALIZER;
static struct stripe stripes[STRIPES];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool hooked;

static void lock_all(void) {
  pthread_mutex_lock(&tree);
  for (int i = 0; i < STRIPES; ++i)
    pthread_mutex_lock(&stripes[i].mutex);
}

static void unlock_all(void) {
  for (int i = STRIPES; i-- > 0;)
    pthread_mutex_unlock(&stripes[i].mutex);
  pthread_mutex_unlock(&tree);
}

static void lock_start(void) {
  for (int i = 0; i < STRIPES; ++i)
    pthread_mutex_init(&stripes[i].mutex, NULL);
  hooked = pthread_atfork(lock_all, unlock_all, unlock_all) == 0;
}

bool memory_lock_init(void) {
  pthread_once(&once, lock_start);
  return hooked;
}

void memory_lock_tree(void) {
  pthread_mutex_lock(&tree);
}

void memory_unlock_tree(void) {
  pthread_mutex_unlock(&tree);
}

void memory_lock_bytes(uint64_t number) {
  pthread_mutex_lock(&stripes[number % STRIPES].mutex);
}

void memory_unlock_bytes(uint64_t number) {
  pthread_mutex_unlock(&stripes[number % STRIPES].mutex);
}
