/* The C API for hosts: devices, their memory, streams, events and timers, without Lua.
 *
 * The rules of modfs.h apply here, too: a function with a status parameter sets it to OK first and
 * puts the operation and the platform in front of the message; sizes are in bytes, times in
 * nanoseconds; close, drop and free accept NULL, except modfs_device_close.
 *
 * Lifetimes. Objects are reference-counted. Every object retains its device, so the plugin always
 * sees memory, streams, events and timers destroyed before their device, in whatever order the host
 * releases them. An operation in progress retains the memory and the bytes it uses.
 *
 * Threads: platforms, devices and memory may be used from any number of threads at once; a stream,
 * event or timer from one thread at a time. Threads of the plugin put callbacks into a queue, and
 * the host takes them out on its own thread.
 *
 * Fork: in the child, the parent's objects fail with FAILED_PRECONDITION, and releasing them
 * does not call the plugin. A callback queue of the parent is empty in the child, and gets a
 * descriptor of its own when it is first used there. */
#ifndef MODFS_DEVICE_H
#define MODFS_DEVICE_H

#include "async.h"
#include "modfs.h"
#include "stream_executor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct modfs_platform modfs_platform; /* a registered platform; never freed */
typedef struct modfs_device modfs_device;     /* a handle of an open device */
typedef struct modfs_memory modfs_memory;     /* a block of device memory */
typedef struct modfs_stream modfs_stream;     /* a queue of device work, executed in order */
typedef struct modfs_event modfs_event;       /* a point in a stream that can be waited for */
typedef struct modfs_timer modfs_timer;       /* measures the time between two points of a stream */

/* Platforms ------------------------------------------------------------------ */

/* Iterates over the platforms in registration order: returns the first one for NULL, and NULL
 * after the last. */
MODFS_API const modfs_platform *modfs_platform_next(const modfs_platform *platform);

/* Returns the platform with a name, ignoring case, or NULL. */
MODFS_API const modfs_platform *modfs_platform_find(const char *name);

/* Like modfs_platform_find, but loads a plugin if the name is not registered. plugin_path is as for
 * modfs_fs_search; ? is replaced by the name in lower case.
 * Errors: NOT_FOUND if there is no plugin for the name; the message lists the registered
 *   platforms and the files searched. Otherwise those of modfs_plugin_load. */
MODFS_API const modfs_platform *modfs_platform_search(const char *name, const char *plugin_path,
                                                      TF_Status *status);

/* The strings are those of SP_Platform: the unique name, such as MY_DEVICE, and the type, such
 * as GPU. */
MODFS_API const char *modfs_platform_name(const modfs_platform *platform);
MODFS_API const char *modfs_platform_type(const modfs_platform *platform);

/* Returns the generation of the plugin's tables: "rfc257" or "shipped". */
MODFS_API const char *modfs_platform_api(const modfs_platform *platform);
MODFS_API const modfs_plugin *modfs_platform_plugin(const modfs_platform *platform);

/* Returns the number of devices, or 0 on failure. */
MODFS_API int modfs_platform_device_count(const modfs_platform *platform, TF_Status *status);

/* Returns the platform of a plugin, or NULL if it has none. */
MODFS_API const modfs_platform *modfs_plugin_platform(const modfs_plugin *plugin);

typedef enum modfs_device_table {
  MODFS_TABLE_PLATFORM = 0,
  MODFS_TABLE_PLATFORM_FNS,
  MODFS_TABLE_DEVICE_FNS,
  MODFS_TABLE_STREAM_EXECUTOR,
  MODFS_TABLE_TIMER_FNS,
  MODFS_DEVICE_TABLES
} modfs_device_table;

/* Returns the struct_size that the plugin declared for a table, or 0 if the table is missing or
 * its struct_size was not set. abi and api are the major and minor version of the registration
 * parameters, the same for all tables. */
MODFS_API modfs_version modfs_platform_table(const modfs_platform *platform,
                                             modfs_device_table table);

/* Devices -------------------------------------------------------------------- */

/* Opens a device. The plugin creates a device once; all handles of the same ordinal share it.
 * ordinal: 0 to modfs_platform_device_count - 1.
 * Errors: INVALID_ARGUMENT for an invalid ordinal.
 * Release the handle with modfs_device_close or modfs_device_drop. */
MODFS_API modfs_device *modfs_device_open(const modfs_platform *platform, int ordinal,
                                          TF_Status *status);

