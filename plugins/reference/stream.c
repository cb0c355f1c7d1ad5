/* Streams: the host's side of a queue of operations.
 *
 * Operations have numbers from 1. `enqueued` is the last number given, `done` the last one performed;
 * both only grow, and done <= enqueued. `failed` is the number of the operation that failed first; it
 * is set once, and `code` and `message` are constant from then on: they are written before it.
 *
 * Locks: stream->lock guards the queue, `started`, `ending` and writes to `enqueued` and `sleeping`.
 * The lock of process.h guards the device's list of streams. The two are never held
 * together. Who waits for a stream holds no lock.
 *
 * References: `users` counts the host, events, and waits of other streams. destroy joins the worker and
 * drops the host's reference; the rest of the stream stays readable until the last one is dropped,
 * which frees it. A stream that its own callback destroys stays, for it cannot join itself.
 *
 * Fork: a stream belongs to the epoch that made it. In a child every call refuses one of its parent's
 * before it touches the lock, which may be held for ever; destroy only takes it off the list, and its
 * memory is leaked. */
#include "stream.h"

#include <stdlib.h>
#include <stdio.h>

#include "fault.h"
#include "log.h"
#include "process.h"
#include "worker.h"

/* Creating and destroying ------------------------------------------------------------ */

static SP_Stream new_stream(reference_device *device) {
  SP_Stream stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  stream->status = TF_NewStatus();
  if (!stream->status) {
    free(stream);
    return NULL;
  }
  stream->device = device;
  stream->epoch = reference_process_epoch();
  atomic_init(&stream->users, 1);
  pthread_mutex_init(&stream->lock, NULL);
  atomic_init(&stream->awaited, UINT64_MAX);
  atomic_init(&stream->failed, UINT64_MAX);
  return stream;
}

void reference_stream_create(const SP_Device *device, SP_Stream *stream, TF_Status *status) {
  reference_device *owner = reference_device_of(device);
  if (reference_fault_due(REFERENCE_FAULT_STREAM)) {
    reference_error_report(REFERENCE_ORDERED, status);
    return;
  }
  SP_Stream made = new_stream(owner);
  if (!made) {
    reference_error_report(REFERENCE_NO_MEMORY, status);
    return;
  }
  reference_lock();
  made->next = owner->streams;
  owner->streams = made;
  reference_unlock();
  *stream = made;
}

static void take_off_list(SP_Stream stream) {
  reference_lock();
  SP_Stream *link = &stream->device->streams;
  while (*link && *link != stream)
    link = &(*link)->next;
  if (*link) *link = stream->next;
  reference_unlock();
}

/* In a child only the list is touched: the rest may have been in use when the process forked. */
void reference_stream_destroy(const SP_Device *device, SP_Stream stream) {
  (void)device;
  if (reference_worker_is(stream)) {
    reference_log(TF_ERROR, "a callback destroys its own stream; the stream stays");
    return;
  }
  take_off_list(stream);
  if (stream->epoch != reference_process_epoch()) return;
  reference_worker_stop(stream);
  free(stream->queue.operations);
  stream->queue = (reference_queue){0};
  reference_stream_drop(stream);
}

SP_Stream reference_stream_hold(SP_Stream stream) {
  atomic_fetch_add_explicit(&stream->users, 1, memory_order_relaxed);
  return stream;
}

void reference_stream_drop(SP_Stream stream) {
  if (!stream || atomic_fetch_sub_explicit(&stream->users, 1, memory_order_acq_rel) > 1) return;
  pthread_mutex_destroy(&stream->lock);
  TF_DeleteStatus(stream->status);
  free(stream);
}

/* Enqueuing -------------------------------------------------------------------------- */

reference_error reference_stream_check(const SP_Device *device, SP_Stream stream) {
  if (stream->epoch != reference_process_epoch()) return REFERENCE_PARENTS_STREAM;
  return stream->device == reference_device_of(device) ? REFERENCE_OK : REFERENCE_OTHER_STREAM;
}

static bool make_room(reference_queue *queue) {
  if (queue->count < queue->room) return true;
  size_t room = queue->room ? 2 * queue->room : 64;
  reference_operation *operations = realloc(queue->operations, room * sizeof *operations);
  if (!operations) return false;
  queue->operations = operations;
  queue->room = room;
  return true;
}

