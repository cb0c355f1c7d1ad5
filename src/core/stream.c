/* A queue of a device's work, and what that work still needs.
 *
 * Each operation that uses memory or bytes puts them on a list of held things and enqueues a mark, a
 * host callback that only counts. As the stream works in order, as many things as marks have passed
 * can be let go; that happens on the host's thread, because a plugin's callback may not call the
 * plugin. */
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "callbacks.h"
#include "memory.h"
#include "status.h"

/* What a mark's callback counts in; it outlives the stream when a plugin is late. */
typedef struct marks {
  atomic_size_t references; /* of the stream, and of each mark under way */
  atomic_size_t passed;
} marks;

typedef struct held {
  modfs_memory *memories[2];
  modfs_bytes *bytes;
  modfs_event *event;
  modfs_stream *stream;
  struct held *next;
} held;

struct modfs_stream {
  modfs_device *device;
  atomic_size_t references; /* of its owner, and of what waits for it */
  SP_Stream handle;
  TF_Code failure;
  char *reason;
  marks *marks;
  size_t released; /* how many held things have been let go */
  held *first, *last;
};

/* Ends a stream whose work is done, once nothing waits for it any more. */
static void drop_stream(modfs_stream *stream) {
  if (!stream || atomic_fetch_sub_explicit(&stream->references, 1, memory_order_acq_rel) > 1)
    return;
  TF_Status *ignored = TF_NewStatus();
  if (stream->handle && ignored && !device_is_inherited(stream->device, ignored))
    device_executor(stream->device)->destroy_stream(device_handle(stream->device), stream->handle);
  TF_DeleteStatus(ignored);
  device_drop_child(stream->device);
  free(stream->reason);
  free(stream);
}

/* Held things ----------------------------------------------------------------------- */

static void free_held(held *thing) {
  modfs_memory_free(thing->memories[0]);
  modfs_memory_free(thing->memories[1]);
  modfs_bytes_drop(thing->bytes);
  modfs_event_close(thing->event);
  drop_stream(thing->stream);
  free(thing);
}

static void release_passed(modfs_stream *stream, size_t passed) {
  while (stream->first && stream->released < passed) {
    held *thing = stream->first;
    stream->first = thing->next;
    stream->released++;
    free_held(thing);
  }
}

static void drop_marks(marks *counted) {
  if (atomic_fetch_sub_explicit(&counted->references, 1, memory_order_acq_rel) == 1) free(counted);
}

static void pass_mark(void *const argument, TF_Status *const status) {
  marks *counted = argument;
  TF_SetStatus(status, TF_OK, "");
  atomic_fetch_add_explicit(&counted->passed, 1, memory_order_release);
  drop_marks(counted);
}

/* A copy of what is to be held, with a reference to each part. */
static held *hold(held parts, TF_Status *status) {
  held *thing = malloc(sizeof *thing);
  if (!thing) {
    status_no_memory(status);
    return NULL;
  }
  for (size_t i = 0; i < 2; i++)
    if (parts.memories[i]) memory_hold(parts.memories[i]);
  if (parts.bytes) modfs_bytes_hold(parts.bytes);
  if (parts.event) event_hold(parts.event);
  if (parts.stream) atomic_fetch_add_explicit(&parts.stream->references, 1, memory_order_relaxed);
  *thing = parts;
  return thing;
}

/* From now on the thing is in use; without a mark it is until the stream ends. */
static void keep(modfs_stream *stream, held *thing) {
  *(stream->first ? &stream->last->next : &stream->first) = thing;
  stream->last = thing;
  if (stream->failure != TF_OK) return;
  atomic_fetch_add_explicit(&stream->marks->references, 1, memory_order_relaxed);
  if (!device_executor(stream->device)
           ->host_callback(device_handle(stream->device), stream->handle, pass_mark, stream->marks))
    modfs_stream_fail(stream, TF_INTERNAL, "host_callback failed");
  release_passed(stream, atomic_load_explicit(&stream->marks->passed, memory_order_acquire));
}

/* Opening and closing ----------------------------------------------------------------- */

static modfs_stream *new_stream(modfs_device *device, TF_Status *status) {
  modfs_stream *stream = calloc(1, sizeof *stream);
  marks *counted = calloc(1, sizeof *counted);
  if (!stream || !counted) {
    free(stream);
    free(counted);
    status_no_memory(status);
    return NULL;
  }
  atomic_init(&counted->references, 1);
  atomic_init(&stream->references, 1);
  stream->marks = counted;
  stream->device = device;
  return stream;
}

