/* The worker of a stream: the one thread that performs its operations, in order.
 *
 * States of a stream's thread: not started; running; idle (`sleeping`); `ending`, once the stream is
 * being destroyed; joined. It starts with the first operation and leaves after it has emptied the queue
 * and `ending` is set.
 *
 * The worker trades its empty array for the stream's full one, under stream->lock, and performs the
 * operations without a lock. Only the worker writes `done`. It publishes each operation before it looks
 * at `awaited`; a waiter sets `awaited` before it looks at `done`. All four are sequentially
 * consistent, so one of the two sees the other, and no wake-up is lost.
 *
 * Locks: stream->lock, for the queue and the flags; it is not held while an operation runs,
 * so callbacks may use the stream. They must not wait for it: reference_worker_is finds that out.
 *
 * Who frees: the array that the worker has taken is its own. Each operation releases what it refers to,
 * also after a failure. Fork: a child has no workers. If a callback forks, the child's only thread is a
 * copy of the worker; it notices the new epoch, leaves everything to the parent and ends. */
#include "worker.h"

#include <signal.h>
#include <stdlib.h>

#include "process.h"

static _Thread_local SP_Stream mine;

/* Trades an empty array for the enqueued operations; false when the stream ends. */
static bool take(SP_Stream stream, reference_queue *taken) {
  reference_queue empty = {.operations = taken->operations, .room = taken->room};
  pthread_mutex_lock(&stream->lock);
  while (stream->queue.count == 0 && !stream->ending) {
    atomic_store_explicit(&stream->sleeping, 1, memory_order_relaxed);
    pthread_mutex_unlock(&stream->lock);
    reference_futex_wait(&stream->sleeping, 1);
    pthread_mutex_lock(&stream->lock);
  }
  atomic_store_explicit(&stream->sleeping, 0, memory_order_relaxed);
  *taken = stream->queue;
  stream->queue = empty;
  pthread_mutex_unlock(&stream->lock);
  return taken->count > 0;
}

/* The counterpart of reference_stream_wait, which sets `awaited` before it looks at `done`. Who sets it
 * while it is reset here has read `progress` before, and finds it changed. */
static void advance(SP_Stream stream) {
  uint64_t done = atomic_load_explicit(&stream->done, memory_order_relaxed) + 1;
  atomic_store(&stream->done, done);
  if (done < atomic_load(&stream->awaited)) return;
  atomic_store(&stream->awaited, UINT64_MAX);
  atomic_fetch_add(&stream->progress, 1);
  reference_futex_wake_all(&stream->progress);
}

/* A callback may fork: in the child this returns false and leaves the rest to the parent. */
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

/* Blocks all signals: handlers run on the host's own threads. */
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
  atomic_store_explicit(&stream->sleeping, 0, memory_order_relaxed);
  bool started = stream->started;
  pthread_mutex_unlock(&stream->lock);
  if (!started) return;
  reference_futex_wake_one(&stream->sleeping);
  pthread_join(stream->worker, NULL);
}

bool reference_worker_is(SP_Stream stream) {
  return mine == stream;
}