/* Closes a device, which must not be NULL.
 * Errors: FAILED_PRECONDITION if memory, host buffers, streams, events or timers of this handle
 *   still exist; the message gives their number, and the device stays open. */
MODFS_API void modfs_device_close(modfs_device *device, TF_Status *status);

/* Releases the handle. The device is closed when the last of its objects has been released. */
MODFS_API void modfs_device_drop(modfs_device *device);

/* The properties of a device; NULL or a negative number: unknown. The strings are valid as long
 * as the device is open. */
typedef struct modfs_device_facts {
  const modfs_platform *platform;
  int ordinal;
  const char *hardware_name;
  const char *vendor;
  const char *pci_bus_id;
  int numa_node;
  int64_t memory_bandwidth; /* bytes per second */
  double gflops;
} modfs_device_facts;

MODFS_API modfs_device_facts modfs_device_describe(const modfs_device *device);

/* Stores the free and total memory of the device in bytes. Memory that the host has reserved but
 * that is not in use counts as free.
 * Errors: UNIMPLEMENTED if the plugin does not report it. */
MODFS_API void modfs_device_memory_usage(modfs_device *device, int64_t *free, int64_t *total,
                                         TF_Status *status);

/* Stores the allocator's statistics and returns true, or returns false if there are none. If the
 * host divides up the memory itself (use_bfc_allocator), they describe the host's allocator. */
MODFS_API bool modfs_device_allocator_stats(modfs_device *device, SP_AllocatorStats *stats);

/* Waits until all streams of the device have completed the work enqueued so far. */
MODFS_API void modfs_device_synchronize(modfs_device *device, TF_Status *status);

/* Memory --------------------------------------------------------------------- */

/* Allocates size bytes of device memory; size may be 0. The content is undefined.
 * Errors: RESOURCE_EXHAUSTED if the device has not enough memory.
 * Release it with modfs_memory_free. */
MODFS_API modfs_memory *modfs_memory_allocate(modfs_device *device, uint64_t size,
                                              TF_Status *status);

/* Releases the memory. It is freed once no operation in progress uses it. */
MODFS_API void modfs_memory_free(modfs_memory *memory);
MODFS_API uint64_t modfs_memory_size(const modfs_memory *memory);
MODFS_API modfs_device *modfs_memory_device(const modfs_memory *memory);

/* The following functions are synchronous: they return when the copy is complete. offset is in the
 * device memory, and n is the number of bytes.
 * Errors: INVALID_ARGUMENT for a range outside the memory. */
MODFS_API void modfs_memory_write(modfs_memory *memory, uint64_t offset, const char *data,
                                  uint64_t n, TF_Status *status);
MODFS_API void modfs_memory_read(modfs_memory *memory, uint64_t offset, char *data, uint64_t n,
                                 TF_Status *status);

/* Copies the first n bytes, also between two devices. */
MODFS_API void modfs_memory_copy(modfs_memory *to, const modfs_memory *from, uint64_t n,
                                 TF_Status *status);

/* Sets all bytes of the memory to byte. */
MODFS_API void modfs_memory_fill(modfs_memory *memory, unsigned char byte, TF_Status *status);

/* Allocate host memory that the device can access directly for copies (pinned memory), and unified
 * memory, which host and device access at the same address.
 * Errors: RESOURCE_EXHAUSTED if there is not enough; UNIMPLEMENTED if the platform has no unified
 *   memory.
 * Release the reference with modfs_bytes_drop. */
MODFS_API modfs_bytes *modfs_device_host_allocate(modfs_device *device, size_t size,
                                                  TF_Status *status);
MODFS_API modfs_bytes *modfs_device_unified_allocate(modfs_device *device, size_t size,
                                                     TF_Status *status);

/* Streams -------------------------------------------------------------------- */

/* Creates a stream. Release it with modfs_stream_close, which waits for the stream's work. */
MODFS_API modfs_stream *modfs_stream_open(modfs_device *device, TF_Status *status);
MODFS_API void modfs_stream_close(modfs_stream *stream);
MODFS_API modfs_device *modfs_stream_device(const modfs_stream *stream);

/* The following functions enqueue work and return without waiting for it. If the plugin fails, the
 * failure becomes the permanent status of the stream, and later calls repeat it. data lies inside
 * bytes, which is retained until the copy is complete.
 * Errors: INVALID_ARGUMENT for a range outside the memory or an object of another device;
 *   nothing is enqueued then. */

