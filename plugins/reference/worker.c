#include "worker.h"

#include <signal.h>
#include <stdlib.h>

#include "process.h"

static _Thread_local SP_Stream mine;

/* Trades an empty array for what has come; false at the end. */
static bool take(SP_Stream stream, reference_queue *taken) {
  reference_queue empty = {.operations = taken->operations, .room = taken->room};
  pthread_mutex_lock(&stream->lock);
  while (stream->queue.count == 0 && !stream->ending) {
    stream->sleeping = true;
    pthread_cond_wait(&stream->arrival, &stream->lock);
  }
  stream->sleeping = false;
  *taken = stream->queue;
  stream->queue = empty;
  pthread_mutex_unlock(&stream->lock);
  return taken->count > 0;
}

/* In one order with reference_stream_wait: it puts awaited before it looks at done. Whoever is woken
 * finds the lock free. */
static void advance(SP_Stream stream) {
  uint64_t done = atomic_load_explicit(&stream->done, memory_order_relaxed) + 1;
  atomic_store(&stream->done, done);
  if (done < atomic_load(&stream->awaited)) return;
  pthread_mutex_lock(&stream->lock);
  atomic_store(&stream->awaited, UINT64_MAX);
  pthread_mutex_unlock(&stream->lock);
  pthread_cond_broadcast(&stream->progress);
}

/* A callback may fork: its child has this thread, and leaves the rest to the parent: false. */
static bool run_all(SP_Stream stream, const reference_queue *taken) {
  for (size_t i = 0; i < taken->count; i++) {
    taken->operations[i].run(stream, &taken->operations[i]);
    if (stream->epoch != reference_process_epoch()) return false;
    advance(stream);
  }
  return true;
}

static void *work(void *context) {
  SP_Stream stream = context;
  reference_queue taken = {0};
  mine = stream;
  while (take(stream, &taken) && run_all(stream, &taken))
    continue;
  free(taken.operations);
  return NULL;
}

/* Signals are for the threads of the host. */
bool reference_worker_start(SP_Stream stream) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  stream->started = pthread_create(&stream->worker, NULL, work, stream) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (stream->started) pthread_setname_np(stream->worker, "modfs-reference");
  return stream->started;
}

void reference_worker_stop(SP_Stream stream) {
  pthread_mutex_lock(&stream->lock);
  stream->ending = true;
  bool started = stream->started;
  pthread_mutex_unlock(&stream->lock);
  if (!started) return;
  pthread_cond_signal(&stream->arrival);
  pthread_join(stream->worker, NULL);
}

bool reference_worker_is(SP_Stream stream) {
  return mine == stream;
}
