/* Events: a point in a stream.
 *
 * States: not recorded (`stream` is NULL); recorded, with the stream and the number of its last
 * operation at that time. Recording again moves the event. An event is pending until the stream has
 * performed that operation; then it is complete, or in error if the stream failed by then.
 *
 * Locks: event->lock guards `stream` and `number`, which belong together. It is a leaf: progress is read
 * from atomics of the stream, and nobody waits while holding it. Whoever waits takes a reference to the
 * stream first, so the event may be recorded anew or destroyed meanwhile.
 *
 * Who frees: an event holds one reference to its stream, so the number stays readable after the host
 * has destroyed the stream.
 *
 * Fork: an event belongs to the epoch that made it. In a child calls refuse it before they touch its
 * lock; destroy frees its memory and leaves its stream and lock alone. */
#include "event.h"

#include <stdlib.h>

#include "fault.h"
#include "process.h"
#include "stream.h"

struct SP_Event_st {
  const reference_device *device;
  uint64_t epoch;
  pthread_mutex_t lock;
  SP_Stream stream; /* referenced; NULL: not recorded */
  uint64_t number;
};

void reference_event_create(const SP_Device *device, SP_Event *event, TF_Status *status) {
  SP_Event made = calloc(1, sizeof *made);
  if (!made) {
    reference_error_report(REFERENCE_NO_MEMORY, status);
    return;
  }
  made->device = reference_device_of(device);
  made->epoch = reference_process_epoch();
  pthread_mutex_init(&made->lock, NULL);
  *event = made;
}

/* Leaves the stream and the lock of a parent's event alone. */
void reference_event_destroy(const SP_Device *device, SP_Event event) {
  (void)device;
  if (event->epoch == reference_process_epoch()) {
    reference_stream_drop(event->stream);
    pthread_mutex_destroy(&event->lock);
  }
  free(event);
}

static reference_error check_event(const SP_Device *device, SP_Event event) {
  if (event->epoch != reference_process_epoch()) return REFERENCE_PARENTS_EVENT;
  return event->device == reference_device_of(device) ? REFERENCE_OK : REFERENCE_OTHER_EVENT;
}

static reference_error check_both(const SP_Device *device, SP_Stream stream, SP_Event event) {
  reference_error error = reference_stream_check(device, stream);
  return error ? error : check_event(device, event);
}

/* The point of the event; NULL: not recorded. Owns: the caller drops the stream. */
static SP_Stream get_point(SP_Event event, uint64_t *number) {
  pthread_mutex_lock(&event->lock);
  SP_Stream stream = event->stream ? reference_stream_hold(event->stream) : NULL;
  *number = event->number;
  pthread_mutex_unlock(&event->lock);
  return stream;
}

SE_EventStatus reference_event_status(const SP_Device *device, SP_Event event) {
  SE_EventStatus answer = SE_EVENT_UNKNOWN;
  if (check_event(device, event)) return answer;
  pthread_mutex_lock(&event->lock);
  if (event->stream) {
    bool done = reference_stream_has_done(event->stream, event->number);
    bool failed = done && reference_stream_has_failed(event->stream, event->number);
    answer = failed ? SE_EVENT_ERROR : done ? SE_EVENT_COMPLETE : SE_EVENT_PENDING;
  }
  pthread_mutex_unlock(&event->lock);
  return answer;
}

static void run_failure(SP_Stream stream, reference_operation *operation) {
  (void)operation;
  reference_stream_fail_with(stream, REFERENCE_ORDERED);
}

/* Most events are recorded in the same stream again: that needs no new reference. */
static void set_point(SP_Event event, SP_Stream stream) {
  pthread_mutex_lock(&event->lock);
  SP_Stream before = event->stream;
  if (before != stream) event->stream = reference_stream_hold(stream);
  event->number = reference_stream_enqueued(stream);
  pthread_mutex_unlock(&event->lock);
  if (before != stream) reference_stream_drop(before);
}

void reference_event_record(const SP_Device *device, SP_Stream stream, SP_Event event,
                            TF_Status *status) {
  const reference_operation failure = {.run = run_failure};
  reference_error error = check_both(device, stream, event);
  if (!error && reference_fault_due(REFERENCE_FAULT_EVENT))
    error = reference_stream_enqueue(stream, &failure);
  if (!error) set_point(event, stream);
  reference_error_report(error, status);
}

void reference_event_wait(const SP_Device *device, SP_Stream stream, SP_Event event,
                          TF_Status *status) {
  uint64_t number;
  reference_error error = check_both(device, stream, event);
  SP_Stream other = error ? NULL : get_point(event, &number);
  if (other) error = reference_stream_follow(stream, other, number);
  reference_stream_drop(other);
  reference_error_report(error, status);
}

void reference_event_block(const SP_Device *device, SP_Event event, TF_Status *status) {
  uint64_t number;
  reference_error error = check_event(device, event);
  SP_Stream stream = error ? NULL : get_point(event, &number);
  if (!error && !stream) error = REFERENCE_NOT_RECORDED;
  reference_error_report(error, status);
  if (stream) reference_stream_finish(stream, number, status);
  reference_stream_drop(stream);
}
