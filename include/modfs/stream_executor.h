/* The contract between a host and a device plugin.
 *
 * The binary layout is that of TensorFlow's StreamExecutor C API in its newest
 * shipped form (stream_executor.h): one plugin binary serves both hosts. Plain C11
 * and C++11.
 *
 * A plugin is a shared object that exports SE_InitPlugin. The host calls it once;
 * the plugin describes one platform, a kind of device, and says how to make its
 * parts. The host makes the tables of the platform (create_device_fns,
 * create_stream_executor, create_timer_fns), one of each for all its devices, and
 * then the devices that it wants. At the end it destroys the devices, the device
 * functions, the executor, the timer functions, the platform, the platform
 * functions.
 *
 * Sizes. Each struct begins with struct_size: the offset of the end of the last
 * member that its writer knows, by the macro beside the struct. The host zeroes
 * what it passes and sets struct_size to its own number; the plugin sets its own,
 * and reads or writes no member beyond the host's. What is not there reads as NULL
 * or 0. Version numbers tell nothing: they are 0.0.1 in every form so far.
 * ext belongs to the plugin in SP_ structs and is NULL in SE_ structs.
 *
 * Reading a slot. Each has, where there is something to say and in this order:
 *   one sentence; Required: what the loader insists on; Default: what the host
 *   does when the slot is NULL (no such line: UNIMPLEMENTED); Errors: the codes
 *   that the contract fixes (any other code is free for other errors);
 *   Threads: "any at once", "one per handle" or "last call"; Owns: who frees.
 *   No Owns: line: every pointer is borrowed for the call.
 *
 * For all slots:
 *   - Pointers from the host are never NULL, unless the slot says so.
 *   - Each call gets a fresh status that is OK. Failing means setting another code.
 *   - Sizes are bytes, times nanoseconds.
 *   - "Enqueues": the call returns at once; the work runs on the device after all
 *     that the stream got before. Memory, streams and events that it names live
 *     until it is done. Host memory may be any; what comes from host_memory_allocate
 *     is what a device copies best (TensorFlow uses nothing else here). A failure
 *     that comes later is the stream's status, for good.
 *   - The host owns the structs; the plugin owns what it hangs into them. Handles
 *     (SP_Stream, SP_Event, SP_Timer) are the plugin's; NULL with OK is legal, and
 *     a NULL handle is not destroyed.
 *   - No call may unwind (C++ exceptions, longjmp) into the host. */
#ifndef MODFS_STREAM_EXECUTOR_H
#define MODFS_STREAM_EXECUTOR_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

/* The version of this contract. */
#define SE_MAJOR 0
#define SE_MINOR 0
#define SE_PATCH 1

/* Where a member ends: the size of a struct whose last member it is, without padding. */
#ifndef TF_OFFSET_OF_END
#define TF_OFFSET_OF_END(TYPE, MEMBER) (offsetof(TYPE, MEMBER) + sizeof(((TYPE *)0)->MEMBER))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* 0 is false, everything else true. */
#ifndef TF_Bool
typedef unsigned char TF_Bool;
#endif

/* 1. Handles ---------------------------------------------------------------- */

/* A queue of work that the device does in order. */
typedef struct SP_Stream_st *SP_Stream;

/* A mark in a stream that can be waited for. */
typedef struct SP_Event_st *SP_Event;

/* Two marks in a stream, and the time between them. */
typedef struct SP_Timer_st *SP_Timer;

typedef enum SE_EventStatus {
  SE_EVENT_UNKNOWN = 0, /* not recorded yet, or no answer */
  SE_EVENT_ERROR = 1,
  SE_EVENT_PENDING = 2,
  SE_EVENT_COMPLETE = 3
} SE_EventStatus;

/* A function of the host; it says in the status, which the plugin provides, how it went. */
typedef void (*SE_StatusCallbackFn)(void *const callback_arg, TF_Status *const status);

/* 2. Memory ----------------------------------------------------------------- */

