/* The device interface of TensorFlow's RFC 257, before it was shipped: the parts that
 * differ from stream_executor.h.
 *
 * There are two generations, the RFC as proposed and as merged; the host still loads
 * plugins of both. The names here contain Rfc, so that a host can use both headers;
 * the plugins of that time use the names without it. New plugins should use
 * stream_executor.h.
 *
 * The same in both headers: the handles, SP_DeviceMemoryBase, SP_AllocatorStats,
 * SP_TimerFns, SE_CreateDeviceParams, SE_CreateStreamExecutorParams,
 * SE_PlatformRegistrationParams (whose pointers refer to the structs below), and the
 * executor up to synchronize_all_activity. Different:
 *   SP_Device           ends after device_handle (32 bytes).
 *   SP_StreamExecutor   ends with host_callback, directly after
 *                       synchronize_all_activity: 264 bytes, without mem_zero,
 *                       memset and memset32. (The first shipped forms do so, too.)
 *   SP_DeviceFns        does not exist.
 * The rules for all slots in stream_executor.h apply here, too. */
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

/* An allocator whose memory the host divides up by its own strategy (best fit with coalescing). */
typedef struct SP_RfcAllocator {
  size_t struct_size;
  void *ext;
  TF_Bool supports_unified_memory; /* the table has both unified_memory slots */
} SP_RfcAllocator;

#define SP_RFC_ALLOCATOR_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcAllocator, supports_unified_memory)

/* The memory slots of the executor with an additional allocator parameter. They replace the
 * slots of the executor. */
typedef struct SP_RfcAllocatorFns {
  size_t struct_size;
  void *ext;

  /* Like SP_StreamExecutor.allocate.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the memory with deallocate. */
  void (*allocate)(const SP_Device *device, const SP_RfcAllocator *allocator, uint64_t size,
                   int64_t memory_space, SP_DeviceMemoryBase *memory);

  /* Like SP_StreamExecutor.deallocate.
   * Required: always.
   * Threads: last call. */
  void (*deallocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                     SP_DeviceMemoryBase *memory);

  /* Like SP_StreamExecutor.host_memory_allocate.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the memory with host_memory_deallocate. */
  void *(*host_memory_allocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                uint64_t size);

  /* Like SP_StreamExecutor.host_memory_deallocate.
   * Required: always.
   * Threads: last call. */
  void (*host_memory_deallocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                 void *memory);

  /* Like SP_StreamExecutor.unified_memory_allocate.
   * Required: with supports_unified_memory.
   * Threads: any at once.
   * Owns: the host, which releases the memory with unified_memory_deallocate. */
  void *(*unified_memory_allocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                   uint64_t size);

  /* Like SP_StreamExecutor.unified_memory_deallocate.
   * Required: with supports_unified_memory.
   * Threads: last call. */
  void (*unified_memory_deallocate)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                    void *memory);

  /* Like SP_StreamExecutor.get_allocator_stats.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*get_allocator_stats)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                 SP_AllocatorStats *stats);

  /* Like SP_StreamExecutor.device_memory_usage.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*device_memory_usage)(const SP_Device *device, const SP_RfcAllocator *allocator,
                                 int64_t *free, int64_t *total);
} SP_RfcAllocatorFns;

#define SP_RFC_ALLOCATOR_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcAllocatorFns, device_memory_usage)

/* An allocator that uses a strategy of the plugin. */
typedef struct SP_RfcCustomAllocator {
  size_t struct_size;
  void *ext;
} SP_RfcCustomAllocator;

#define SP_RFC_CUSTOM_ALLOCATOR_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcCustomAllocator, ext)