/* Copy n bytes from host to device, from device to host, and within the device. */
MODFS_API void modfs_stream_write(modfs_stream *stream, modfs_memory *to, modfs_bytes *bytes,
                                  const char *data, uint64_t n, TF_Status *status);
MODFS_API void modfs_stream_read(modfs_stream *stream, modfs_bytes *bytes, char *data,
                                 modfs_memory *from, uint64_t n, TF_Status *status);
MODFS_API void modfs_stream_copy(modfs_stream *stream, modfs_memory *to, modfs_memory *from,
                                 uint64_t n, TF_Status *status);

/* Sets all bytes of the memory to byte. */
MODFS_API void modfs_stream_fill(modfs_stream *stream, modfs_memory *memory, unsigned char byte,
                                 TF_Status *status);

/* Makes the stream wait for an event; an event that was never recorded is ignored. */
MODFS_API void modfs_stream_wait_event(modfs_stream *stream, modfs_event *event, TF_Status *status);

/* Makes the stream wait for all work enqueued on other so far. */
MODFS_API void modfs_stream_wait_stream(modfs_stream *stream, modfs_stream *other,
                                        TF_Status *status);

/* Records an event: it completes when the stream reaches this point. */
MODFS_API void modfs_stream_record(modfs_stream *stream, modfs_event *event, TF_Status *status);

/* Appends number to the queue callbacks when the stream reaches this point.
 * Errors: RESOURCE_EXHAUSTED if too many callbacks are pending. */
MODFS_API void modfs_stream_callback(modfs_stream *stream, modfs_callbacks *callbacks,
                                     uint64_t number, TF_Status *status);

/* Sets status to the stream's status so far, without waiting. */
MODFS_API void modfs_stream_status(modfs_stream *stream, TF_Status *status);

/* Waits until all work enqueued on the stream is complete, and then sets status to its status. */
MODFS_API void modfs_stream_synchronize(modfs_stream *stream, TF_Status *status);

/* Makes a failure of the host the stream's status, unless the stream has failed already. */
MODFS_API void modfs_stream_fail(modfs_stream *stream, TF_Code code, const char *message);

/* Events and timers ----------------------------------------------------------- */

/* Creates an event, whose status is SE_EVENT_UNKNOWN until it is recorded. Release it with
 * modfs_event_close, which waits for its last record. */
MODFS_API modfs_event *modfs_event_open(modfs_device *device, TF_Status *status);
MODFS_API void modfs_event_close(modfs_event *event);

/* Returns the state of the event, without waiting. */
MODFS_API SE_EventStatus modfs_event_status(modfs_event *event);

/* Waits until the event is complete.
 * Errors: FAILED_PRECONDITION if it was never recorded. */
MODFS_API void modfs_event_wait(modfs_event *event, TF_Status *status);

/* Creates a timer. Release it with modfs_timer_close, which waits for its start and stop.
 * Errors: UNIMPLEMENTED if the platform has no timers. */
MODFS_API modfs_timer *modfs_timer_open(modfs_device *device, TF_Status *status);
MODFS_API void modfs_timer_close(modfs_timer *timer);

/* Enqueue the start and the stop of the timer on a stream. */
MODFS_API void modfs_timer_start(modfs_timer *timer, modfs_stream *stream, TF_Status *status);
MODFS_API void modfs_timer_stop(modfs_timer *timer, modfs_stream *stream, TF_Status *status);

/* Waits until the stream has passed start and stop, and returns the time between them in
 * nanoseconds, or 0 on failure.
 * Errors: FAILED_PRECONDITION if start and stop have not both been enqueued. */
MODFS_API uint64_t modfs_timer_nanoseconds(modfs_timer *timer, TF_Status *status);

/* Files ---------------------------------------------------------------------- */

/* Allocates device memory and copies a file into it through pinned buffers; reading overlaps with
 * the copies. *seconds receives the elapsed time, also on failure.
 * Errors: ABORTED if the file becomes shorter in the meantime; those of modfs_file_open and
 *   modfs_memory_allocate.
 * Release the memory with modfs_memory_free. */
MODFS_API modfs_memory *modfs_device_load(modfs_device *device, const modfs_fs *fs,
                                          const char *path, double *seconds, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
