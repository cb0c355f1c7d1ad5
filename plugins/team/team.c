#include "team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum { MOST_THREADS = 64 };

typedef struct team_job {
  uint64_t count;
  bool (*work)(void *state, uint64_t i);
  void *state;
  atomic_uint_fast64_t next;
  atomic_bool failed;
} team_job;

static void *take_part(void *argument) {
  team_job *self = argument;
  uint64_t i = 0;
  while (!atomic_load(&self->failed) && (i = atomic_fetch_add(&self->next, 1)) < self->count)
    if (!self->work(self->state, i)) atomic_store(&self->failed, true);
  return NULL;
}

/* None of the signals of the process is meant for these threads. */
static bool start(pthread_t *thread, team_job *job) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(thread, NULL, take_part, job) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

bool team_run(uint64_t count, int most, bool (*work)(void *state, uint64_t i), void *state) {
  team_job job = {.count = count, .work = work, .state = state};
  pthread_t threads[MOST_THREADS];
  int started = 0;
  if (most > MOST_THREADS) most = MOST_THREADS;
  while (started + 1 < most && (uint64_t)started + 1 < count && start(&threads[started], &job))
    started++;
  take_part(&job);
  while (started > 0)
    pthread_join(threads[--started], NULL);
  return !atomic_load(&job.failed);
}