/* A piece of device memory. The host keeps opaque, size and payload, and rebuilds the struct for
 * each call: ext does not come back. */
typedef struct SP_DeviceMemoryBase {
  size_t struct_size;
  void *ext;
  void *opaque; /* the memory's first byte to the plugin (opaque + n is byte n); NULL: none */
  uint64_t size;
  uint64_t payload; /* the plugin's own */
} SP_DeviceMemoryBase;

#define SP_DEVICE_MEMORY_BASE_STRUCT_SIZE TF_OFFSET_OF_END(SP_DeviceMemoryBase, payload)

/* What an allocator has done so far, in bytes but for num_allocs. It has no ext. */
typedef struct SP_AllocatorStats {
  size_t struct_size;
  int64_t num_allocs;
  int64_t bytes_in_use;
  int64_t peak_bytes_in_use;
  int64_t largest_alloc_size;
  int8_t has_bytes_limit; /* not 0: bytes_limit counts */
  int64_t bytes_limit;
  int64_t bytes_reserved;
  int64_t peak_bytes_reserved;
  int8_t has_bytes_reservable_limit; /* not 0: bytes_reservable_limit counts */
  int64_t bytes_reservable_limit;
  int64_t largest_free_block_bytes;
} SP_AllocatorStats;

#define SP_ALLOCATORSTATS_STRUCT_SIZE TF_OFFSET_OF_END(SP_AllocatorStats, largest_free_block_bytes)

/* 3. Devices ---------------------------------------------------------------- */

/* One device. The strings are for people, live until destroy_device, and each may be NULL. */
typedef struct SP_Device {
  size_t struct_size;
  void *ext;
  int32_t ordinal;           /* counts from 0 */
  void *device_handle;       /* the plugin's own */
  const char *hardware_name; /* the model */
  const char *device_vendor; /* who made it */
  const char *pci_bus_id;    /* domain:bus:device.function, as in 0000:00:02.1 */
} SP_Device;

#define SP_DEVICE_STRUCT_SIZE TF_OFFSET_OF_END(SP_Device, pci_bus_id)

/* What can be asked about a device; below 0 is "unknown", as is an empty slot. */
typedef struct SP_DeviceFns {
  size_t struct_size;
  void *ext;

  /* The NUMA node that the device is near to.
   * Default: unknown.
   * Threads: any at once. */
  int32_t (*get_numa_node)(const SP_Device *device);

  /* How many bytes a second the device moves to and from its own memory.
   * Default: unknown.
   * Threads: any at once. */
  int64_t (*get_memory_bandwidth)(const SP_Device *device);

  /* How many thousand million floating-point operations it does a second, roughly.
   * Default: unknown.
   * Threads: any at once. */
  double (*get_gflops)(const SP_Device *device);
} SP_DeviceFns;

#define SP_DEVICE_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_DeviceFns, get_gflops)

typedef struct SP_TimerFns {
  size_t struct_size;
  void *ext;

  /* The time between start and stop of a timer, in nanoseconds; both are in the past.
   * Required: with timers.
   * Threads: any at once. */
  uint64_t (*nanoseconds)(SP_Timer timer);
} SP_TimerFns;

#define SP_TIMER_FNS_STRUCT_SIZE TF_OFFSET_OF_END(SP_TimerFns, nanoseconds)

/* 4. The executor -----------------------------------------------------------
 *
 * What a device can do. Tables of 264 bytes were shipped, too: they lack mem_zero,
 * memset and memset32, and host_callback stands in the place of mem_zero. A table
 * of that size is read in that way.
 *
 * Timers (create_timer to stop_timer) go together: all four and
 * SP_TimerFns.nanoseconds, or none. Older TensorFlows insist on them; newer ones
 * never call them. */