modfs_stream *modfs_stream_open(modfs_device *device, TF_Status *status) {
  status_clear(status);
  modfs_stream *stream = device_is_inherited(device, status) ? NULL : new_stream(device, status);
  if (stream)
    device_executor(device)->create_stream(device_handle(device), &stream->handle, status);
  status_locate(status, "open a stream on", device->core->platform->name);
  if (stream && !status_ok(status)) {
    free(stream->marks);
    free(stream);
    stream = NULL;
  }
  if (stream) device_add_child(device);
  return stream;
}

static void block_until_done(modfs_stream *stream, TF_Status *status) {
  const SP_StreamExecutor *executor = device_executor(stream->device);
  const SP_Device *device = device_handle(stream->device);
  SP_Event event = NULL;
  if (executor->block_host_until_done) {
    executor->block_host_until_done(device, stream->handle, status);
    return;
  }
  executor->create_event(device, &event, status);
  if (!status_ok(status)) return;
  executor->record_event(device, stream->handle, event, status);
  if (status_ok(status)) executor->block_host_for_event(device, event, status);
  if (event) executor->destroy_event(device, event);
}

void modfs_stream_close(modfs_stream *stream) {
  if (!stream) return;
  TF_Status *ignored = TF_NewStatus();
  if (ignored && !device_is_inherited(stream->device, ignored)) block_until_done(stream, ignored);
  TF_DeleteStatus(ignored);
  release_passed(stream, SIZE_MAX);
  drop_marks(stream->marks);
  drop_stream(stream);
}

modfs_device *modfs_stream_device(const modfs_stream *stream) {
  return stream->device;
}

SP_Stream stream_handle(const modfs_stream *stream) {
  return stream->handle;
}

/* Status -------------------------------------------------------------------------------- */

void modfs_stream_fail(modfs_stream *stream, TF_Code code, const char *message) {
  if (stream->failure != TF_OK || code == TF_OK) return;
  stream->failure = code;
  stream->reason = strdup(message);
}

static void repeat_failure(const modfs_stream *stream, TF_Status *status) {
  if (stream->failure != TF_OK)
    TF_SetStatus(status, stream->failure, stream->reason ? stream->reason : "the stream failed");
}

static const char *name_of(const modfs_stream *stream) {
  return stream->device->core->platform->name;
}

bool stream_enter(modfs_stream *stream, const modfs_device *device, TF_Status *status) {
  status_clear(status);
  if (device_is_inherited(stream->device, status)) return false;
  if (device && device->core != stream->device->core)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "it belongs to another device than the stream");
  else
    repeat_failure(stream, status);
  return status_ok(status);
}

void stream_leave(modfs_stream *stream, const char *operation, TF_Status *status) {
  modfs_stream_fail(stream, TF_GetCode(status), TF_Message(status));
  status_locate(status, operation, name_of(stream));
}

void modfs_stream_status(modfs_stream *stream, TF_Status *status) {
  status_clear(status);
  if (!device_is_inherited(stream->device, status)) {
    repeat_failure(stream, status);
    if (status_ok(status))
      device_executor(stream->device)
          ->get_stream_status(device_handle(stream->device), stream->handle, status);
  }
  status_locate(status, "stream of", name_of(stream));
}

void modfs_stream_synchronize(modfs_stream *stream, TF_Status *status) {
  status_clear(status);
  if (!device_is_inherited(stream->device, status)) {
    block_until_done(stream, status);
    release_passed(stream, atomic_load_explicit(&stream->marks->passed, memory_order_acquire));
    if (status_ok(status))
      device_executor(stream->device)
          ->get_stream_status(device_handle(stream->device), stream->handle, status);
    repeat_failure(stream, status);
  }
  status_locate(status, "synchronize a stream of", name_of(stream));
}

/* Copies ---------------------------------------------------------------------------------- */

/* Refuses what is wrong before anything is enqueued. */
static held *prepare(modfs_stream *stream, modfs_memory *a, modfs_memory *b, modfs_bytes *bytes,
                     uint64_t n, TF_Status *status) {
  if (!stream_enter(stream, modfs_memory_device(a), status) ||
      (b && !stream_enter(stream, modfs_memory_device(b), status)) ||
      !memory_check_range(a, 0, n, status) || (b && !memory_check_range(b, 0, n, status)) || n == 0)
    return NULL;
  return hold((held){.memories = {a, b}, .bytes = bytes}, status);
}

/* What was prepared is in use once the plugin took the work. */
static void settle(modfs_stream *stream, held *thing, const char *operation, TF_Status *status) {
  if (!thing) {
    status_locate(status, operation, name_of(stream));
    return;
  }
  stream_leave(stream, operation, status);
  keep(stream, thing);
}

void stream_write_at(modfs_stream *stream, modfs_memory *to, uint64_t offset, modfs_bytes *bytes,
                     const char *data, uint64_t n, TF_Status *status) {
  SP_DeviceMemoryBase target = memory_base(to, offset);
  held *thing = prepare(stream, to, NULL, bytes, offset + n, status);
  if (thing)
    device_executor(stream->device)
        ->memcpy_htod(device_handle(stream->device), stream->handle, &target, data, n, status);
  settle(stream, thing, "enqueue a copy to", status);
}

