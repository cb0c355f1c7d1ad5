/* null: a device without hardware, as a template for device plugins.
 *
 * Every operation is performed immediately, on the calling thread. So a stream is not a queue, nothing
 * is ever pending, and device memory is memory of the process. What remains is what every plugin has:
 * the tables, their sizes, ownership, and how failures are reported.
 * <modfs/stream_executor.h> documents the contract of each slot.
 *
 * To start your own plugin: rename it, implement the functions for your device, and add the slots that
 * are empty here if you can do better than the host (the tables below name all of them). */
#include <modfs/stream_executor.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slots get all parameters that a device could need; this device uses few of them. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
/* NOLINTBEGIN(misc-unused-parameters) */

/* 1. Memory. `opaque` may be any value that identifies the memory, but hosts make slices by adding to
 * it, so it must behave like an address. Here it is one. */

static void null_allocate(const SP_Device *device, uint64_t size, int64_t memory_space,
                          SP_DeviceMemoryBase *memory) {
  memory->struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE;
  memory->opaque = malloc(size); /* NULL reports a failure: there is no status */
  memory->size = size;
}

static void null_deallocate(const SP_Device *device, SP_DeviceMemoryBase *memory) {
  free(memory->opaque);
}

/* Host memory that the device can access directly: pinned memory, with a real device. */
static void *null_host_memory_allocate(const SP_Device *device, uint64_t size) {
  return malloc(size);
}

static void null_host_memory_deallocate(const SP_Device *device, void *memory) {
  free(memory);
}

/* Returns false: no statistics are kept. If you keep them, fill stats, including its struct_size. */
static TF_Bool null_get_allocator_stats(const SP_Device *device, SP_AllocatorStats *stats) {
  return false;
}

static TF_Bool null_device_memory_usage(const SP_Device *device, int64_t *free_bytes,
                                        int64_t *total) {
  return false;
}

/* 2. Streams. SP_Stream points to a struct that the plugin defines. A stream keeps its first failure
 * for good. Any thread may query it, so the code is written last. */

struct SP_Stream_st {
  atomic_int code;
  char message[128];
};