typedef struct SP_StreamExecutor {
  size_t struct_size;
  void *ext;

  /* Fills memory with size bytes of the device; opaque stays NULL on failure.
   * Required: always. memory_space is 0.
   * Threads: any at once.
   * Owns: the host ends the memory with deallocate. */
  void (*allocate)(const SP_Device *device, uint64_t size, int64_t memory_space,
                   SP_DeviceMemoryBase *memory);

  /* Frees what allocate made; opaque may be NULL.
   * Required: always.
   * Threads: last call. */
  void (*deallocate)(const SP_Device *device, SP_DeviceMemoryBase *memory);

  /* Returns size bytes of host memory that the device copies from and to by itself, or NULL.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the memory with host_memory_deallocate. */
  void *(*host_memory_allocate)(const SP_Device *device, uint64_t size);

  /* Frees what host_memory_allocate made.
   * Required: always.
   * Threads: last call. */
  void (*host_memory_deallocate)(const SP_Device *device, void *memory);

  /* Returns size bytes that host and devices reach under one address, or NULL.
   * Required: with supports_unified_memory.
   * Threads: any at once.
   * Owns: the host ends the memory with unified_memory_deallocate. */
  void *(*unified_memory_allocate)(const SP_Device *device, uint64_t size);

  /* Frees what unified_memory_allocate made.
   * Required: with supports_unified_memory.
   * Threads: last call. */
  void (*unified_memory_deallocate)(const SP_Device *device, void *memory);

  /* Fills stats; false when there are none.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*get_allocator_stats)(const SP_Device *device, SP_AllocatorStats *stats);

  /* Fills in how much of the device's memory is free, and how much it has; false when unknown.
   * Required: always.
   * Threads: any at once. */
  TF_Bool (*device_memory_usage)(const SP_Device *device, int64_t *free, int64_t *total);

  /* Makes a stream.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the stream with destroy_stream. */
  void (*create_stream)(const SP_Device *device, SP_Stream *stream, TF_Status *status);

  /* Frees a stream, whose work is done.
   * Required: always.
   * Threads: last call. */
  void (*destroy_stream)(const SP_Device *device, SP_Stream stream);

  /* Enqueues to dependent a wait for all that other has got so far.
   * Required: always.
   * Threads: one per handle. */
  void (*create_stream_dependency)(const SP_Device *device, SP_Stream dependent, SP_Stream other,
                                   TF_Status *status);

  /* Sets status to how the stream's work went so far, without waiting for any.
   * Required: always.
   * Threads: any at once. */
  void (*get_stream_status)(const SP_Device *device, SP_Stream stream, TF_Status *status);

  /* Makes an event; until it is recorded its status is UNKNOWN.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the event with destroy_event. */
  void (*create_event)(const SP_Device *device, SP_Event *event, TF_Status *status);

  /* Frees an event.
   * Required: always.
   * Threads: last call. */
  void (*destroy_event)(const SP_Device *device, SP_Event event);

  /* Says where an event stands, without waiting.
   * Required: always.
   * Threads: any at once. */
  SE_EventStatus (*get_event_status)(const SP_Device *device, SP_Event event);

  /* Enqueues an event: it is COMPLETE when the stream has come there; an earlier record of it is
   *   forgotten.
   * Required: always.
   * Threads: one per handle. */
  void (*record_event)(const SP_Device *device, SP_Stream stream, SP_Event event,
                       TF_Status *status);

  /* Enqueues a wait for an event of this device, in whatever stream it is.
   * Required: always.
   * Threads: one per handle. */
  void (*wait_for_event)(const SP_Device *const device, SP_Stream stream, SP_Event event,
                         TF_Status *const status);

  /* Makes a timer.
   * Required: with timers.
   * Threads: any at once.
   * Owns: the host ends the timer with destroy_timer. */
  void (*create_timer)(const SP_Device *device, SP_Timer *timer, TF_Status *status);

  /* Frees a timer.
   * Required: with timers.
   * Threads: last call. */
  void (*destroy_timer)(const SP_Device *device, SP_Timer timer);

  /* Enqueues the timer's first mark.
   * Required: with timers.
   * Threads: one per handle. */
  void (*start_timer)(const SP_Device *device, SP_Stream stream, SP_Timer timer, TF_Status *status);

  /* Enqueues the timer's second mark.
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
   * Threads: one per handle. */
  void (*memcpy_dtod)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *device_dst,
                      const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

  /* Copies size bytes from device to host, and returns when they are there; any host memory will
   * do.
   * Required: always.
   * Threads: any at once. */
  void (*sync_memcpy_dtoh)(const SP_Device *device, void *host_dst,
                           const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

  /* Copies size bytes from host to device, and returns when they are there; any host memory will
   * do.
   * Required: always.
   * Threads: any at once. */
  void (*sync_memcpy_htod)(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                           const void *host_src, uint64_t size, TF_Status *status);

  /* Copies size bytes within the device, and returns when they are there.
   * Threads: any at once. */
  void (*sync_memcpy_dtod)(const SP_Device *device, SP_DeviceMemoryBase *device_dst,
                           const SP_DeviceMemoryBase *device_src, uint64_t size, TF_Status *status);

  /* Returns when an event is complete or failed.
   * Required: always.
   * Threads: any at once. */
  void (*block_host_for_event)(const SP_Device *device, SP_Event event, TF_Status *status);

  /* Returns when all that the stream has got so far is done.
   * Default: create_event, record_event, block_host_for_event, destroy_event.
   * Threads: any at once. */
  void (*block_host_until_done)(const SP_Device *device, SP_Stream stream, TF_Status *status);

  /* Returns when all streams of the device have done what they have got so far.
   * Required: always.
   * Threads: any at once. */
  void (*synchronize_all_activity)(const SP_Device *device, TF_Status *status);

  /* Enqueues the filling of size bytes with 0.
   * Required: always, in tables of this form.
   * Threads: one per handle. */
  void (*mem_zero)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                   uint64_t size, TF_Status *status);

  /* Enqueues the filling of size bytes with one byte.
   * Required: always, in tables of this form.
   * Threads: one per handle. */
  void (*memset)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                 uint8_t pattern, uint64_t size, TF_Status *status);

  /* Enqueues the filling of size bytes, a multiple of 4, with one 32-bit number.
   * Required: always, in tables of this form.
   * Threads: one per handle. */
  void (*memset32)(const SP_Device *device, SP_Stream stream, SP_DeviceMemoryBase *location,
                   uint32_t pattern, uint64_t size, TF_Status *status);

  /* Enqueues a call of callback_fn(callback_arg, status), once, on a thread of the plugin; false: it
   *   failed, and the callback has run at most once.
   * Required: always.
   * Errors: what the callback sets becomes the stream's status.
   * Threads: one per handle.
   * Owns: callback_arg is the host's, until its callback runs. */
  TF_Bool (*host_callback)(const SP_Device *device, SP_Stream stream,
                           SE_StatusCallbackFn callback_fn, void *callback_arg);
} SP_StreamExecutor;