void modfs_stream_write(modfs_stream *stream, modfs_memory *to, modfs_bytes *bytes,
                        const char *data, uint64_t n, TF_Status *status) {
  stream_write_at(stream, to, 0, bytes, data, n, status);
}

void modfs_stream_read(modfs_stream *stream, modfs_bytes *bytes, char *data, modfs_memory *from,
                       uint64_t n, TF_Status *status) {
  SP_DeviceMemoryBase source = memory_base(from, 0);
  held *thing = prepare(stream, from, NULL, bytes, n, status);
  if (thing)
    device_executor(stream->device)
        ->memcpy_dtoh(device_handle(stream->device), stream->handle, data, &source, n, status);
  settle(stream, thing, "enqueue a copy from", status);
}

/* A plugin without a copy of its own gets it through the host, in the stream's turn. */
static void copy_through_host(modfs_stream *stream, modfs_memory *to, modfs_memory *from,
                              uint64_t n, TF_Status *status) {
  block_until_done(stream, status);
  if (status_ok(status)) modfs_memory_copy(to, from, n, status);
}

void modfs_stream_copy(modfs_stream *stream, modfs_memory *to, modfs_memory *from, uint64_t n,
                       TF_Status *status) {
  const SP_StreamExecutor *executor = device_executor(stream->device);
  SP_DeviceMemoryBase target = memory_base(to, 0), source = memory_base(from, 0);
  held *thing = prepare(stream, to, from, NULL, n, status);
  if (thing && executor->memcpy_dtod)
    executor->memcpy_dtod(device_handle(stream->device), stream->handle, &target, &source, n,
                          status);
  else if (thing)
    copy_through_host(stream, to, from, n, status);
  settle(stream, thing, "enqueue a copy within", status);
}

static void fill_through_host(modfs_stream *stream, modfs_memory *memory, unsigned char byte,
                              TF_Status *status) {
  block_until_done(stream, status);
  if (status_ok(status)) modfs_memory_fill(memory, byte, status);
}

void modfs_stream_fill(modfs_stream *stream, modfs_memory *memory, unsigned char byte,
                       TF_Status *status) {
  const SP_StreamExecutor *executor = device_executor(stream->device);
  const SP_Device *device = device_handle(stream->device);
  uint64_t size = modfs_memory_size(memory);
  SP_DeviceMemoryBase target = memory_base(memory, 0);
  held *thing = prepare(stream, memory, NULL, NULL, size, status);
  if (thing && byte == 0 && executor->mem_zero)
    executor->mem_zero(device, stream->handle, &target, size, status);
  else if (thing && executor->memset)
    executor->memset(device, stream->handle, &target, byte, size, status);
  else if (thing)
    fill_through_host(stream, memory, byte, status);
  settle(stream, thing, "enqueue a fill of", status);
}

/* Without memory to hold what the work still needs, the work is waited for. */
static void keep_or_wait(modfs_stream *stream, held *thing, TF_Status *status) {
  if (thing)
    keep(stream, thing);
  else
    block_until_done(stream, status);
}

void stream_keep_event(modfs_stream *stream, modfs_event *event, TF_Status *status) {
  keep_or_wait(stream, hold((held){.event = event}, status), status);
}

/* Order and callbacks ------------------------------------------------------------------------ */

void modfs_stream_wait_stream(modfs_stream *stream, modfs_stream *other, TF_Status *status) {
  if (stream_enter(stream, other->device, status)) {
    device_executor(stream->device)
        ->create_stream_dependency(device_handle(stream->device), stream->handle, other->handle,
                                   status);
    stream_leave(stream, "enqueue a wait on", status);
    keep_or_wait(stream, hold((held){.stream = other}, status), status);
  } else {
    status_locate(status, "enqueue a wait on", name_of(stream));
  }
}

static void run_callback(void *const argument, TF_Status *const status) {
  TF_SetStatus(status, TF_OK, "");
  callback_arrive(argument);
}

void modfs_stream_callback(modfs_stream *stream, modfs_callbacks *callbacks, uint64_t number,
                           TF_Status *status) {
  callback *made =
      stream_enter(stream, NULL, status) ? callback_new(callbacks, number, status) : NULL;
  if (made &&
      !device_executor(stream->device)
           ->host_callback(device_handle(stream->device), stream->handle, run_callback, made)) {
    /* It may have run all the same, so it is not taken back. */
    TF_SetStatus(status, TF_INTERNAL, "host_callback failed");
    modfs_stream_fail(stream, TF_INTERNAL, "host_callback failed");
  }
  status_locate(status, "enqueue a callback on", name_of(stream));
}
