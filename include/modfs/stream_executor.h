/* The interface between a host and a device plugin.
 *
 * The binary layout is that of TensorFlow's StreamExecutor C API in its latest
 * shipped form (stream_executor.h), so one plugin binary works in both hosts. The
 * header compiles as C11 and as C++11.
 *
 * A plugin is a shared object that exports SE_InitPlugin. The host calls it once;
 * the plugin then describes one platform, that is, one kind of device, and supplies
 * the functions that create its parts. The host creates the tables of the platform
 * (create_device_fns, create_stream_executor, create_timer_fns), one of each for all
 * devices, and then the devices that it needs. At the end it destroys the devices,
 * the device functions, the executor, the timer functions, the platform and the
 * platform functions, in this order.
 *
 * Sizes. Each struct begins with struct_size: the offset of the end of the last
 * member that its writer knows, as computed by the macro next to the struct. The
 * host zeroes what it passes and sets struct_size to its own value. The plugin sets
 * struct_size to its value, and neither reads nor writes a member beyond the host's.
 * A member beyond struct_size reads as NULL or 0. The version numbers cannot tell
 * the forms apart: they are 0.0.1 in all forms so far.
 * The member ext belongs to the plugin in SP_ structs and is NULL in SE_ structs.
 *
 * The comment above a slot (a function pointer in a table) has these parts, in this
 * order, and omits those that do not apply:
 *   One sentence on what the slot does, its arguments and its result.
 *   Required: what the loader insists on: "always" if the slot must not be NULL,
 *             otherwise what must come with it.
 *   Default:  what the host does if the slot is NULL; without this line the
 *             operation fails with UNIMPLEMENTED.
 *   Errors:   the status codes that are fixed by contract; a plugin may use any
 *             other code for other errors.
 *   Threads:  "any at once" (thread-safe), "one per handle" (the host makes one
 *             call at a time on each handle) or "last call" (no other call on the
 *             handle is in progress, and none follows).
 *   Owns:     who owns what is returned, and how it is released; without this
 *             line every pointer is borrowed for the duration of the call.
 *
 * Rules for all slots:
 *   - Pointers from the host are never NULL, unless the slot says so.
 *   - The host passes a fresh status that is OK. A slot fails by setting another
 *     code.
 *   - Sizes are in bytes, times in nanoseconds.
 *   - "Enqueues" means that the call returns immediately, and the device performs
 *     the work after everything enqueued on the stream before. The memory, streams
 *     and events that the work refers to exist until it is complete. Host memory may
 *     be of any kind; memory from host_memory_allocate is what a device copies
 *     fastest (TensorFlow uses no other here). A failure that occurs later becomes
 *     the permanent status of the stream.
 *   - The host owns the structs; the plugin owns what it attaches to them. Handles
 *     (SP_Stream, SP_Event, SP_Timer) are opaque to the host. A plugin may return a
 *     NULL handle with OK; a NULL handle is not destroyed.
 *   - No call may unwind into the host, by a C++ exception or by longjmp. */
#ifndef MODFS_STREAM_EXECUTOR_H
#define MODFS_STREAM_EXECUTOR_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* The version of this contract. */
#define SE_MAJOR 0
#define SE_MINOR 0
#define SE_PATCH 1

/* The offset of the end of a member: the size, without padding, of a struct whose last member it
 * is. */
#ifndef TF_OFFSET_OF_END
#define TF_OFFSET_OF_END(TYPE, MEMBER) (offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* 0 is false, any other value is true. */
#ifndef TF_Bool
typedef unsigned char TF_Bool;
#endif

/* 1. Handles ---------------------------------------------------------------- */

/* A stream: a queue of work that the device performs in order. */
typedef struct SP_Stream_st *SP_Stream;

/* An event: a point in a stream that can be waited for. */
typedef struct SP_Event_st *SP_Event;

/* A timer: measures the time between two points of a stream. */
typedef struct SP_Timer_st *SP_Timer;

typedef enum SE_EventStatus {
  SE_EVENT_UNKNOWN = 0, /* not recorded yet, or state not available */
  SE_EVENT_ERROR = 1,
  SE_EVENT_PENDING = 2,
  SE_EVENT_COMPLETE = 3
} SE_EventStatus;

/* A callback of the host. The plugin provides the status, and the callback sets its result in
 * it. */
