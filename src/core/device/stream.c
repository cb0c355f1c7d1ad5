/* Streams: queues of a device's work.
 *
 * A stream is usable or failed. The first failure, of a call that enqueues, of the plugin's stream
 * status or of a callback (modfs_stream_fail), stays, and later calls that enqueue are refused with
 * it. It is closed once: modfs_stream_close waits until
 * its work is done, for the whole device where the plugin cannot wait for one stream, releases what
 * the work retained and gives up the owner's reference. The last reference destroys the plugin's
 * stream; others are retained by streams that wait on this one.
 *
 * A wait for its work that may be ended (await_work) ends early without having done anything to it.
 *
 * There is no lock: a stream, its list of retained references (work.h) and its status are for one
 * thread at a time. Plugin threads reach a stream through work_pass alone, which touches atomics
 * and a callback queue. The count of references is atomic.
 *
 * Enqueued work uses memory, bytes, events and streams after the call has returned. A copy builds
 * its retained references before it enqueues and adds them to the list afterwards, even when the
 * plugin fails, which may have begun the work. Without memory for them a copy enqueues nothing; a
 * wait, which is enqueued by then, makes the host wait for the stream at once.
 *
 * A stream counts as a child of its device and keeps it open. In a forked child every call that
 * would reach the plugin is refused, and closing frees host memory only: the plugin's stream leaks.
 */
#include "stream.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "core/base/interruption.h"
#include "core/base/status.h"
#include "work.h"

struct modfs_stream {
  modfs_device *device;
  atomic_size_t references; /* of its owner, and of streams that wait on it */
  SP_Stream handle;
  work work;
  TF_Status *ignored; /* for calls whose failure is not reported */
  TF_Code failure;    /* the first one; TF_OK: none */
  char *reason;
};

/* Opening and closing ----------------------------------------------------------------- */

static void free_stream(modfs_stream *stream) {
  if (!stream) return;
  TF_DeleteStatus(stream->ignored);
  free(stream->reason);
  free(stream);
}

static modfs_stream *new_stream(modfs_device *device, TF_Status *status) {
  modfs_stream *stream = calloc(1, sizeof *stream);
  if (stream) stream->ignored = TF_NewStatus();
  if (!stream || !stream->ignored) {
    free_stream(stream);
    status_no_memory(status);
    return NULL;
  }
  atomic_init(&stream->references, 1);
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
    work_fini(&stream->work);
    free_stream(stream);
    stream = NULL;
  }
  if (stream) device_add_child(device);
  return stream;
}

modfs_stream *stream_hold(modfs_stream *stream) {
  atomic_fetch_add_explicit(&stream->references, 1, memory_order_relaxed);
  return stream;
}

/* Streams that wait on this one release their references late: its handle must live as long. */
void stream_drop(modfs_stream *stream) {
  if (!stream || atomic_fetch_sub_explicit(&stream->references, 1, memory_order_acq_rel) > 1)
    return;
  if (stream->handle && device_is_own(stream->device))
    device_executor(stream->device)->destroy_stream(device_handle(stream->device), stream->handle);
  device_drop_child(stream->device);
  free_stream(stream);
}

static void block_until_done(modfs_stream *stream, TF_Status *status) {
  device_executor(stream->device)
      ->block_host_until_done(device_handle(stream->device), stream->handle, status);
}

/* Work that may still run must not lose its memory: if waiting for the stream fails, this waits for
 * the whole device. */
static void finish(modfs_stream *stream) {
  if (!device_is_own(stream->device)) return;
  status_clear(stream->ignored);
  block_until_done(stream, stream->ignored);
  if (status_ok(stream->ignored)) return;
  status_clear(stream->ignored);
  device_executor(stream->device)
      ->synchronize_all_activity(device_handle(stream->device), stream->ignored);
}

void modfs_stream_close(modfs_stream *stream) {
  if (!stream) return;
  finish(stream);
  work_fini(&stream->work);
  stream_drop(stream);
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
  stream->reason = message ? strdup(message) : NULL;
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
    TF_SetStatus(status, TF_INVALID_ARGUMENT,
                 "the object belongs to another device than the stream");
  else
    repeat_failure(stream, status);
  return status_ok(status);
}