static void null_create_stream(const SP_Device *device, SP_Stream *stream, TF_Status *status) {
  *stream = calloc(1, sizeof **stream);
  if (!*stream) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

/* A real stream waits here until its operations are done. */
static void null_destroy_stream(const SP_Device *device, SP_Stream stream) {
  free(stream);
}

static void null_stream_fail(SP_Stream stream, TF_Code code, const char *message) {
  if (atomic_load(&stream->code) != TF_OK) return;
  snprintf(stream->message, sizeof stream->message, "%s", message);
  atomic_store(&stream->code, (int)code);
}

/* Each call gets an OK status: only failures are set. */
static void null_get_stream_status(const SP_Device *device, SP_Stream stream, TF_Status *status) {
  int code = atomic_load(&stream->code);
  if (code != TF_OK) TF_SetStatus(status, (TF_Code)code, stream->message);
}

/* Everything enqueued to the other stream is done already. */
static void null_create_stream_dependency(const SP_Device *device, SP_Stream dependent,
                                          SP_Stream other, TF_Status *status) {
}

/* The callback runs exactly once, with its own status; a failure that it sets is the stream's.
 * False means that it was not accepted: then it never runs. */
static TF_Bool null_host_callback(const SP_Device *device, SP_Stream stream,
                                  SE_StatusCallbackFn callback, void *argument) {
  TF_Status *status = TF_NewStatus();
  if (!status) return false;
  callback(argument, status);
  null_stream_fail(stream, TF_GetCode(status), TF_Message(status));
  TF_DeleteStatus(status);
  return true;
}

static void null_synchronize_all_activity(const SP_Device *device, TF_Status *status) {
}

/* 3. Events. Here a recorded event is complete. */

struct SP_Event_st {
  atomic_bool recorded;
};

static void null_create_event(const SP_Device *device, SP_Event *event, TF_Status *status) {
  *event = calloc(1, sizeof **event);
  if (!*event) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

static void null_destroy_event(const SP_Device *device, SP_Event event) {
  free(event);
}

static SE_EventStatus null_get_event_status(const SP_Device *device, SP_Event event) {
  return atomic_load(&event->recorded) ? SE_EVENT_COMPLETE : SE_EVENT_UNKNOWN;
}

static void null_record_event(const SP_Device *device, SP_Stream stream, SP_Event event,
                              TF_Status *status) {
  atomic_store(&event->recorded, true);
}

static void null_wait_for_event(const SP_Device *const device, SP_Stream stream, SP_Event event,
                                TF_Status *const status) {
}

/* Waiting for an event that was never recorded would never end. */
static void null_block_host_for_event(const SP_Device *device, SP_Event event, TF_Status *status) {
  if (null_get_event_status(device, event) == SE_EVENT_UNKNOWN)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the event was not recorded in any stream");
}

/* 4. Copies and fills. Those with a stream may return before they are done; those named sync must not.
 * Sizes need no check: the host keeps them within the memory. */

static void null_copy(void *to, const void *from, uint64_t size) {
  if (size > 0) memmove(to, from, size);
}

static void null_sync_memcpy_dtoh(const SP_Device *device, void *host_dst,
                                  const SP_DeviceMemoryBase *device_src, uint64_t size,
                                  TF_Status *status) {
  null_copy(host_dst, device_src->opaque, size);
}

static void null_sync_memcpy_htod(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                                  const void *host_src, uint64_t size, TF_Status *status) {
  null_copy(device_dst->opaque, host_src, size);
}

static void null_memcpy_dtoh(const SP_Device *device, SP_Stream stream, void *host_dst,
                             const SP_DeviceMemoryBase *device_src, uint64_t size,
                             TF_Status *status) {
  null_sync_memcpy_dtoh(device, host_dst, device_src, size, status);
}

static void null_memcpy_htod(const SP_Device *device, SP_Stream stream,
                             SP_DeviceMemoryBase *device_dst, const void *host_src, uint64_t size,
                             TF_Status *status) {
  null_sync_memcpy_htod(device, device_dst, host_src, size, status);
}

static void null_memset(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                        uint8_t pattern, uint64_t size, TF_Status *status) {
  if (size > 0) memset(location->opaque, pattern, size);
}

static void null_mem_zero(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                          uint64_t size, TF_Status *status) {
  null_memset(device, stream, location, 0, size, status);
}

static void null_memset32(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                          uint32_t pattern, uint64_t size, TF_Status *status) {
  if (size % sizeof pattern != 0)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the size is not a multiple of 4");
  for (uint64_t i = 0; i + sizeof pattern <= size; i += sizeof pattern)
    memcpy((char *)location->opaque + i, &pattern, sizeof pattern);
}

/* 5. The tables. The host has zeroed them and set struct_size to the size that it knows; this plugin
 * requires hosts that know all of it. Each table gets the plugin's own size.
 *
 * Empty here: unified_memory_* (with supports_unified_memory), timers and SP_TimerFns, memcpy_dtod,
 * sync_memcpy_dtod, block_host_until_done, SP_DeviceFns. */

static void null_create_stream_executor(const SP_Platform *platform,
                                        SE_CreateStreamExecutorParams *params, TF_Status *status) {
  if (params->stream_executor->struct_size < SP_STREAMEXECUTOR_STRUCT_SIZE) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the host's stream executor is too old");
    return;
  }
  *params->stream_executor = (SP_StreamExecutor){
      .struct_size = SP_STREAMEXECUTOR_STRUCT_SIZE,
      .allocate = null_allocate,
      .deallocate = null_deallocate,
      .host_memory_allocate = null_host_memory_allocate,
      .host_memory_deallocate = null_host_memory_deallocate,
      .get_allocator_stats = null_get_allocator_stats,
      .device_memory_usage = null_device_memory_usage,
      .create_stream = null_create_stream,
      .destroy_stream = null_destroy_stream,
      .create_stream_dependency = null_create_stream_dependency,
      .get_stream_status = null_get_stream_status,
      .create_event = null_create_event,
      .destroy_event = null_destroy_event,
      .get_event_status = null_get_event_status,
      .record_event = null_record_event,
      .wait_for_event = null_wait_for_event,
      .memcpy_dtoh = null_memcpy_dtoh,
      .memcpy_htod = null_memcpy_htod,
      .sync_memcpy_dtoh = null_sync_memcpy_dtoh,
      .sync_memcpy_htod = null_sync_memcpy_htod,
      .block_host_for_event = null_block_host_for_event,
      .synchronize_all_activity = null_synchronize_all_activity,
      .mem_zero = null_mem_zero,
      .memset = null_memset,
      .memset32 = null_memset32,
      .host_callback = null_host_callback,
  };
}

static void null_destroy_stream_executor(const SP_Platform *platform, SP_StreamExecutor *executor) {
}

static void null_create_device_fns(const SP_Platform *platform, SE_CreateDeviceFnsParams *params,
                                   TF_Status *status) {
  params->device_fns->struct_size = SP_DEVICE_FNS_STRUCT_SIZE;
}

static void null_destroy_device_fns(const SP_Platform *platform, SP_DeviceFns *fns) {
}

static void null_destroy_timer_fns(const SP_Platform *platform, SP_TimerFns *fns) {
}

/* 6. Devices and the platform. device_handle is for the plugin's own data of a device. */

static void null_get_device_count(const SP_Platform *platform, int *count, TF_Status *status) {
  *count = 1;
}

static void null_create_device(const SP_Platform *platform, SE_CreateDeviceParams *params,
                               TF_Status *status) {
  if (params->ordinal != 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the only device has ordinal 0");
    return;
  }
  params->device->struct_size = SP_DEVICE_STRUCT_SIZE;
  params->device->ordinal = params->ordinal;
  params->device->hardware_name = "null device";
  params->device->device_vendor = "modfs authors";
}

static void null_destroy_device(const SP_Platform *platform, SP_Device *device) {
}

static void null_destroy_platform(SP_Platform *platform) {
}

static void null_destroy_platform_fns(SP_PlatformFns *fns) {
}

/* The only symbol that the file exports; see null.map. */
void SE_InitPlugin(SE_PlatformRegistrationParams *params, TF_Status *status) {
  if (params->platform_fns->struct_size < SP_PLATFORM_FNS_STRUCT_SIZE) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the host's platform functions are too old");
    return;
  }
  params->platform->struct_size = SP_PLATFORM_STRUCT_SIZE;
  params->platform->name = "NULL";
  params->platform->type = "NULL";
  *params->platform_fns = (SP_PlatformFns){
      .struct_size = SP_PLATFORM_FNS_STRUCT_SIZE,
      .get_device_count = null_get_device_count,
      .create_device = null_create_device,
      .destroy_device = null_destroy_device,
      .create_device_fns = null_create_device_fns,
      .destroy_device_fns = null_destroy_device_fns,
      .create_stream_executor = null_create_stream_executor,
      .destroy_stream_executor = null_destroy_stream_executor,
      .destroy_timer_fns = null_destroy_timer_fns,
  };
  params->destroy_platform = null_destroy_platform;
  params->destroy_platform_fns = null_destroy_platform_fns;
}
/* NOLINTEND(misc-unused-parameters) */
