/* The device contract as it was before it was shipped: the RFC's form, where it differs.
 *
 * Two generations of it exist, the RFC as proposed and as merged; plugins of both
 * still load. Names have Rfc in them, so that a host can read both forms; a plugin
 * of that time has them without. New plugins use stream_executor.h.
 *
 * The same in both: handles, SP_DeviceMemoryBase, SP_AllocatorStats, SP_TimerFns,
 * SE_CreateDeviceParams, SE_CreateStreamExecutorParams and
 * SE_PlatformRegistrationParams (whose pointers lead to the structs below), and the
 * executor up to synchronize_all_activity. Different:
 *   SP_Device           ends after device_handle (32 bytes).
 *   SP_StreamExecutor   ends with host_callback right behind
 *                       synchronize_all_activity: 264 bytes, without mem_zero,
 *                       memset and memset32. (The first shipped forms have it so, too.)
 *   SP_DeviceFns        does not exist.
 * The rules for all slots are those of stream_executor.h. */
#ifndef MODFS_STREAM_EXECUTOR_RFC_H
#define MODFS_STREAM_EXECUTOR_RFC_H

#include "stream_executor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SP_RFC_DEVICE_STRUCT_SIZE = 32,
  SP_RFC_STREAMEXECUTOR_STRUCT_SIZE = 264,
  SP_RFC_HOST_CALLBACK_OFFSET = 256
};

/* 1. Allocators ------------------------------------------------------------- */

/* The memory that the host's own strategy (best fit with coalescing) divides up. */
typedef struct SP_RfcAllocator {
  size_t struct_size;
  void *ext;
  TF_Bool supports_unified_memory; /* both unified_memory slots are there */
} SP_RfcAllocator;

#define SP_RFC_ALLOCATOR_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcAllocator, supports_unified_memory)

/* The executor's memory slots, with the allocator as one more parameter; they replace those. */
typedef struct SP_RfcAllocatorFns {
  size_t struct_size;
  void *ext;

  /* As SP_StreamExecutor.allocate.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the memory with deallocate. */
  void (*allocate)(const SP_Device *device, const SP_RfcAllocator *allocator, uint64_t size,
                   int64_t memory_space, SP_DeviceMemoryBase *memory);

  /* As SP_StreamExecutor.deallocate.
   * Required: always.
   * Threads: last call. */
  void (*deallocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                     SP_DeviceMemoryBase *memory);

  /* As SP_StreamExecutor.host_memory_allocate.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the memory with host_memory_deallocate. */
  void *(*host_memory_allocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                uint64_t size);

  /* As SP_StreamExecutor.host_memory_deallocate.
   * Required: always.
   * Threads: last call. */
  void (*host_memory_deallocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                 void *memory);

  /* As SP_StreamExecutor.unified_memory_allocate.
   * Required: with supports_unified_memory.
   * Threads: any at once.
   * Owns: the host ends the memory with unified_memory_deallocate. */
  void *(*unified_memory_allocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                   uint64_t size);

  /* As SP_StreamExecutor.unified_memory_deallocate.
   * Required: with supports_unified_memory.
   * Threads: last call. */
  void (*unified_memory_deallocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                    void *memory);

  /* As SP_StreamExecutor.get_allocator_stats.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*get_allocator_stats)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                 SP_AllocatorStats *stats);

  /* As SP_StreamExecutor.device_memory_usage.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*device_memory_usage)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                 int64_t *free, int64_t *total);
} SP_RfcAllocatorFns;

#define SP_RFC_ALLOCATOR_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcAllocatorFns, device_memory_usage)

/* An allocator with a strategy of the plugin's own. */
typedef struct SP_RfcCustomAllocator {
  size_t struct_size;
  void *ext;
} SP_RfcCustomAllocator;

#define SP_RFC_CUSTOM_ALLOCATOR_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcCustomAllocator, ext)

typedef struct SP_RfcCustomAllocatorFns {
  size_t struct_size;
  void *ext;

  /* Returns size bytes of the device on a multiple of alignment, or NULL.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the memory with deallocate_raw. */
  void *(*allocate_raw)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                        size_t size, size_t alignment);

  /* Frees what allocate_raw made; NULL is allowed.
   * Required: always.
   * Threads: last call. */
  void (*deallocate_raw)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                         void *memory);

  /* Returns size bytes of host memory, or NULL.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the memory with host_deallocate_raw. */
  void *(*host_allocate_raw)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                             uint64_t size);

  /* Frees what host_allocate_raw made.
   * Required: always.
   * Threads: last call. */
  void (*host_deallocate_raw)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                              void *memory);

  /* As SP_StreamExecutor.get_allocator_stats.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*get_allocator_stats)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                                 SP_AllocatorStats *stats);

  /* As SP_StreamExecutor.device_memory_usage.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*device_memory_usage)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                                 int64_t *free, int64_t *total);
} SP_RfcCustomAllocatorFns;

#define SP_RFC_CUSTOM_ALLOCATOR_FNS_STRUCT_SIZE                                                    \
  TF_OFFSET_OF_END(SP_RfcCustomAllocatorFns, device_memory_usage)

typedef struct SE_RfcCreateAllocatorParams {
  size_t struct_size;
  void *ext;
  SP_RfcAllocator *allocator;        /* for the plugin to fill */
  SP_RfcAllocatorFns *allocator_fns; /* for the plugin to fill */
} SE_RfcCreateAllocatorParams;

