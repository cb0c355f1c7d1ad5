#include "interrupt.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

enum { LOOK_NS = 10 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000 };

static modfs_interrupted *_Atomic interrupted;

/* NULL: the thread is the host's. With another model its first use would allocate memory, and end the
 * process without. */
static _Thread_local const atomic_bool *followed __attribute__((tls_model("initial-exec")));

void interrupt_accept(const TF_Filesystem *filesystem, modfs_interrupted *function) {
  (void)filesystem;
  atomic_store(&interrupted, function);
}

bool interrupt_is_wanted(void) {
  if (followed) return atomic_load_explicit(followed, memory_order_relaxed);
  modfs_interrupted *function = atomic_load_explicit(&interrupted, memory_order_acquire);
  return function && function();
}

void interrupt_follow(const atomic_bool *ends) {
  followed = ends;
}

static bool ends_soon(pthread_t thread) {
  struct timespec then;
  clock_gettime(CLOCK_MONOTONIC, &then);
  then.tv_nsec += LOOK_NS;
  then.tv_sec += then.tv_nsec / SECOND_NS;
  then.tv_nsec %= SECOND_NS;
  return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &then) != ETIMEDOUT;
}

void interrupt_join(pthread_t thread, atomic_bool *ends) {
  while (!atomic_load(ends)) {
    if (interrupt_is_wanted())
      atomic_store(ends, true);
    else if (ends_soon(thread))
      return;
  }
  pthread_join(thread, NULL);
}
