/* The plugin's lock and its fork handlers.
 *
 * `mutex` guards the table of memory, the statistics, and each device's user count and list of streams.
 * No other lock is taken and no bytes are copied while it is held.
 *
 * `epoch` counts the forks between the first process and this one. It changes only in a new child,
 * before any of its threads runs, so reading it needs no order.
 *
 * Both are static and never destroyed; the handlers are registered once.
 *
 * Fork: the mutex is taken before and released on both sides, so the table is consistent in the child.
 * There enter_child starts a new epoch, which invalidates the streams and events of the parent, and
 * removes the pins of operations that only the parent performs. Without the handlers no device is
 * offered. */
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
