#include <modfs/stream_executor.h>

#include <stdbool.h>
#include <string.h>

#include "allocator.h"
#include "callback.h"
#include "configuration.h"
#include "copy.h"
#include "device.h"
#include "error.h"
#include "event.h"
#include "fill.h"
#include "process.h"
#include "stream.h"
#include "timer.h"

static const SP_StreamExecutor executor = {
    .allocate = reference_allocate,
    .deallocate = reference_deallocate,
    .host_memory_allocate = reference_host_memory_allocate,
    .host_memory_deallocate = reference_host_memory_deallocate,
    .unified_memory_allocate = reference_unified_memory_allocate,
    .unified_memory_deallocate = reference_unified_memory_deallocate,
    .get_allocator_stats = reference_allocator_stats,
    .device_memory_usage = reference_memory_usage,
    .create_stream = reference_stream_create,
    .destroy_stream = reference_stream_destroy,
    .create_stream_dependency = reference_stream_depend,
    .get_stream_status = reference_stream_status,
    .create_event = reference_event_create,
    .destroy_event = reference_event_destroy,
    .get_event_status = reference_event_status,
    .record_event = reference_event_record,
    .wait_for_event = reference_event_wait,
    .create_timer = reference_timer_create,
    .destroy_timer = reference_timer_destroy,
    .start_timer = reference_timer_start,
    .stop_timer = reference_timer_stop,
    .memcpy_dtoh = reference_copy_dtoh,
    .memcpy_htod = reference_copy_htod,
    .memcpy_dtod = reference_copy_dtod,
    .sync_memcpy_dtoh = reference_copy_sync_dtoh,
    .sync_memcpy_htod = reference_copy_sync_htod,
    .sync_memcpy_dtod = reference_copy_sync_dtod,
    .block_host_for_event = reference_event_block,
    .block_host_until_done = reference_stream_synchronize,
    .synchronize_all_activity = reference_device_synchronize,
    .mem_zero = reference_fill_zero,
    .memset = reference_fill_bytes,
    .memset32 = reference_fill_words,
    .host_callback = reference_callback_enqueue,
};

static const SP_DeviceFns device_fns = {
    .get_numa_node = reference_device_numa_node,
    .get_memory_bandwidth = reference_device_bandwidth,
    .get_gflops = reference_device_gflops,
};

static const SP_TimerFns timer_fns = {.nanoseconds = reference_timer_nanoseconds};

/* Copies a table up to the size that the host knows; each table begins with its size. */
static void give_table(void *target, const void *table, size_t size) {
  size_t room;
  memcpy(&room, target, sizeof room);
  if (room < size) size = room;
  memcpy(target, table, size);
  memcpy(target, &size, sizeof size);
}

/* Parts ------------------------------------------------------------------------------- */

static void create_device_fns(const SP_Platform *platform, SE_CreateDeviceFnsParams *params,
                              TF_Status *status) {
  (void)platform;
  (void)status;
  give_table(params->device_fns, &device_fns, SP_DEVICE_FNS_STRUCT_SIZE);
}

static void destroy_device_fns(const SP_Platform *platform, SP_DeviceFns *fns) {
  (void)platform;
  (void)fns;
}

/* Older hosts have no fills and expect the callback in the slot where newer hosts have the first fill. */
static void create_executor(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                            TF_Status *status) {
  SP_StreamExecutor *target = params->stream_executor;
  const size_t room = target->struct_size, old = offsetof(SP_StreamExecutor, memset);
  (void)platform;
  if (room < old) {
    reference_error_report(REFERENCE_HOST_TOO_OLD, status);
    return;
  }
  const bool is_old = room < SP_STREAMEXECUTOR_STRUCT_SIZE;
  give_table(target, &executor, is_old ? old : SP_STREAMEXECUTOR_STRUCT_SIZE);
  if (is_old) memcpy(&target->mem_zero, &executor.host_callback, sizeof executor.host_callback);
}

static void destroy_executor(const SP_Platform *platform, SP_StreamExecutor *table) {
  (void)platform;
  (void)table;
}

static void create_timer_fns(const SP_Platform *platform, SP_TimerFns *fns, TF_Status *status) {
  (void)platform;
  (void)status;
  give_table(fns, &timer_fns, SP_TIMER_FNS_STRUCT_SIZE);
}

static void destroy_timer_fns(const SP_Platform *platform, SP_TimerFns *fns) {
  (void)platform;
  (void)fns;
}

/* The platform ------------------------------------------------------------------------- */

static const SP_Platform platform_facts = {
    .name = "REFERENCE",
    .type = "REFERENCE",
    .supports_unified_memory = 1,
    .use_bfc_allocator = 1,
    .force_memory_growth = 0,
};

static const SP_PlatformFns platform_fns = {
    .get_device_count = reference_device_count,
    .create_device = reference_device_create,
    .destroy_device = reference_device_destroy,
    .create_device_fns = create_device_fns,
    .destroy_device_fns = destroy_device_fns,
    .create_stream_executor = create_executor,
    .destroy_stream_executor = destroy_executor,
    .create_timer_fns = create_timer_fns,
    .destroy_timer_fns = destroy_timer_fns,
};

static void destroy_platform(SP_Platform *platform) {
  (void)platform;
}

static void destroy_platform_fns(SP_PlatformFns *fns) {
  (void)fns;
}

void SE_InitPlugin(SE_PlatformRegistrationParams *params, TF_Status *status) {
  if (!reference_configuration_read(status)) return;
  if (!reference_process_init()) {
    reference_error_report(REFERENCE_NO_MEMORY, status);
    return;
  }
  give_table(params->platform, &platform_facts, SP_PLATFORM_STRUCT_SIZE);
  give_table(params->platform_fns, &platform_fns, SP_PLATFORM_FNS_STRUCT_SIZE);
  params->struct_size = SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE;
  params->destroy_platform = destroy_platform;
  params->destroy_platform_fns = destroy_platform_fns;
}