reference_error reference_stream_enqueue(SP_Stream stream, const reference_operation *operation) {
  pthread_mutex_lock(&stream->lock);
  reference_error error = REFERENCE_OK;
  if (!make_room(&stream->queue)) {
    error = REFERENCE_NO_MEMORY;
  } else if (!stream->started && !reference_worker_start(stream)) {
    error = REFERENCE_NO_THREAD;
  } else {
    stream->queue.operations[stream->queue.count++] = *operation;
    uint64_t enqueued = atomic_load_explicit(&stream->enqueued, memory_order_relaxed) + 1;
    atomic_store_explicit(&stream->enqueued, enqueued, memory_order_release);
  }
  bool sleeping = atomic_load_explicit(&stream->sleeping, memory_order_relaxed);
  if (sleeping) atomic_store_explicit(&stream->sleeping, 0, memory_order_relaxed);
  pthread_mutex_unlock(&stream->lock);
  if (sleeping) reference_futex_wake_one(&stream->sleeping);
  return error;
}

/* Waiting ---------------------------------------------------------------------------- */

uint64_t reference_stream_enqueued(SP_Stream stream) {
  return atomic_load_explicit(&stream->enqueued, memory_order_acquire);
}

bool reference_stream_has_done(SP_Stream stream, uint64_t number) {
  return atomic_load(&stream->done) >= number;
}

static void await(SP_Stream stream, uint64_t number) {
  uint64_t awaited = atomic_load(&stream->awaited);
  while (number < awaited && !atomic_compare_exchange_weak(&stream->awaited, &awaited, number))
    continue;
}

/* Looks at `done` again after it has set `awaited`: see advance in worker.c. */
reference_error reference_stream_wait(SP_Stream stream, uint64_t number) {
  if (reference_stream_has_done(stream, number)) return REFERENCE_OK;
  if (reference_worker_is(stream)) return REFERENCE_OWN_STREAM;
  for (;;) {
    unsigned woken = atomic_load(&stream->progress);
    await(stream, number);
    if (reference_stream_has_done(stream, number)) return REFERENCE_OK;
    reference_futex_wait(&stream->progress, woken);
  }
}

void reference_stream_finish(SP_Stream stream, uint64_t number, TF_Status *status) {
  reference_error error = reference_stream_wait(stream, number);
  reference_error_report(error, status);
  if (!error && reference_stream_has_failed(stream, number))
    TF_SetStatus(status, stream->code, stream->message);
}

void reference_stream_synchronize(const SP_Device *device, SP_Stream stream, TF_Status *status) {
  reference_error error = reference_stream_check(device, stream);
  reference_error_report(error, status);
  if (!error) reference_stream_finish(stream, reference_stream_enqueued(stream), status);
}

static void run_wait(SP_Stream stream, reference_operation *operation) {
  (void)stream;
  reference_stream_wait(operation->of.wait.stream, operation->of.wait.number);
  reference_stream_drop(operation->of.wait.stream);
}

/* No wait is needed for the stream itself, which is ordered, nor for what is done. */
reference_error reference_stream_follow(SP_Stream stream, SP_Stream other, uint64_t number) {
  if (other == stream || reference_stream_has_done(other, number)) return REFERENCE_OK;
  const reference_operation operation = {
      .run = run_wait, .of.wait = {.stream = reference_stream_hold(other), .number = number}};
  reference_error error = reference_stream_enqueue(stream, &operation);
  if (error) reference_stream_drop(other);
  return error;
}

void reference_stream_depend(const SP_Device *device, SP_Stream dependent, SP_Stream other,
                             TF_Status *status) {
  reference_error error = reference_stream_check(device, dependent);
  if (!error) error = reference_stream_check(device, other);
  if (!error) error = reference_stream_follow(dependent, other, reference_stream_enqueued(other));
  reference_error_report(error, status);
}

/* Failing ---------------------------------------------------------------------------- */

void reference_stream_fail(SP_Stream stream, TF_Code code, const char *message) {
  if (reference_stream_is_failed(stream)) return;
  stream->code = code;
  snprintf(stream->message, sizeof stream->message, "%s", message);
  uint64_t number = atomic_load_explicit(&stream->done, memory_order_relaxed) + 1;
  atomic_store_explicit(&stream->failed, number, memory_order_release);
}

void reference_stream_fail_with(SP_Stream stream, reference_error error) {
  reference_stream_fail(stream, reference_error_code(error), reference_error_message(error));
}

bool reference_stream_has_failed(SP_Stream stream, uint64_t number) {
  return atomic_load_explicit(&stream->failed, memory_order_acquire) <= number;
}

bool reference_stream_is_failed(SP_Stream stream) {
  return reference_stream_has_failed(stream, UINT64_MAX - 1);
}

void reference_stream_status(const SP_Device *device, SP_Stream stream, TF_Status *status) {
  reference_error error = reference_stream_check(device, stream);
  reference_error_report(error, status);
  if (!error && reference_stream_is_failed(stream))
    TF_SetStatus(status, stream->code, stream->message);
}
