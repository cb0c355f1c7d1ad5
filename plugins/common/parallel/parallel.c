/* A parallel for: one job, several threads, one call.
 *
 * A job lives on the stack of the caller and is shared by all its threads. `count`, `work` and
 * `state` are constant. `next` gives each index out exactly once, in rising order. `failed` goes from
 * false to true once; after that no index is given out, and calls that have begun run to their end.
 *
 * `ends` goes from false to true when the caller's call is to end: its threads follow it (interrupt.h).
 *
 * Locks: none. What `work` writes is visible to the caller after the call, through pthread_join.
 * Who frees: every thread is joined before parallel_for returns, so nothing refers to the job afterwards.
 * The caller works too: where no thread can be created, it does everything itself.
 *
 * Fork: threads exist only during a call. A child that another thread forks meanwhile has neither
 * the workers nor the caller, and there is no lock or list that it could find in use. */
#include "parallel.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "../interrupt/interrupt.h"

enum { MOST_THREADS = 64 }; /* with the caller */

typedef struct parallel_job {
  uint64_t count;
  bool (*work)(void *state, uint64_t i);
  void *state;
  atomic_uint_fast64_t next;
  atomic_bool failed, ends;
} parallel_job;

static void take_part(parallel_job *self) {
  uint64_t i = 0;
  while (!atomic_load(&self->failed) && (i = atomic_fetch_add(&self->next, 1)) < self->count)
    if (!self->work(self->state, i)) atomic_store(&self->failed, true);
}

static void *help(void *argument) {
  parallel_job *self = argument;
  interrupt_follow(&self->ends);
  take_part(self);
  return NULL;
}

/* Workers block all signals: handlers run on the host's own threads. */
static bool start(pthread_t *thread, parallel_job *job) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(thread, NULL, help, job) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

bool parallel_for(uint64_t count, int most, bool (*work)(void *state, uint64_t i), void *state) {
  parallel_job job = {.count = count, .work = work, .state = state};
  pthread_t threads[MOST_THREADS];
  int started = 0;
  if (most > MOST_THREADS) most = MOST_THREADS;
  while (started + 1 < most && (uint64_t)started + 1 < count && start(&threads[started], &job))
    started++;
  take_part(&job);
  while (started > 0)
    interrupt_join(threads[--started], &job.ends);
  return !atomic_load(&job.failed);
}