typedef struct SP_RfcCustomAllocatorFns {
  size_t struct_size;
  void *ext;

  /* Returns size bytes of device memory, aligned to a multiple of alignment bytes, or NULL.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the memory with deallocate_raw. */
  void *(*allocate_raw)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                        size_t size, size_t alignment);

  /* Frees memory from allocate_raw; NULL is allowed.
   * Required: always.
   * Threads: last call. */
  void (*deallocate_raw)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                         void *memory);

  /* Returns size bytes of host memory, or NULL.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the memory with host_deallocate_raw. */
  void *(*host_allocate_raw)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                             uint64_t size);

  /* Frees memory from host_allocate_raw.
   * Required: always.
   * Threads: last call. */
  void (*host_deallocate_raw)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                              void *memory);

  /* Like SP_StreamExecutor.get_allocator_stats.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*get_allocator_stats)(const SP_Device *device, const SP_RfcCustomAllocator *allocator,
                                 SP_AllocatorStats *stats);

  /* Like SP_StreamExecutor.device_memory_usage.
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
  SP_RfcAllocator *allocator;        /* filled in by the plugin */
  SP_RfcAllocatorFns *allocator_fns; /* filled in by the plugin */
} SE_RfcCreateAllocatorParams;

#define SE_RFC_CREATE_ALLOCATOR_PARAMS_STRUCT_SIZE                                                 \
  TF_OFFSET_OF_END(SE_RfcCreateAllocatorParams, allocator_fns)

typedef struct SE_RfcCreateCustomAllocatorParams {
  size_t struct_size;
  void *ext;
  SP_RfcCustomAllocator *custom_allocator;        /* filled in by the plugin */
  SP_RfcCustomAllocatorFns *custom_allocator_fns; /* filled in by the plugin */
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
  TF_Bool supports_unified_memory; /* only as merged */
} SP_RfcPlatform;

#define SP_RFC_PLATFORM_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcPlatform, visible_device_count)
#define SP_RFC_MERGED_PLATFORM_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcPlatform, supports_unified_memory)

/* struct_size does not cover the allocator slots (it is 64), although they may be set. */
typedef struct SP_RfcPlatformFns {
  size_t struct_size;
  void *ext;

  /* Like SP_PlatformFns.create_device.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the device with destroy_device. */
  void (*create_device)(const SP_Platform *platform, SE_CreateDeviceParams *params,
                        TF_Status *status);

  /* Like SP_PlatformFns.destroy_device.
   * Required: always.
   * Threads: last call. */
  void (*destroy_device)(const SP_Platform *platform, SP_Device *device);

  /* Like SP_PlatformFns.create_stream_executor.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the table with destroy_stream_executor. */
  void (*create_stream_executor)(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                                 TF_Status *status);

  /* Like SP_PlatformFns.destroy_stream_executor.
   * Required: always.
   * Threads: last call. */
  void (*destroy_stream_executor)(const SP_Platform *platform, SP_StreamExecutor *stream_executor);

  /* Like SP_PlatformFns.create_timer_fns.
   * Required: with timers.
   * Threads: any at once.
   * Owns: the host, which releases the table with destroy_timer_fns. */
  void (*create_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns, TF_Status *status);

  /* Like SP_PlatformFns.destroy_timer_fns.
   * Required: with timers.
   * Threads: last call. */
  void (*destroy_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns);

  /* Fills in an allocator whose memory the host divides up; excludes create_custom_allocator.
   * Default: the memory slots of the executor.
   * Threads: any at once.
   * Owns: the host, which releases both structs with destroy_allocator. */
  void (*create_allocator)(const SP_Platform *platform, SE_RfcCreateAllocatorParams *params,
                           TF_Status *status);

  /* Releases what create_allocator filled in.
   * Threads: last call. */
  void (*destroy_allocator)(const SP_Platform *platform, SP_RfcAllocator *allocator,
                            SP_RfcAllocatorFns *allocator_fns);

  /* Fills in an allocator that divides up its memory itself.
   * Default: the memory slots of the executor.
   * Threads: any at once.
   * Owns: the host, which releases both structs with destroy_custom_allocator. */
  void (*create_custom_allocator)(const SP_Platform *platform,
                                  SE_RfcCreateCustomAllocatorParams *params, TF_Status *status);

  /* Releases what create_custom_allocator filled in.
   * Threads: last call. */
  void (*destroy_custom_allocator)(const SP_Platform *platform, SP_RfcCustomAllocator *allocator,
                                   SP_RfcCustomAllocatorFns *allocator_fns);
} SP_RfcPlatformFns;

#define SP_RFC_PLATFORM_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_RfcPlatformFns, destroy_timer_fns)

#ifdef __cplusplus
}
#endif

#endif