#define SP_STREAMEXECUTOR_STRUCT_SIZE TF_OFFSET_OF_END(SP_StreamExecutor, host_callback)

/* 5. Parameters ------------------------------------------------------------- */

typedef struct SE_CreateDeviceParams {
  size_t struct_size;
  void *ext;
  int32_t ordinal;   /* which device, from 0 */
  SP_Device *device; /* for the plugin to fill; struct_size and ordinal are set */
} SE_CreateDeviceParams;

#define SE_CREATE_DEVICE_PARAMS_STRUCT_SIZE TF_OFFSET_OF_END(SE_CreateDeviceParams, device)

typedef struct SE_CreateDeviceFnsParams {
  size_t struct_size;
  void *ext;
  SP_DeviceFns *device_fns; /* for the plugin to fill */
} SE_CreateDeviceFnsParams;

#define SE_CREATE_DEVICE_FNS_PARAMS_STRUCT_SIZE                                                    \
  TF_OFFSET_OF_END(SE_CreateDeviceFnsParams, device_fns)

typedef struct SE_CreateStreamExecutorParams {
  size_t struct_size;
  void *ext;
  SP_StreamExecutor *stream_executor; /* for the plugin to fill */
} SE_CreateStreamExecutorParams;

#define SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE                                               \
  TF_OFFSET_OF_END(SE_CreateStreamExecutorParams, stream_executor)