typedef void (*SE_StatusCallbackFn)(void *const callback_arg, TF_Status *const status);

/* 2. Memory ----------------------------------------------------------------- */

/* A block of device memory. The host stores opaque, size and payload and builds the struct anew for
 * each call; ext is not preserved. */
typedef struct SP_DeviceMemoryBase {
  size_t struct_size;
  void *ext;
  void *opaque; /* address of the first byte for the plugin; opaque + n is byte n; NULL: none */
  uint64_t size;
  uint64_t payload; /* for use by the plugin */
} SP_DeviceMemoryBase;

#define SP_DEVICE_MEMORY_BASE_STRUCT_SIZE TF_OFFSET_OF_END(SP_DeviceMemoryBase, payload)

/* The statistics of an allocator, in bytes except for num_allocs. The struct has no ext. */
typedef struct SP_AllocatorStats {
  size_t struct_size;
  int64_t num_allocs;
  int64_t bytes_in_use;
  int64_t peak_bytes_in_use;
  int64_t largest_alloc_size;
  int8_t has_bytes_limit; /* nonzero: bytes_limit is valid */
  int64_t bytes_limit;
  int64_t bytes_reserved;
  int64_t peak_bytes_reserved;
  int8_t has_bytes_reservable_limit; /* nonzero: bytes_reservable_limit is valid */
  int64_t bytes_reservable_limit;
  int64_t largest_free_block_bytes;
} SP_AllocatorStats;

#define SP_ALLOCATORSTATS_STRUCT_SIZE TF_OFFSET_OF_END(SP_AllocatorStats, largest_free_block_bytes)

/* 3. Devices ---------------------------------------------------------------- */

/* A device. The strings are for display; they must be valid until destroy_device, and each may be
 * NULL. */
typedef struct SP_Device {
  size_t struct_size;
  void *ext;
  int32_t ordinal;           /* the number of the device, from 0 */
  void *device_handle;       /* for use by the plugin */
  const char *hardware_name; /* the model name */
  const char *device_vendor; /* the vendor name */
  const char *pci_bus_id;    /* domain:bus:device.function, such as 0000:00:02.1 */
} SP_Device;

#define SP_DEVICE_STRUCT_SIZE TF_OFFSET_OF_END(SP_Device, pci_bus_id)

/* Properties of a device. A negative result, or a slot that is NULL, means "unknown". */
typedef struct SP_DeviceFns {
  size_t struct_size;
  void *ext;

  /* Returns the NUMA node that the device is closest to.
   * Default: unknown.
   * Threads: any at once. */
  int32_t (*get_numa_node)(const SP_Device *device);

  /* Returns the bandwidth of the device's own memory in bytes per second.
   * Default: unknown.
   * Threads: any at once. */
  int64_t (*get_memory_bandwidth)(const SP_Device *device);

  /* Returns the approximate speed in 10^9 floating-point operations per second.
   * Default: unknown.
   * Threads: any at once. */
  double (*get_gflops)(const SP_Device *device);
} SP_DeviceFns;

#define SP_DEVICE_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_DeviceFns, get_gflops)

typedef struct SP_TimerFns {
  size_t struct_size;
  void *ext;

  /* Returns the time between start and stop of a timer, in nanoseconds; the stream has passed both.
   * Required: with timers.
   * Threads: any at once. */
  uint64_t (*nanoseconds)(SP_Timer timer);
} SP_TimerFns;

#define SP_TIMER_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_TimerFns, nanoseconds)

/* 4. The executor -----------------------------------------------------------
 *
 * The operations of a device. Older TensorFlow versions shipped tables of 264 bytes,
 * which lack mem_zero, memset and memset32 and have host_callback at the offset of
 * mem_zero; the host accepts a table of that size, too.
 *
 * A plugin has either all parts of timers (create_timer, destroy_timer, start_timer,
 * stop_timer, SP_TimerFns.nanoseconds, and the two timer slots of SP_PlatformFns) or
 * none; "with timers" below refers to this. The host uses no timers if a slot of the
 * executor or the platform is missing. Older versions of TensorFlow require timers;
 * newer ones never call them. */
