/* Timers: a start and a stop, each enqueued in a stream, and the time between them. For one thread
 * at a time. Before a timer is read or destroyed both must have been reached: the event recorded
 * behind the stop tells, or, where it does not follow both in one stream, the whole device is
 * waited for. */
#include <stdlib.h>

#include "device.h"
#include "core/base/status.h"
#include "stream.h"

struct modfs_timer {
  modfs_device *device;
  SP_Timer handle;
  modfs_event *stopped; /* recorded behind the stop */
  TF_Status *ignored;   /* for calls whose failure is not reported */
  bool started;
  bool ended;                   /* stopped since the last start */
  bool uncovered;               /* a start or stop is enqueued that "stopped" is not behind */
  const modfs_stream *begun_on; /* compared only: it may have been closed */
};

static void free_timer(modfs_timer *timer) {
  if (!timer) return;
  modfs_event_close(timer->stopped);
  TF_DeleteStatus(timer->ignored);
  free(timer);
}

modfs_timer *modfs_timer_open(modfs_device *device, TF_Status *status) {
  modfs_timer *timer = calloc(1, sizeof *timer);
  status_clear(status);
  if (timer) timer->ignored = TF_NewStatus();
  if (!timer || !timer->ignored)
    status_no_memory(status);
  else if (!device_is_inherited(device, status))
    timer->stopped = modfs_event_open(device, status);
  if (status_ok(status))
    device_executor(device)->create_timer(device_handle(device), &timer->handle, status);
  status_locate(status, "open a timer on", device->core->platform->name);
  if (!status_ok(status)) {
    free_timer(timer);
    return NULL;
  }
  timer->device = device;
  return timer;
}

typedef void (*event_call)(modfs_event *event, TF_Status *status);

/* Waits until the start and the stop have been reached. */
static void wait_for_marks(modfs_timer *timer, event_call wait, TF_Status *status) {
  if (timer->uncovered)
    modfs_device_synchronize(timer->device, status);
  else if (timer->ended)
    wait(timer->stopped, status);
}

/* Its event is the child that keeps the device open. */
void modfs_timer_close(modfs_timer *timer) {
  if (!timer) return;
  if (device_is_own(timer->device)) {
    wait_for_marks(timer, event_block, timer->ignored);
    if (timer->handle)
      device_executor(timer->device)->destroy_timer(device_handle(timer->device), timer->handle);
  }
  free_timer(timer);
}

typedef void (*mark_call)(const SP_Device *device, SP_Stream stream, SP_Timer timer,
                          TF_Status *status);

static bool mark(modfs_timer *timer, modfs_stream *stream, mark_call call, const char *operation,
                 TF_Status *status) {
  bool entered = stream_enter(stream, timer->device, status);
  if (entered) {
    timer->uncovered = true;
    call(device_handle(timer->device), stream_handle(stream), timer->handle, status);
    stream_leave(stream, operation, status);
  } else {
    status_locate(status, operation, timer->device->core->platform->name);
  }
  return status_ok(status);
}

void modfs_timer_start(modfs_timer *timer, modfs_stream *stream, TF_Status *status) {
  if (!mark(timer, stream, device_executor(timer->device)->start_timer, "start a timer on", status))
    return;
  timer->started = true;
  timer->ended = false;
  timer->begun_on = stream;
}

/* The event is behind the start, too, when both are in the same stream. */
void modfs_timer_stop(modfs_timer *timer, modfs_stream *stream, TF_Status *status) {
  if (!mark(timer, stream, device_executor(timer->device)->stop_timer, "stop a timer on", status))
    return;
  modfs_stream_record(stream, timer->stopped, status);
  if (!status_ok(status)) return;
  timer->ended = true;
  timer->uncovered = timer->started && timer->begun_on != stream;
}

static uint64_t read_marks(modfs_timer *timer, TF_Status *status) {
  uint64_t elapsed = 0;
  if (device_is_inherited(timer->device, status)) return 0;
  if (!timer->started || !timer->ended)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the timer was not started and stopped in a stream");
  else
    wait_for_marks(timer, modfs_event_wait, status);
  if (status_ok(status)) elapsed = device_abi_of(timer->device)->timer_nanoseconds(timer->handle);
  if (elapsed <= INT64_MAX) return elapsed;
  device_breach(timer->device, status, "nanoseconds returned more than 2^63 - 1");
  return 0;
}

uint64_t modfs_timer_nanoseconds(modfs_timer *timer, TF_Status *status) {
  status_clear(status);
  uint64_t elapsed = read_marks(timer, status);
  status_locate(status, "read a timer of", timer->device->core->platform->name);
  return elapsed;
}