/* 6. The platform ----------------------------------------------------------- */

/* A kind of device. Both strings are capital letters and underscores, beginning with a letter; the
 * host copies them, and reads them no later than when SE_InitPlugin has returned. */
typedef struct SP_Platform {
  size_t struct_size;
  void *ext;
  const char *name; /* the platform, unique in the process: MY_DEVICE */
  const char *type; /* what it is for programs: GPU; several platforms may share it */
  TF_Bool supports_unified_memory; /* the executor has both unified_memory slots */
  TF_Bool use_bfc_allocator;       /* the host is to hand out memory from large pieces itself */
  TF_Bool force_memory_growth;     /* and to take these pieces only as they are needed */
} SP_Platform;

#define SP_PLATFORM_STRUCT_SIZE TF_OFFSET_OF_END(SP_Platform, force_memory_growth)

/* How the parts of a platform are made. A destroy slot frees what the plugin hung into the struct,
 * never the struct. */
typedef struct SP_PlatformFns {
  size_t struct_size;
  void *ext;

  /* Fills in how many devices there are.
   * Required: always.
   * Threads: any at once. */
  void (*get_device_count)(const SP_Platform *platform, int *device_count, TF_Status *status);

  /* Fills params->device for the device params->ordinal.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the device with destroy_device. */
  void (*create_device)(const SP_Platform *platform, SE_CreateDeviceParams *params,
                        TF_Status *status);

  /* Ends a device, whose streams, events, timers and memory are gone.
   * Required: always.
   * Threads: last call. */
  void (*destroy_device)(const SP_Platform *platform, SP_Device *device);

  /* Fills params->device_fns.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the table with destroy_device_fns. */
  void (*create_device_fns)(const SP_Platform *platform, SE_CreateDeviceFnsParams *params,
                            TF_Status *status);

  /* Ends the device functions.
   * Required: always.
   * Threads: last call. */
  void (*destroy_device_fns)(const SP_Platform *platform, SP_DeviceFns *device_fns);

  /* Fills params->stream_executor.
   * Required: always.
   * Threads: any at once.
   * Owns: the host ends the table with destroy_stream_executor. */
  void (*create_stream_executor)(const SP_Platform *platform, SE_CreateStreamExecutorParams *params,
                                 TF_Status *status);

  /* Ends the executor, after all devices.
   * Required: always.
   * Threads: last call. */
  void (*destroy_stream_executor)(const SP_Platform *platform, SP_StreamExecutor *stream_executor);

  /* Fills timer_fns.
   * Required: with timers.
   * Threads: any at once.
   * Owns: the host ends the table with destroy_timer_fns. */
  void (*create_timer_fns)(const SP_Platform *platform, SP_TimerFns *timer_fns, TF_Status *status);

  /* Ends the timer functions.
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
  SP_Platform *platform;        /* for the plugin to fill */
  SP_PlatformFns *platform_fns; /* for the plugin to fill */

  /* Ends the platform, after all its parts.
   * Required: always.
   * Threads: last call. */
  void (*destroy_platform)(SP_Platform *platform);

  /* Ends the platform functions, after the platform.
   * Required: always.
   * Threads: last call. */
  void (*destroy_platform_fns)(SP_PlatformFns *platform_fns);
} SE_PlatformRegistrationParams;

#define SE_PLATFORM_REGISTRATION_PARAMS_STRUCT_SIZE                                                \
  TF_OFFSET_OF_END(SE_PlatformRegistrationParams, destroy_platform_fns)

/* The entry point that the plugin exports; called once, when the file is loaded. It fills in the
 * two structs and the two destroy slots of params. Errors: any code refuses the platform. */
TF_CAPI_EXPORT extern void SE_InitPlugin(SE_PlatformRegistrationParams *params, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