typedef struct SP_StreamExecutor {
  size_t struct_size;
  void *ext;

  /* Allocates size bytes of device memory and fills in memory; opaque stays NULL on failure.
   * Required: always. The host passes 0 for memory_space.
   * Threads: any at once.
   * Owns: the host, which releases the memory with deallocate. */
  void (*allocate)(const SP_Device *device, uint64_t size, int64_t memory_space,
                   SP_DeviceMemoryBase *memory);

  /* Frees memory from allocate; opaque may be NULL.
   * Required: always.
   * Threads: last call. */
  void (*deallocate)(const SP_Device *device, SP_DeviceMemoryBase *memory);

  /* Returns size bytes of host memory that the device can access directly for copies, or NULL.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the memory with host_memory_deallocate. */
  void *(*host_memory_allocate)(const SP_Device *device, uint64_t size);

  /* Frees memory from host_memory_allocate.
   * Required: always.
   * Threads: last call. */
  void (*host_memory_deallocate)(const SP_Device *device, void *memory);

  /* Returns size bytes that host and devices access at the same address, or NULL.
   * Required: with supports_unified_memory.
   * Threads: any at once.
   * Owns: the host, which releases the memory with unified_memory_deallocate. */
  void *(*unified_memory_allocate)(const SP_Device *device, uint64_t size);

  /* Frees memory from unified_memory_allocate.
   * Required: with supports_unified_memory.
   * Threads: last call. */
  void (*unified_memory_deallocate)(const SP_Device *device, void *memory);

  /* Fills in stats; returns false if there are none.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*get_allocator_stats)(const SP_Device *device, SP_AllocatorStats *stats);

  /* Stores the free and the total memory of the device in bytes; returns false if unknown.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*device_memory_usage)(const SP_Device *device, int64_t *free, int64_t *total);

  /* Creates a stream.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the stream with destroy_stream. */
  void (*create_stream)(const SP_Device *device, SP_Stream *stream, TF_Status *status);

  /* Destroys a stream whose work is complete.
   * Required: always.
   * Threads: last call. */
  void (*destroy_stream)(const SP_Device *device, SP_Stream stream);

  /* Makes dependent wait for all work enqueued on other so far.
   * Required: always.
   * Threads: one per handle. */
  void (*create_stream_dependency)(const SP_Device *device, SP_Stream dependent, SP_Stream other,
                                   TF_Status *status);

  /* Sets status to the stream's status so far, without waiting.
   * Required: always.
   * Threads: any at once. */
  void (*get_stream_status)(const SP_Device *device, SP_Stream stream, TF_Status *status);

  /* Creates an event, whose status is UNKNOWN until it is recorded.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the event with destroy_event. */
  void (*create_event)(const SP_Device *device, SP_Event *event, TF_Status *status);

  /* Destroys an event.
   * Required: always.
   * Threads: last call. */
  void (*destroy_event)(const SP_Device *device, SP_Event event);

  /* Returns the status of an event, without waiting.
   * Required: always.
   * Threads: any at once. */
  SE_EventStatus (*get_event_status)(const SP_Device *device, SP_Event event);

  /* Enqueues an event, which is COMPLETE when the stream reaches this point; replaces an earlier
   *   record.
   * Required: always.
   * Threads: one per handle. */
  void (*record_event)(const SP_Device *device, SP_Stream stream, SP_Event event,
                       TF_Status *status);

  /* Enqueues a wait for an event of this device, recorded in any stream.
   * Required: always.
   * Threads: one per handle. */
  void (*wait_for_event)(const SP_Device *const device, SP_Stream stream, SP_Event event,
                         TF_Status *const status);

  /* Creates a timer.
   * Required: with timers.
   * Threads: any at once.
   * Owns: the host, which releases the timer with destroy_timer. */
  void (*create_timer)(const SP_Device *device, SP_Timer *timer, TF_Status *status);

  /* Destroys a timer.
   * Required: with timers.
   * Threads: last call. */
  void (*destroy_timer)(const SP_Device *device, SP_Timer timer);

  /* Enqueues the start of a timer.
   * Required: with timers.
   * Threads: one per handle. */
  void (*start_timer)(const SP_Device *device, SP_Stream stream, SP_Timer timer, TF_Status *status);

  /* Enqueues the stop of a timer.
   * Required: with timers.
   * Threads: one per handle. */
  void (*stop_timer)(const SP_Device *device, SP_Stream stream, SP_Timer timer, TF_Status *status);

  /* Enqueues a copy of size bytes from device to host.
   * Required: always.
   * Threads: one per handle. */
  void (*memcpy_dtoh)(const SP_Device *device, SP_Stream stream, void *host_dst,
                      const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

  /* Enqueues a copy of size bytes from host to device.
   * Required: always.
   * Threads: one per handle. */
  void (*memcpy_htod)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                      const void *host_src, uint64_t size, TF_Status *status);

  /* Enqueues a copy of size bytes within the device.
   * Default: block_host_until_done, followed by sync_memcpy_dtod; the call then waits.
   * Threads: one per handle. */
  void (*memcpy_dtod)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                      const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

  /* Copies size bytes from device to host and returns when the copy is complete; the host memory
   *   may be of any kind.
   * Required: always.
   * Threads: any at once. */
  void (*sync_memcpy_dtoh)(const SP_Device *device, void *host_dst,
                           const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

  /* Copies size bytes from host to device and returns when the copy is complete; the host memory
   *   may be of any kind.
   * Required: always.
   * Threads: any at once. */
  void (*sync_memcpy_htod)(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                           const void *host_src, uint64_t size, TF_Status *status);

  /* Copies size bytes within the device and returns when the copy is complete.
   * Default: copies through host memory.
   * Threads: any at once. */
  void (*sync_memcpy_dtod)(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                           const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

  /* Returns when an event is complete or has failed.
   * Required: always.
   * Threads: any at once. */
  void (*block_host_for_event)(const SP_Device *device, SP_Event event, TF_Status *status);

  /* Returns when all work enqueued on the stream so far is complete.
   * Default: records an event, waits for it with block_host_for_event and destroys it.
   * Threads: any at once. */
  void (*block_host_until_done)(const SP_Device *device, SP_Stream stream, TF_Status *status);

  /* Returns when all work enqueued on any stream of the device so far is complete.
   * Required: always.
   * Threads: any at once. */
  void (*synchronize_all_activity)(const SP_Device *device, TF_Status *status);

  /* Enqueues setting size bytes to 0.
   * Required: by TensorFlow, in tables of this form.
   * Default: memset with 0.
   * Threads: one per handle. */
  void (*mem_zero)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                   uint64_t size, TF_Status *status);

  /* Enqueues setting size bytes to one byte value.
   * Required: by TensorFlow, in tables of this form.
   * Default: block_host_until_done, followed by copies from host memory; the call then waits.
   * Threads: one per handle. */
  void (*memset)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                 uint8_t pattern, uint64_t size, TF_Status *status);

  /* Enqueues filling size bytes, a multiple of 4, with a 32-bit value.
   * Required: by TensorFlow, in tables of this form.
   * Default: block_host_until_done, followed by copies from host memory; the call then waits.
   * Threads: one per handle. */
  void (*memset32)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                   uint32_t pattern, uint64_t size, TF_Status *status);

  /* Enqueues one call of callback_fn(callback_arg, status) on a thread of the plugin; returns false
   *   on failure, when the callback has run at most once.
   * Required: always.
   * Errors: what the callback sets becomes the stream's status.
   * Threads: one per handle.
   * Owns: the host; callback_arg is valid until the callback has run. */
  TF_Bool (*host_callback)(const SP_Device *device, SP_Stream stream,
                           SE_StatusCallbackFn callback_fn, void *callback_arg);
} SP_StreamExecutor;