#define SE_RFC_CREATE_ALLOCATOR_PARAMS_STRUCT_SIZE                                                 \
  TF_OFFSET_OF_END(SE_RfcCreateAllocatorParams, allocator_fns)

typedef struct SE_RfcCreateCustomAllocatorParams {
  size_t struct_size;
  void *ext;
  SP_RfcCustomAllocator *custom_allocator;        /* for the plugin to fill */
  SP_RfcCustomAllocatorFns *custom_allocator_fns; /* for the plugin to fill */
} SE_RfcCreateCustomAllocatorParams;

#define SE_RFC_CREATE_CUSTOM_ALLOCATOR_PARAMS_STRUCT_SIZE                                          \
  TF_OFFSET_OF_END(SE_RfcCreateCustomAllocatorParams, custom_allocator_fns)

/* 2. The platform ----------------------------------------------------------- */

typedef struct SP_RfcPlatform {
  size_t struct_size; /* 40 as proposed, 41 as merged */
  void *ext;
  const char *name;
  const char *type;
  size_t visible_device_count;
  TF_Bool supports_unified_memory; /* as merged only */
} SP_RfcPlatform;

#define SP_RFC_PLATFORM_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcPlatform, visible_device_count)
#define SP_RFC_MERGED_PLATFORM_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcPlatform, supports_unified_memory)

/* Its struct_size stops before the allocators (64), although they may be there. */
typedef struct SP_RfcPlatformFns {
  size_t struct_size;
  void *ext;

  /* As SP_PlatformFns.create_device.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the device with destroy_device. */
  void (*create_device)(const SP_Platform *platform, SE_CreateDeviceParams *params,
                        TF_Status *status);

  /* As SP_PlatformFns.destroy_device.
   * Required: always.
   * Threads: last call. */
  void (*destroy_device)(const SP_Platform *platform, SP_Device *device);

  /* As SP_PlatformFns.create_stream_executor.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the table with destroy_stream_executor. */
  void (*create_stream_executor)(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                                 TF_Status *status);

  /* As SP_PlatformFns.destroy_stream_executor.
   * Required: always.
   * Threads: last call. */
  void (*destroy_stream_executor)(const SP_Platform *platform, SP_StreamExecutor *stream_executor);

  /* As SP_PlatformFns.create_timer_fns.
   * Required: with timers.
   * Threads: any at once.
   * Owns: the host ends the table with destroy_timer_fns. */
  void (*create_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns, TF_Status *status);

  /* As SP_PlatformFns.destroy_timer_fns.
   * Required: with timers.
   * Threads: last call. */
  void (*destroy_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns);

  /* Fills in an allocator whose memory the host divides up; not beside create_custom_allocator.
   * Default: the executor's memory slots.
   * Threads: any at once.
   * Owns: the host ends both structs with destroy_allocator. */
  void (*create_allocator)(const SP_Platform *platform, SE_RfcCreateAllocatorParams *params,
                           TF_Status *status);

  /* Ends what create_allocator filled in.
   * Threads: last call. */
  void (*destroy_allocator)(const SP_Platform *platform, SP_RfcAllocator *allocator,
                            SP_RfcAllocatorFns *allocator_fns);

  /* Fills in an allocator that divides memory up itself.
   * Default: the executor's memory slots.
   * Threads: any at once.
   * Owns: the host ends both structs with destroy_custom_allocator. */
  void (*create_custom_allocator)(const SP_Platform *platform,
                                  SE_RfcCreateCustomAllocatorParams *params, TF_Status *status);

  /* Ends what create_custom_allocator filled in.
   * Threads: last call. */
  void (*destroy_custom_allocator)(const SP_Platform *platform, SP_RfcCustomAllocator *allocator,
                                   SP_RfcCustomAllocatorFns *allocator_fns);
} SP_RfcPlatformFns;

#define SP_RFC_PLATFORM_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcPlatformFns, destroy_timer_fns)

#ifdef __cplusplus
}
#endif

#endif
