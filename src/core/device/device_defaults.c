/* Completes every slot of a platform's tables, once, at load: an empty slot gets a default made of
 * other slots, or a refusal. Only the converted copies are completed; the plugin is passed its own
 * tables as it left them. A default finds its platform by the device, which is the first member of
 * an abi_device. */
#include "device_defaults.h"

#include <stdlib.h>

#include "core/base/status.h"

enum { PIECE = 4 * 1024 * 1024 };

static void refuse(TF_Status *status, const char *what) {
  TF_SetStatus(status, TF_UNIMPLEMENTED, what);
}

static const SP_StreamExecutor *executor_of(const SP_Device *device) {
  const abi_device *made = (const abi_device *)(const void *)device;
  return &made->abi->executor;
}

/* Through the host ------------------------------------------------------------ */

static SP_DeviceMemoryBase part_of(device_place place, uint64_t offset) {
  SP_DeviceMemoryBase part = *place.base;
  part.opaque = (void *)((uintptr_t)part.opaque + offset);
  part.size -= offset;
  return part;
}

static char *make_piece(uint64_t n, TF_Status *status) {
  char *buffer = malloc(n < PIECE ? (size_t)n : PIECE);
  if (!buffer) status_no_memory(status);
  return buffer;
}

void device_copy_through_host(device_place to, device_place from, uint64_t n, TF_Status *status) {
  char *buffer = make_piece(n, status);
  for (uint64_t done = 0; buffer && done < n && status_ok(status);) {
    uint64_t piece = n - done < PIECE ? n - done : PIECE;
    SP_DeviceMemoryBase source = part_of(from, done), target = part_of(to, done);
    from.executor->sync_memcpy_dtoh(from.device, buffer, &source, piece, status);
    if (status_ok(status)) to.executor->sync_memcpy_htod(to.device, &target, buffer, piece, status);
    done += piece;
  }
  free(buffer);
}

void device_fill_through_host(device_place to, uint32_t pattern, uint64_t n, TF_Status *status) {
  char *buffer = make_piece(n, status);
  for (uint64_t i = 0; buffer && i < n && i < PIECE; i++)
    buffer[i] = (char)(pattern >> i % 4 * 8);
  for (uint64_t done = 0; buffer && done < n && status_ok(status);) {
    uint64_t piece = n - done < PIECE ? n - done : PIECE;
    SP_DeviceMemoryBase target = part_of(to, done);
    to.executor->sync_memcpy_htod(to.device, &target, buffer, piece, status);
    done += piece;
  }
  free(buffer);
}

/* The executor ------------------------------------------------------------------ */

static void default_block_host_until_done(const SP_Device *device, SP_Stream stream,
                                          TF_Status *status) {
  const SP_StreamExecutor *executor = executor_of(device);
  SP_Event event = NULL;
  executor->create_event(device, &event, status);
  if (!status_ok(status)) return;
  executor->record_event(device, stream, event, status);
  if (status_ok(status)) executor->block_host_for_event(device, event, status);
  if (event) executor->destroy_event(device, event);
}

static void default_sync_memcpy_dtod(const SP_Device *device, SP_DeviceMemoryBase *to,
                                     const SP_DeviceMemoryBase *from, uint64_t size,
                                     TF_Status *status) {
  const SP_StreamExecutor *executor = executor_of(device);
  device_copy_through_host((device_place){executor, device, to},
                           (device_place){executor, device, from}, size, status);
}

/* Waits until the stream is empty, so the copy takes place in the stream's order. */
static void default_memcpy_dtod(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *to,
                                const SP_DeviceMemoryBase *from, uint64_t size, TF_Status *status) {
  const SP_StreamExecutor *executor = executor_of(device);
  executor->block_host_until_done(device, stream, status);
  if (status_ok(status)) executor->sync_memcpy_dtod(device, to, from, size, status);
}

static void default_memset32(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *to,
                             uint32_t pattern, uint64_t size, TF_Status *status) {
  const SP_StreamExecutor *executor = executor_of(device);
  executor->block_host_until_done(device, stream, status);
  if (status_ok(status))
    device_fill_through_host((device_place){executor, device, to}, pattern, size, status);
}

static void default_memset(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *to,
                           uint8_t pattern, uint64_t size, TF_Status *status) {
  default_memset32(device, stream, to, pattern * UINT32_C(0x01010101), size, status);
}