#define SP_STREAMEXECUTOR_STRUCT_SIZE TF_OFFSET_OF_END(SP_StreamExecutor, host_callback)

/* 5. Parameters ------------------------------------------------------------- */

typedef struct SE_CreateDeviceParams {
  size_t struct_size;
  void *ext;
  int32_t ordinal;   /* the number of the device, from 0 */
  SP_Device *device; /* filled in by the plugin; the host sets struct_size and ordinal */
} SE_CreateDeviceParams;

#define SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE TF_OFFSET_OF_END(SE_CreateDeviceParams, device)

typedef struct SE_CreateDeviceFnsParams {
  size_t struct_size;
  void *ext;
  SP_DeviceFns *device_fns; /* filled in by the plugin */
} SE_CreateDeviceFnsParams;

#define SE_CREATE_DEVICE_FNS_PARAMS_STRUCT_SIZE                                                    \
  TF_OFFSET_OF_END(SE_CreateDeviceFnsParams, device_fns)

typedef struct SE_CreateStreamExecutorParams {
  size_t struct_size;
  void *ext;
  SP_StreamExecutor *stream_executor; /* filled in by the plugin */
} SE_CreateStreamExecutorParams;

#define SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE                                               \
  TF_OFFSET_OF_END(SE_CreateStreamExecutorParams, stream_executor)

