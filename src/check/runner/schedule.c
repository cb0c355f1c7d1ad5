/* The schedule of two overlapping calls.
 *
 * The calling thread performs `first`. At the point where the shim holds it, it starts the thread of
 * `second` and waits until that has ended, or waits for a lock, or PATIENCE is over: it may also wait for
 * something that the shim does not see. Then `first` goes on to its end, and the other thread is joined.
 * So both calls overlap in one order that depends on k alone, unless the patience was too short; any order
 * is one that the contract allows, so a busy machine does not make a case fail.
 *
 * Shared while both run: `ended`, an atomic; all else belongs to one thread until the join. No locks. A
 * plugin that deadlocks hangs here, and `modfs check` ends the process. Fork: nobody forks meanwhile. */
#include "schedule.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>

#include "check/shim/shim.h"

/* Most calls take microseconds: the first pauses are turns of other threads, the rest 50 microseconds. */
enum { PATIENCE = 450, SHORT = 50, PAUSE = 50000 };

typedef struct schedule {
  runner_task second;
  pthread_t thread;
  bool started;
  size_t waiting; /* threads that waited before */
  atomic_bool ended;
} schedule;

static void *run_second(void *context) {
  schedule *self = context;
  self->second.run(self->second.context);
  atomic_store(&self->ended, true);
  return NULL;
}

static void hold(void *context) {
  schedule *self = context;
  const struct timespec pause = {.tv_nsec = PAUSE};
  self->waiting = modfs_shim.waiting();
  self->started = pthread_create(&self->thread, NULL, run_second, self) == 0;
  for (int i = 0; i < PATIENCE && self->started; i++) {
    if (atomic_load(&self->ended) || modfs_shim.waiting() > self->waiting) return;
    if (i < SHORT)
      sched_yield();
    else
      nanosleep(&pause, NULL);
  }
}

bool runner_schedule(size_t k, runner_task first, runner_task second) {
  schedule self = {.second = second};
  if (k > 0) modfs_shim.stop(k, hold, &self);
  first.run(first.context);
  if (k == 0) {
    second.run(second.context);
    return true;
  }
  modfs_shim.stop(0, NULL, NULL);
  if (self.started) pthread_join(self.thread, NULL);
  return self.started;
}
