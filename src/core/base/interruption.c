#include "interruption.h"

#include <stdatomic.h>
#include <time.h>

#include "job_context.h"

enum { OFF, POSSIBLE, WANTED };

/* A signal handler has no argument through which it could be reached. */
static atomic_int state = OFF;

void interruption_allow(void) {
  atomic_store(&state, POSSIBLE);
}

void interruption_forbid(void) {
  atomic_store(&state, OFF);
}

void interruption_want(void) {
  int possible = POSSIBLE;
  atomic_compare_exchange_strong(&state, &possible, WANTED);
}

bool interruption_is_possible(void) {
  return job_context_here() || atomic_load_explicit(&state, memory_order_relaxed) != OFF;
}

bool interruption_is_wanted(void) {
  if (job_context_here()) return job_context_ends();
  return atomic_load_explicit(&state, memory_order_relaxed) == WANTED;
}

bool interruption_ends(TF_Status *status) {
  bool ends = interruption_is_wanted();
  if (ends) TF_SetStatus(status, TF_CANCELLED, "interrupted");
  return ends;
}

void interruption_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
  enum { EVERY = 20 * 1000 * 1000, SECOND = 1000 * 1000 * 1000 }; /* nanoseconds */
  if (!interruption_is_possible()) {
    pthread_cond_wait(condition, lock);
    return;
  }
  struct timespec then;
  clock_gettime(CLOCK_MONOTONIC, &then);
  then.tv_nsec += EVERY;
  then.tv_sec += then.tv_nsec / SECOND;
  then.tv_nsec %= SECOND;
  pthread_cond_clockwait(condition, lock, CLOCK_MONOTONIC, &then);
}
