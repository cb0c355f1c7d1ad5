#include <stdlib.h>

#include "device.h"
#include "status.h"
#include "stream.h"

struct modfs_timer {
  modfs_device *device;
  SP_Timer handle;
  modfs_event *stopped; /* recorded behind the second mark */
  bool started;
};

static bool check_timers(const modfs_device *device, TF_Status *status) {
  if (!device_abi_of(device)->timer_nanoseconds)
    TF_SetStatus(status, TF_UNIMPLEMENTED, "the platform has no timers");
  return status_ok(status) && !device_is_inherited(device, status);
}

modfs_timer *modfs_timer_open(modfs_device *device, TF_Status *status) {
  modfs_timer *timer = calloc(1, sizeof *timer);
  status_clear(status);
  if (!timer)
    status_no_memory(status);
  else if (check_timers(device, status))
    timer->stopped = modfs_event_open(device, status);
  if (status_ok(status))
    device_executor(device)->create_timer(device_handle(device), &timer->handle, status);
  status_locate(status, "open a timer on", device->core->platform->name);
  if (!status_ok(status)) {
    if (timer) modfs_event_close(timer->stopped);
    free(timer);
    return NULL;
  }
  timer->device = device;
  return timer;
}

/* Its event keeps the device, and waits for the marks under way. */
void modfs_timer_close(modfs_timer *timer) {
  if (!timer) return;
  TF_Status *ignored = TF_NewStatus();
  if (ignored && !device_is_inherited(timer->device, ignored)) {
    if (modfs_event_status(timer->stopped) != SE_EVENT_UNKNOWN)
      modfs_event_wait(timer->stopped, ignored);
    else if (timer->started)
      modfs_device_synchronize(timer->device, ignored);
    if (timer->handle)
      device_executor(timer->device)->destroy_timer(device_handle(timer->device), timer->handle);
  }
  TF_DeleteStatus(ignored);
  modfs_event_close(timer->stopped);
  free(timer);
}

typedef void (*mark_call)(const SP_Device *device, SP_Stream stream, SP_Timer timer,
                          TF_Status *status);

static bool mark(modfs_timer *timer, modfs_stream *stream, mark_call call, const char *operation,
                 TF_Status *status) {
  bool entered = stream_enter(stream, timer->device, status);
  if (entered) {
    call(device_handle(timer->device), stream_handle(stream), timer->handle, status);
    stream_leave(stream, operation, status);
  } else {
    status_locate(status, operation, timer->device->core->platform->name);
  }
  return status_ok(status);
}

void modfs_timer_start(modfs_timer *timer, modfs_stream *stream, TF_Status *status) {
  if (mark(timer, stream, device_executor(timer->device)->start_timer, "start a timer on", status))
    timer->started = true;
}

void modfs_timer_stop(modfs_timer *timer, modfs_stream *stream, TF_Status *status) {
  if (mark(timer, stream, device_executor(timer->device)->stop_timer, "stop a timer on", status))
    modfs_stream_record(stream, timer->stopped, status);
}

uint64_t modfs_timer_nanoseconds(modfs_timer *timer, TF_Status *status) {
  uint64_t elapsed = 0;
  modfs_event_wait(timer->stopped, status);
  if (status_ok(status) && timer->started)
    elapsed = device_abi_of(timer->device)->timer_nanoseconds(timer->handle);
  else if (status_ok(status) || TF_GetCode(status) == TF_FAILED_PRECONDITION)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "read a timer: it was not started and stopped in a stream");
  return elapsed;
}