void stream_leave(modfs_stream *stream, const char *operation, TF_Status *status) {
  if (status_ok(status)) return;
  modfs_stream_fail(stream, TF_GetCode(status), TF_Message(status));
  status_locate(status, operation, name_of(stream));
}

/* A failure that the plugin reports once remains the stream's. */
static void ask_status(modfs_stream *stream, TF_Status *status) {
  device_executor(stream->device)
      ->get_stream_status(device_handle(stream->device), stream->handle, status);
  modfs_stream_fail(stream, TF_GetCode(status), TF_Message(status));
}

void modfs_stream_status(modfs_stream *stream, TF_Status *status) {
  status_clear(status);
  if (!device_is_inherited(stream->device, status)) {
    repeat_failure(stream, status);
    if (status_ok(status)) ask_status(stream, status);
  }
  status_locate(status, "stream of", name_of(stream));
}

/* Whoever works for a job waits so that it can be ended, as the plugin's own wait cannot: for a
 * callback behind the work so far. A stream that has failed may never come to it. After an
 * interruption the callback arrives at a closed queue, and the stream stays usable. */
static void await_work(modfs_stream *stream, TF_Status *status) {
  const double piece = 0.02; /* seconds */
  bool looks = interruption_is_possible() && stream->failure == TF_OK;
  modfs_callbacks *queue = looks ? modfs_callbacks_open(status) : NULL;
  if (!queue) return;
  modfs_stream_callback(stream, queue, 0, status);
  while (status_ok(status) && !modfs_callbacks_wait(queue, piece) && !interruption_ends(status))
    ask_status(stream, status);
  modfs_callbacks_close(queue);
}

void modfs_stream_synchronize(modfs_stream *stream, TF_Status *status) {
  status_clear(status);
  if (!device_is_inherited(stream->device, status)) {
    await_work(stream, status);
    if (status_ok(status)) block_until_done(stream, status);
    if (status_ok(status)) work_release_done(&stream->work);
    if (status_ok(status)) ask_status(stream, status);
    repeat_failure(stream, status);
  }
  status_locate(status, "synchronize a stream of", name_of(stream));
}

/* Holding what work needs ----------------------------------------------------------------- */

/* Enqueues a fence behind the last element. One that the plugin refuses fails the stream, as nothing before it could be
 * released. */
static void enqueue_fence(modfs_stream *stream, retained *thing) {
  const SP_StreamExecutor *executor = device_executor(stream->device);
  if (executor->host_callback(device_handle(stream->device), stream->handle, work_pass,
                              work_add_fence(&stream->work)))
    return;
  modfs_stream_fail(stream, TF_INTERNAL, "host_callback failed");
  work_cancel(thing);
}

static void keep(modfs_stream *stream, retained *thing) {
  work_add(&stream->work, thing);
  if (stream->failure == TF_OK && work_wants_fence(&stream->work)) enqueue_fence(stream, thing);
  work_release(&stream->work);
}

/* Without memory for the retained reference, waits until the work needs it no more. */
static void keep_or_wait(modfs_stream *stream, retained *thing, TF_Status *status) {
  if (thing)
    keep(stream, thing);
  else
    block_until_done(stream, status);
}

void stream_keep_event(modfs_stream *stream, modfs_event *event, TF_Status *status) {
  const retained_parts parts = {.event = event};
  keep_or_wait(stream, retained_new(&stream->work, &parts, status), status);
}

/* Copies ---------------------------------------------------------------------------------- */

/* Checks the arguments and retains them, before anything is enqueued. NULL: nothing to do, or a
 * failure. */
static retained *prepare(modfs_stream *stream, retained_parts parts, uint64_t n,
                         TF_Status *status) {
  const modfs_memory *a = parts.memories[0], *b = parts.memories[1];
  if (!stream_enter(stream, modfs_memory_device(a), status) ||
      (b && !stream_enter(stream, modfs_memory_device(b), status)) ||
      !memory_check_range(a, 0, n, status) || (b && !memory_check_range(b, 0, n, status)) || n == 0)
    return NULL;
  return retained_new(&stream->work, &parts, status);
}

