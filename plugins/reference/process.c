#include "process.h"

#include <pthread.h>
#include <stdatomic.h>

#include "memory.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_uint_fast64_t epoch;
static bool hooked;

static void enter_child(void) {
  atomic_fetch_add_explicit(&epoch, 1, memory_order_relaxed);
  reference_memory_disown();
  reference_unlock();
}

static void hook(void) {
  hooked = pthread_atfork(reference_lock, reference_unlock, enter_child) == 0;
}

bool reference_process_init(void) {
  pthread_once(&once, hook);
  return hooked;
}

uint64_t reference_process_epoch(void) {
  return atomic_load_explicit(&epoch, memory_order_relaxed);
}

void reference_lock(void) {
  pthread_mutex_lock(&mutex);
}

void reference_unlock(void) {
  pthread_mutex_unlock(&mutex);
}