/* 6. The platform ----------------------------------------------------------- */

/* A kind of device. name and type consist of capital letters and underscores and begin with a
 * letter. The host copies them right after SE_InitPlugin returns and does not read them later. */
typedef struct SP_Platform {
  size_t struct_size;
  void *ext;
  const char *name;                /* the platform, unique in the process, such as MY_DEVICE */
  const char *type;                /* the device type, such as GPU; platforms may share it */
  TF_Bool supports_unified_memory; /* the executor has both unified_memory slots */
  TF_Bool use_bfc_allocator;       /* the host allocates large blocks and divides them up itself */
  TF_Bool force_memory_growth;     /* the host allocates these blocks only when they are needed */
} SP_Platform;

#define SP_PLATFORM_STRUCT_SIZE TF_OFFSET_OF_END(SP_Platform, force_memory_growth)

/* Functions that create and destroy the parts of a platform. A destroy slot frees what the plugin
 * attached to the struct, never the struct itself. */
typedef struct SP_PlatformFns {
  size_t struct_size;
  void *ext;

  /* Stores the number of devices.
   * Required: always.
   * Threads: any at once. */
  void (*get_device_count)(const SP_Platform *platform, int *device_count, TF_Status *status);

  /* Fills in params->device for the device params->ordinal.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the device with destroy_device. */
  void (*create_device)(const SP_Platform *platform, SE_CreateDeviceParams *params,
                        TF_Status *status);

  /* Destroys a device whose streams, events, timers and memory have been released.
   * Required: always.
   * Threads: last call. */
  void (*destroy_device)(const SP_Platform *platform, SP_Device *device);

  /* Fills in params->device_fns.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the table with destroy_device_fns. */
  void (*create_device_fns)(const SP_Platform *platform, SE_CreateDeviceFnsParams *params,
                            TF_Status *status);

  /* Destroys the device functions.
   * Required: always.
   * Threads: last call. */
  void (*destroy_device_fns)(const SP_Platform *platform, SP_DeviceFns *device_fns);

  /* Fills in params->stream_executor.
   * Required: always.
   * Threads: any at once.
   * Owns: the host, which releases the table with destroy_stream_executor. */
  void (*create_stream_executor)(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                                 TF_Status *status);

  /* Destroys the executor, after all devices.
   * Required: always.
   * Threads: last call. */
  void (*destroy_stream_executor)(const SP_Platform *platform, SP_StreamExecutor *stream_executor);

  /* Fills in timer_fns.
   * Required: with timers.
   * Threads: any at once.
   * Owns: the host, which releases the table with destroy_timer_fns. */
  void (*create_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns, TF_Status *status);

  /* Destroys the timer functions.
   * Required: with timers; TensorFlow calls it even without.
   * Threads: last call. */
  void (*destroy_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns);
} SP_PlatformFns;

#define SP_PLATFORM_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_PlatformFns, destroy_timer_fns)

/* 7. Registration ----------------------------------------------------------- */

typedef struct SE_PlatformRegistrationParams {
  size_t struct_size;
  void *ext;
  int32_t major_version; /* SE_MAJOR, SE_MINOR and SE_PATCH of the host */
  int32_t minor_version;
  int32_t patch_version;
  SP_Platform *platform;        /* filled in by the plugin */
  SP_PlatformFns *platform_fns; /* filled in by the plugin */

  /* Destroys the platform, after all its parts.
   * Required: always.
   * Threads: last call. */
  void (*destroy_platform)(SP_Platform *platform);

  /* Destroys the platform functions, after the platform.
   * Required: always.
   * Threads: last call. */
  void (*destroy_platform_fns)(SP_PlatformFns *platform_fns);
} SE_PlatformRegistrationParams;

#define SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE                                                \
  TF_OFFSET_OF_END(SE_PlatformRegistrationParams, destroy_platform_fns)

/* The entry point of a plugin, which the plugin exports. The host calls it once, when it loads the
 * file. The plugin fills in the two structs and the two destroy slots of params.
 * Errors: any code other than OK makes the host reject the platform. */
TF_CAPI_EXPORT extern void SE_InitPlugin(SE_PlatformRegistrationParams *params, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