static void default_mem_zero(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *to,
                             uint64_t size, TF_Status *status) {
  executor_of(device)->memset(device, stream, to, 0, size, status);
}

static void no_allocate(const SP_Device *device, uint64_t size, int64_t memory_space,
                        SP_DeviceMemoryBase *memory) {
  (void)device, (void)size, (void)memory_space, (void)memory;
}

static void no_deallocate(const SP_Device *device, SP_DeviceMemoryBase *memory) {
  (void)device, (void)memory;
}

static void *no_host_memory(const SP_Device *device, uint64_t size) {
  (void)device, (void)size;
  return NULL;
}

static void no_host_release(const SP_Device *device, void *memory) {
  (void)device, (void)memory;
}

static TF_Bool no_stats(const SP_Device *device, SP_AllocatorStats *stats) {
  (void)device, (void)stats;
  return 0;
}

static TF_Bool no_usage(const SP_Device *device, int64_t *free_bytes, int64_t *total) {
  (void)device, (void)free_bytes, (void)total;
  return 0;
}

/* Timers are supported by all of their slots or not at all. */
static void refuse_create_timer(const SP_Device *device, SP_Timer *timer, TF_Status *status) {
  (void)device, (void)timer;
  refuse(status, "the platform has no timers");
}

static void no_destroy_timer(const SP_Device *device, SP_Timer timer) {
  (void)device, (void)timer;
}

static void refuse_mark(const SP_Device *device, SP_Stream stream, SP_Timer timer,
                        TF_Status *status) {
  (void)device, (void)stream, (void)timer;
  refuse(status, "the platform has no timers");
}

static uint64_t no_nanoseconds(SP_Timer timer) {
  (void)timer;
  return 0;
}

#define SETTLE(table, slot, filler)                                                                \
  do {                                                                                             \
    if (!(table)->slot) (table)->slot = (filler);                                                  \
  } while (0)

static void settle_executor(SP_StreamExecutor *executor) {
  SETTLE(executor, allocate, no_allocate);
  SETTLE(executor, deallocate, no_deallocate);
  SETTLE(executor, host_memory_allocate, no_host_memory);
  SETTLE(executor, host_memory_deallocate, no_host_release);
  SETTLE(executor, unified_memory_allocate, no_host_memory);
  SETTLE(executor, unified_memory_deallocate, no_host_release);
  SETTLE(executor, get_allocator_stats, no_stats);
  SETTLE(executor, device_memory_usage, no_usage);
  SETTLE(executor, memcpy_dtod, default_memcpy_dtod);
  SETTLE(executor, sync_memcpy_dtod, default_sync_memcpy_dtod);
  SETTLE(executor, block_host_until_done, default_block_host_until_done);
  SETTLE(executor, mem_zero, default_mem_zero);
  SETTLE(executor, memset, default_memset);
  SETTLE(executor, memset32, default_memset32);
}

/* The device and its platform ------------------------------------------------------ */

static int32_t unknown_numa_node(const SP_Device *device) {
  (void)device;
  return -1;
}

static int64_t unknown_bandwidth(const SP_Device *device) {
  (void)device;
  return -1;
}

static double unknown_gflops(const SP_Device *device) {
  (void)device;
  return -1;
}

const SP_DeviceFns device_unknown_fns = {.struct_size = SP_DEVICE_FNS_STRUCT_SIZE,
                                         .get_numa_node = unknown_numa_node,
                                         .get_memory_bandwidth = unknown_bandwidth,
                                         .get_gflops = unknown_gflops};

static void refuse_create_device_fns(const SP_Platform *platform, SE_CreateDeviceFnsParams *params,
                                     TF_Status *status) {
  (void)platform, (void)params;
  refuse(status, "the platform reports no device properties");
}

static void no_destroy_device_fns(const SP_Platform *platform, SP_DeviceFns *fns) {
  (void)platform, (void)fns;
}

static void refuse_create_timer_fns(const SP_Platform *platform, SP_TimerFns *fns,
                                    TF_Status *status) {
  (void)platform, (void)fns;
  refuse(status, "the platform has no timers");
}

static void no_destroy_timer_fns(const SP_Platform *platform, SP_TimerFns *fns) {
  (void)platform, (void)fns;
}

/* The RFC's allocators ---------------------------------------------------------------- */

