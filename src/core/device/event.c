/* Events.
 *
 * An event is new or recorded, and once recorded stays so; recording it again moves it. A new event
 * has no status, cannot be waited for by the host, and makes a stream that waits on it wait for
 * nothing.
 *
 * There is no lock: an event is for one thread at a time. The count of references is atomic: one of
 * the owner and one of each stream that has a wait for it enqueued (stream_keep_event). A stream
 * that records it retains nothing; instead the last release waits until a recorded event has come
 * to pass, and only then destroys it, so the plugin never records into a destroyed event. That wait
 * happens on the thread that releases last, which may be one that uses a waiting stream.
 *
 * An event is a child of its device and keeps it open. In a forked child its status is unknown,
 * waiting and recording are refused, and closing frees host memory only. */
#include <stdlib.h>
#include <time.h>

#include "device.h"

#include "core/base/interruption.h"
#include "core/base/status.h"
#include "stream.h"

struct modfs_event {
  modfs_device *device;
  atomic_size_t references;
  SP_Event handle;
  TF_Status *ignored;   /* for calls whose failure is not reported */
  atomic_bool recorded; /* a stream's job may record it while another stream's waits */
};

static void free_event(modfs_event *event) {
  if (event) TF_DeleteStatus(event->ignored);
  free(event);
}

modfs_event *modfs_event_open(modfs_device *device, TF_Status *status) {
  modfs_event *event = calloc(1, sizeof *event);
  status_clear(status);
  if (event) event->ignored = TF_NewStatus();
  if (!event || !event->ignored)
    status_no_memory(status);
  else if (!device_is_inherited(device, status))
    device_executor(device)->create_event(device_handle(device), &event->handle, status);
  status_locate(status, "open an event on", device->core->platform->name);
  if (!status_ok(status)) {
    free_event(event);
    return NULL;
  }
  event->device = device;
  atomic_init(&event->references, 1);
  device_add_child(device);
  return event;
}

modfs_event *event_hold(modfs_event *event) {
  atomic_fetch_add_explicit(&event->references, 1, memory_order_relaxed);
  return event;
}

void modfs_event_close(modfs_event *event) {
  if (!event || atomic_fetch_sub_explicit(&event->references, 1, memory_order_acq_rel) > 1) return;
  if (event->handle && device_is_own(event->device)) {
    const SP_StreamExecutor *executor = device_executor(event->device);
    const SP_Device *device = device_handle(event->device);
    status_clear(event->ignored);
    /* A recording may still be on its way to the event. */
    if (event->recorded) executor->block_host_for_event(device, event->handle, event->ignored);
    executor->destroy_event(device, event->handle);
  }
  device_drop_child(event->device);
  free_event(event);
}

SE_EventStatus modfs_event_status(modfs_event *event) {
  if (!event->recorded || !device_is_own(event->device)) return SE_EVENT_UNKNOWN;
  SE_EventStatus answer =
      device_executor(event->device)->get_event_status(device_handle(event->device), event->handle);
  return answer >= SE_EVENT_UNKNOWN && answer <= SE_EVENT_COMPLETE ? answer : SE_EVENT_UNKNOWN;
}

/* Whoever works for a job asks now and then, as the plugin's own wait cannot be ended. */
static void await_event(modfs_event *event, TF_Status *status) {
  const long most = 10 * 1000 * 1000; /* nanoseconds */
  long pause = 20 * 1000;
  if (!interruption_is_possible()) return;
  while (!interruption_ends(status) && modfs_event_status(event) == SE_EVENT_PENDING) {
    nanosleep(&(struct timespec){0, pause}, NULL);
    pause = 2 * pause < most ? 2 * pause : most;
  }
}

void event_block(modfs_event *event, TF_Status *status) {
  device_executor(event->device)
      ->block_host_for_event(device_handle(event->device), event->handle, status);
}

void modfs_event_wait(modfs_event *event, TF_Status *status) {
  status_clear(status);
  if (!event->recorded)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the event was not recorded in any stream");
  else if (!device_is_inherited(event->device, status))
    await_event(event, status);
  if (status_ok(status)) event_block(event, status);
  status_locate(status, "wait for an event of", event->device->core->platform->name);
}

void modfs_stream_record(modfs_stream *stream, modfs_event *event, TF_Status *status) {
  if (!stream_enter(stream, event->device, status)) {
    status_locate(status, "record an event on", event->device->core->platform->name);
    return;
  }
  device_executor(event->device)
      ->record_event(device_handle(event->device), stream_handle(stream), event->handle, status);
  event->recorded = event->recorded || status_ok(status);
  stream_leave(stream, "record an event on", status);
}

/* Waiting for an event that was never recorded does nothing. */
void modfs_stream_wait_event(modfs_stream *stream, modfs_event *event, TF_Status *status) {
  if (stream_enter(stream, event->device, status) && event->recorded) {
    device_executor(event->device)
        ->wait_for_event(device_handle(event->device), stream_handle(stream), event->handle,
                         status);
    stream_leave(stream, "enqueue a wait on", status);
    stream_keep_event(stream, event, status);
  } else {
    status_locate(status, "enqueue a wait on", event->device->core->platform->name);
  }
}
