/* Plugins, jobs and devices when memory is short (short.h). */
#include <modfs/async.h>
#include <modfs/device.h>

#include "short.h"

/* It is not there: the message may be shorter when memory is short. */
static TF_Code try_search(void) {
  modfs_fs_search("mems://a", "/nowhere/?.so", "find", status);
  return TF_GetCode(status) == TF_UNIMPLEMENTED ? TF_OK : TF_GetCode(status);
}

static TF_Code try_search_platform(void) {
  modfs_platform_search("none", "/nowhere/?.so", status);
  return TF_GetCode(status) == TF_NOT_FOUND ? TF_OK : TF_GetCode(status);
}

/* Only the first success loads it. */
static TF_Code try_load(void) {
  modfs_platform_search("null", beside, status);
  return TF_GetCode(status);
}

static void work(void *argument, TF_Status *to) {
  TF_SetStatus(to, TF_OK, argument);
}

static TF_Code try_job(void) {
  char nothing[] = "";
  uint64_t number;
  modfs_callbacks *callbacks = modfs_callbacks_open(status);
  modfs_strand *strand = callbacks ? modfs_strand_open(status) : NULL;
  const modfs_job_options options = {.callbacks = callbacks, .number = 1, .strand = strand};
  modfs_job *job = strand ? modfs_job_start(work, NULL, nothing, &options, status) : NULL;
  if (job) modfs_job_wait(job, -1);
  while (job && !modfs_callbacks_take(callbacks, &number))
    modfs_callbacks_wait(callbacks, 1);
  if (job) modfs_job_result(job, status);
  modfs_job_close(job);
  TF_Code code = TF_GetCode(status);
  if (strand) modfs_strand_close(strand);
  if (callbacks) modfs_callbacks_close(callbacks);
  return code;
}

static modfs_device *device;

static TF_Code try_device(void) {
  modfs_device *one = modfs_device_open(modfs_platform_find("reference"), 0, status);
  if (one) modfs_device_close(one, status);
  return TF_GetCode(status);
}

static TF_Code try_memory(void) {
  modfs_memory *memory = modfs_memory_allocate(device, 100, status);
  if (memory) modfs_memory_fill(memory, 1, status);
  if (memory) modfs_memory_free(memory);
  return TF_GetCode(status);
}

static TF_Code try_host_memory(void) {
  modfs_bytes *bytes = modfs_device_host_allocate(device, 100, status);
  if (bytes) modfs_bytes_drop(bytes);
  return TF_GetCode(status);
}

static void use_stream(modfs_stream *stream, modfs_event *event, modfs_memory *memory) {
  modfs_bytes *bytes = modfs_bytes_new(64, status);
  if (bytes) modfs_stream_write(stream, memory, bytes, modfs_bytes_data(bytes), 64, status);
  if (bytes && is_ok()) modfs_stream_fill(stream, memory, 7, status);
  if (bytes && is_ok())
    modfs_stream_read(stream, bytes, modfs_bytes_data(bytes), memory, 64, status);
  if (bytes && is_ok()) modfs_stream_record(stream, event, status);
  if (bytes && is_ok()) modfs_event_wait(event, status);
  if (bytes && is_ok() && modfs_bytes_data(bytes)[63] != 7) TF_SetStatus(status, TF_INTERNAL, "");
  if (bytes) modfs_bytes_drop(bytes);
}

static TF_Code try_stream(void) {
  modfs_memory *memory = modfs_memory_allocate(device, 64, status);
  modfs_stream *stream = memory ? modfs_stream_open(device, status) : NULL;
  modfs_event *event = stream ? modfs_event_open(device, status) : NULL;
  if (event) use_stream(stream, event, memory);
  TF_Code code = TF_GetCode(status);
  if (event) modfs_event_close(event);
  if (stream) modfs_stream_close(stream);
  if (memory) modfs_memory_free(memory);
  return code;
}

static TF_Code try_timer(void) {
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_timer *timer = stream ? modfs_timer_open(device, status) : NULL;
  if (timer) modfs_timer_start(timer, stream, status);
  if (timer && is_ok()) modfs_timer_stop(timer, stream, status);
  if (timer && is_ok()) modfs_timer_nanoseconds(timer, status);
  TF_Code code = TF_GetCode(status);
  if (timer) modfs_timer_close(timer);
  if (stream) modfs_stream_close(stream);
  return code;
}

static TF_Code try_device_load(void) {
  double seconds;
  modfs_memory *memory = modfs_device_load(device, mem, "mem://short/tree/5.txt", &seconds, status);
  if (memory) modfs_memory_free(memory);
  return TF_GetCode(status);
}

static const operation operations[] = {{"searching for a scheme", try_search, ALONE},
                                       {"searching for a platform", try_search_platform, ALONE},
                                       {"loading a plugin", try_load, ONCE},
                                       {"a job", try_job, THREADED},
                                       {"opening a device", try_device, THREADED},
                                       {"device memory", try_memory, THREADED},
                                       {"host memory", try_host_memory, THREADED},
                                       {"a stream", try_stream, THREADED},
                                       {"a timer", try_timer, THREADED},
                                       {"loading a file into a device", try_device_load, THREADED}};

static bool prepare(void) {
  const modfs_platform *platform = modfs_platform_search("reference", beside, status);
  device = platform ? modfs_device_open(platform, 0, status) : NULL;
  plant("mem://short/tree");
  return device && is_ok();
}

static void tests(void) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    test(&operations[i]);
}

int main(void) {
  return short_run(prepare, tests);
}