static void no_rfc_allocate(const SP_Device *device, const SP_RfcAllocator *allocator,
                            uint64_t size, int64_t memory_space, SP_DeviceMemoryBase *memory) {
  (void)device, (void)allocator, (void)size, (void)memory_space, (void)memory;
}

static void no_rfc_deallocate(const SP_Device *device, const SP_RfcAllocator *allocator,
                              SP_DeviceMemoryBase *memory) {
  (void)device, (void)allocator, (void)memory;
}

static void *no_rfc_host_memory(const SP_Device *device, const SP_RfcAllocator *allocator,
                                uint64_t size) {
  (void)device, (void)allocator, (void)size;
  return NULL;
}

static void no_rfc_host_release(const SP_Device *device, const SP_RfcAllocator *allocator,
                                void *memory) {
  (void)device, (void)allocator, (void)memory;
}

static TF_Bool no_rfc_stats(const SP_Device *device, const SP_RfcAllocator *allocator,
                            SP_AllocatorStats *stats) {
  (void)device, (void)allocator, (void)stats;
  return 0;
}

static TF_Bool no_rfc_usage(const SP_Device *device, const SP_RfcAllocator *allocator,
                            int64_t *free_bytes, int64_t *total) {
  (void)device, (void)allocator, (void)free_bytes, (void)total;
  return 0;
}

static void settle_allocator(SP_RfcAllocatorFns *fns) {
  SETTLE(fns, allocate, no_rfc_allocate);
  SETTLE(fns, deallocate, no_rfc_deallocate);
  SETTLE(fns, host_memory_allocate, no_rfc_host_memory);
  SETTLE(fns, host_memory_deallocate, no_rfc_host_release);
  SETTLE(fns, unified_memory_allocate, no_rfc_host_memory);
  SETTLE(fns, unified_memory_deallocate, no_rfc_host_release);
  SETTLE(fns, get_allocator_stats, no_rfc_stats);
  SETTLE(fns, device_memory_usage, no_rfc_usage);
}

static void *no_raw(const SP_Device *device, const SP_RfcCustomAllocator *allocator, size_t size,
                    size_t alignment) {
  (void)device, (void)allocator, (void)size, (void)alignment;
  return NULL;
}

static void no_raw_release(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                           void *memory) {
  (void)device, (void)allocator, (void)memory;
}

static void *no_raw_host_memory(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                                uint64_t size) {
  (void)device, (void)allocator, (void)size;
  return NULL;
}

static TF_Bool no_raw_stats(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                            SP_AllocatorStats *stats) {
  (void)device, (void)allocator, (void)stats;
  return 0;
}

static TF_Bool no_raw_usage(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                            int64_t *free_bytes, int64_t *total) {
  (void)device, (void)allocator, (void)free_bytes, (void)total;
  return 0;
}

static void settle_custom_allocator(SP_RfcCustomAllocatorFns *fns) {
  SETTLE(fns, allocate_raw, no_raw);
  SETTLE(fns, deallocate_raw, no_raw_release);
  SETTLE(fns, host_allocate_raw, no_raw_host_memory);
  SETTLE(fns, host_deallocate_raw, no_raw_release);
  SETTLE(fns, get_allocator_stats, no_raw_stats);
  SETTLE(fns, device_memory_usage, no_raw_usage);
}

void device_settle(device_abi *abi) {
  SETTLE(&abi->fns, create_device_fns, refuse_create_device_fns);
  SETTLE(&abi->fns, destroy_device_fns, no_destroy_device_fns);
  SETTLE(&abi->fns, create_timer_fns, refuse_create_timer_fns);
  SETTLE(&abi->fns, destroy_timer_fns, no_destroy_timer_fns);
  SETTLE(&abi->device_fns, get_numa_node, unknown_numa_node);
  SETTLE(&abi->device_fns, get_memory_bandwidth, unknown_bandwidth);
  SETTLE(&abi->device_fns, get_gflops, unknown_gflops);
  settle_executor(&abi->executor);
  if (!abi->timer_nanoseconds) {
    abi->timer_nanoseconds = no_nanoseconds;
    abi->executor.create_timer = refuse_create_timer;
    abi->executor.destroy_timer = no_destroy_timer;
    abi->executor.start_timer = abi->executor.stop_timer = refuse_mark;
  }
  settle_allocator(&abi->rfc_allocator_fns);
  settle_custom_allocator(&abi->custom_allocator_fns);
}