/* Ends the call. The references stay retained even if the plugin failed: it may have begun. */
static void settle(modfs_stream *stream, retained *thing, const char *operation,
                   TF_Status *status) {
  if (!thing) {
    status_locate(status, operation, name_of(stream));
    return;
  }
  stream_leave(stream, operation, status);
  keep(stream, thing);
}

void stream_write_range(modfs_stream *stream, memory_range to, modfs_bytes *bytes, const char *data,
                        TF_Status *status) {
  SP_DeviceMemoryBase target = memory_base(to.memory, to.offset);
  retained_parts parts = {.memories = {to.memory}, .bytes = bytes};
  retained *thing = prepare(stream, parts, to.offset + to.n, status);
  if (thing)
    device_executor(stream->device)
        ->memcpy_htod(device_handle(stream->device), stream->handle, &target, data, to.n, status);
  settle(stream, thing, "enqueue a copy to", status);
}

void modfs_stream_write(modfs_stream *stream, modfs_memory *to, modfs_bytes *bytes,
                        const char *data, uint64_t n, TF_Status *status) {
  stream_write_range(stream, (memory_range){to, 0, n}, bytes, data, status);
}

void modfs_stream_read(modfs_stream *stream, modfs_bytes *bytes, char *data, modfs_memory *from,
                       uint64_t n, TF_Status *status) {
  SP_DeviceMemoryBase source = memory_base(from, 0);
  retained *thing =
      prepare(stream, (retained_parts){.memories = {from}, .bytes = bytes}, n, status);
  if (thing)
    device_executor(stream->device)
        ->memcpy_dtoh(device_handle(stream->device), stream->handle, data, &source, n, status);
  settle(stream, thing, "enqueue a copy from", status);
}

void modfs_stream_copy(modfs_stream *stream, modfs_memory *to, modfs_memory *from, uint64_t n,
                       TF_Status *status) {
  SP_DeviceMemoryBase target = memory_base(to, 0), source = memory_base(from, 0);
  retained *thing = prepare(stream, (retained_parts){.memories = {to, from}}, n, status);
  if (thing)
    device_executor(stream->device)
        ->memcpy_dtod(device_handle(stream->device), stream->handle, &target, &source, n, status);
  settle(stream, thing, "enqueue a copy within", status);
}

void modfs_stream_fill(modfs_stream *stream, modfs_memory *memory, unsigned char byte,
                       TF_Status *status) {
  const SP_StreamExecutor *executor = device_executor(stream->device);
  const SP_Device *device = device_handle(stream->device);
  uint64_t size = modfs_memory_size(memory);
  SP_DeviceMemoryBase target = memory_base(memory, 0);
  retained *thing = prepare(stream, (retained_parts){.memories = {memory}}, size, status);
  if (thing && byte == 0)
    executor->mem_zero(device, stream->handle, &target, size, status);
  else if (thing)
    executor->memset(device, stream->handle, &target, byte, size, status);
  settle(stream, thing, "enqueue a fill of", status);
}

/* Order and callbacks ------------------------------------------------------------------------ */

void modfs_stream_wait_stream(modfs_stream *stream, modfs_stream *other, TF_Status *status) {
  if (stream_enter(stream, other->device, status)) {
    device_executor(stream->device)
        ->create_stream_dependency(device_handle(stream->device), stream->handle, other->handle,
                                   status);
    stream_leave(stream, "enqueue a wait on", status);
    const retained_parts parts = {.stream = other};
    keep_or_wait(stream, retained_new(&stream->work, &parts, status), status);
  } else {
    status_locate(status, "enqueue a wait on", name_of(stream));
  }
}

/* A callback that the plugin refuses may have run all the same: then the caller gets both, the
 * failure and the callback. */
void modfs_stream_callback(modfs_stream *stream, modfs_callbacks *callbacks, uint64_t number,
                           TF_Status *status) {
  retained *thing = stream_enter(stream, NULL, status)
                        ? retained_new_callback(&stream->work, callbacks, number, status)
                        : NULL;
  if (thing) {
    work_add(&stream->work, thing);
    enqueue_fence(stream, thing);
    if (stream->failure != TF_OK) repeat_failure(stream, status);
  }
  work_release(&stream->work);
  if (!status_ok(status)) status_locate(status, "enqueue a callback on", name_of(stream));
}
