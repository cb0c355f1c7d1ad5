/* The core for hosts: devices, their memory, streams, events and timers, without Lua.
 *
 * The rules of modfs.h hold here, too: each function that takes a status sets it OK first and locates
 * a failure; sizes are bytes and times nanoseconds; ends take NULL.
 *
 * Lifetimes. Every object holds its device, and a device what it stands on, by counted references:
 * whatever order a host lets go in, the plugin sees memory, streams, events and timers end before
 * their device. An operation that is still under way holds its memory and bytes.
 *
 * Threads: any at once for platforms, devices and memory; streams, events and timers are for one
 * thread at a time; callbacks are put into a queue by the plugin's threads and taken out by the
 * host's own.
 * Fork: in a child the objects of the parent answer FAILED_PRECONDITION, and their ends do not reach
 * the plugin; a queue of callbacks is empty, and has a descriptor of its own from its first use on. */
#ifndef MODFS_DEVICE_H
#define MODFS_DEVICE_H

#include "modfs.h"
#include "stream_executor.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct modfs_platform modfs_platform;   /* a registered platform; lives for ever */
typedef struct modfs_device modfs_device;       /* an open device */
typedef struct modfs_memory modfs_memory;       /* a piece of its memory */
typedef struct modfs_stream modfs_stream;       /* a queue of its work */
typedef struct modfs_event modfs_event;         /* a mark in a stream */
typedef struct modfs_timer modfs_timer;         /* two marks and the time between them */
typedef struct modfs_callbacks modfs_callbacks; /* what streams have reached, for one thread */

/* Platforms ------------------------------------------------------------------ */

/* In the order of registration: NULL gives the first, the last gives NULL. */
MODFS_API const modfs_platform *modfs_platform_next(const modfs_platform *platform);

/* By name, whatever its case; NULL when there is none. */
MODFS_API const modfs_platform *modfs_platform_find(const char *name);

/* As modfs_platform_find, and loads a plugin for an unknown name: plugin_path as in
 * modfs_fs_search, with the name in lower case for the ?.
 * Errors: NOT_FOUND, naming the registered platforms and where it looked. */
MODFS_API const modfs_platform *modfs_platform_search(const char *name, const char *plugin_path,
                                                      TF_Status *status);

MODFS_API const char *modfs_platform_name(const modfs_platform *platform);
MODFS_API const char *modfs_platform_type(const modfs_platform *platform);
/* The form of its tables: "rfc257" or "shipped". */
MODFS_API const char *modfs_platform_api(const modfs_platform *platform);
MODFS_API const modfs_plugin *modfs_platform_plugin(const modfs_platform *platform);
MODFS_API int modfs_platform_device_count(const modfs_platform *platform, TF_Status *status);
/* The plugin's platform, or NULL. */
MODFS_API const modfs_platform *modfs_plugin_platform(const modfs_plugin *plugin);

typedef enum modfs_device_table {
  MODFS_TABLE_PLATFORM = 0,
  MODFS_TABLE_PLATFORM_FNS,
  MODFS_TABLE_DEVICE_FNS,
  MODFS_TABLE_STREAM_EXECUTOR,
  MODFS_TABLE_TIMER_FNS,
  MODFS_DEVICE_TABLES
} modfs_device_table;

/* The struct_size that the plugin declared, 0 for a table that it has not or left as it was; abi and
 * api are the major and minor version in the params, one for all of them. */
MODFS_API modfs_version modfs_platform_table(const modfs_platform *platform,
                                             modfs_device_table table);

/* Devices -------------------------------------------------------------------- */

/* Opens a device; the plugin's own is made once for all who have it open.
 * Errors: INVALID_ARGUMENT for an ordinal that is none. End with modfs_device_close or _drop. */
MODFS_API modfs_device *modfs_device_open(const modfs_platform *platform, int ordinal,
                                          TF_Status *status);
/* Ends it; FAILED_PRECONDITION, with their number, while memory, streams, events or timers of this
 * device are alive: it stays open then. */
MODFS_API void modfs_device_close(modfs_device *device, TF_Status *status);
/* Lets go: it ends when the last of its objects has ended. */
MODFS_API void modfs_device_drop(modfs_device *device);

/* What is known of a device; NULL and below 0: unknown. The strings live as long as the device. */
typedef struct modfs_device_facts {
  const modfs_platform *platform;
  int ordinal;
  const char *hardware_name;
  const char *vendor;
  const char *pci_bus_id;
  int numa_node;
  int64_t memory_bandwidth; /* bytes a second */
  double gflops;
} modfs_device_facts;

MODFS_API modfs_device_facts modfs_device_describe(const modfs_device *device);
/* Bytes. What the host has taken from the device and nothing uses counts as free. */
MODFS_API void modfs_device_memory_usage(modfs_device *device, int64_t *free, int64_t *total,
                                         TF_Status *status);
/* false: there are none. The numbers are those of our own allocator where it stands between. */
MODFS_API bool modfs_device_allocator_stats(modfs_device *device, SP_AllocatorStats *stats);
/* Waits until all its streams have done what they got. */
MODFS_API void modfs_device_synchronize(modfs_device *device, TF_Status *status);

/* Memory --------------------------------------------------------------------- */

/* RESOURCE_EXHAUSTED when there is not enough. End with modfs_memory_free. */
MODFS_API modfs_memory *modfs_memory_allocate(modfs_device *device, uint64_t size,
                                              TF_Status *status);
/* Frees it once nothing under way uses it. */
MODFS_API void modfs_memory_free(modfs_memory *memory);
MODFS_API uint64_t modfs_memory_size(const modfs_memory *memory);
MODFS_API modfs_device *modfs_memory_device(const modfs_memory *memory);

/* The following return when they are done. A range beyond the memory is INVALID_ARGUMENT. */
MODFS_API void modfs_memory_write(modfs_memory *memory, uint64_t offset, const char *data,
                                  uint64_t n, TF_Status *status);
MODFS_API void modfs_memory_read(modfs_memory *memory, uint64_t offset, char *data, uint64_t n,
                                 TF_Status *status);
/* Also between two devices. */
MODFS_API void modfs_memory_copy(modfs_memory *to, const modfs_memory *from, uint64_t n,
                                 TF_Status *status);
MODFS_API void modfs_memory_fill(modfs_memory *memory, unsigned char byte, TF_Status *status);

/* Host memory that the device copies by itself, and memory that both reach under one address
 * (UNIMPLEMENTED where the platform has none). One reference; end with modfs_bytes_drop. */
MODFS_API modfs_bytes *modfs_device_host_allocate(modfs_device *device, size_t size,
                                                  TF_Status *status);
MODFS_API modfs_bytes *modfs_device_unified_allocate(modfs_device *device, size_t size,
                                                     TF_Status *status);

/* Streams -------------------------------------------------------------------- */

/* End with modfs_stream_close, which waits for the stream's work. */
MODFS_API modfs_stream *modfs_stream_open(modfs_device *device, TF_Status *status);
MODFS_API void modfs_stream_close(modfs_stream *stream);
MODFS_API modfs_device *modfs_stream_device(const modfs_stream *stream);

/* The following enqueue. A failure of the plugin stays the stream's status, for good; wrong arguments
 * (a range beyond the memory, another device's object) are INVALID_ARGUMENT and change nothing.
 * bytes is what data lies in; it is held until the copy is done. */
MODFS_API void modfs_stream_write(modfs_stream *stream, modfs_memory *to, modfs_bytes *bytes,
                                  const char *data, uint64_t n, TF_Status *status);
MODFS_API void modfs_stream_read(modfs_stream *stream, modfs_bytes *bytes, char *data,
                                 modfs_memory *from, uint64_t n, TF_Status *status);
MODFS_API void modfs_stream_copy(modfs_stream *stream, modfs_memory *to, modfs_memory *from,
                                 uint64_t n, TF_Status *status);
MODFS_API void modfs_stream_fill(modfs_stream *stream, modfs_memory *memory, unsigned char byte,
                                 TF_Status *status);
MODFS_API void modfs_stream_wait_event(modfs_stream *stream, modfs_event *event, TF_Status *status);
MODFS_API void modfs_stream_wait_stream(modfs_stream *stream, modfs_stream *other,
                                        TF_Status *status);
MODFS_API void modfs_stream_record(modfs_stream *stream, modfs_event *event, TF_Status *status);
/* When the stream comes here, number is put into callbacks.
 * Errors: RESOURCE_EXHAUSTED when too many are under way. */
MODFS_API void modfs_stream_callback(modfs_stream *stream, modfs_callbacks *callbacks,
                                     uint64_t number, TF_Status *status);

/* How its work went so far, without waiting. */
MODFS_API void modfs_stream_status(modfs_stream *stream, TF_Status *status);
/* Waits for all that it has got, then as modfs_stream_status. */
MODFS_API void modfs_stream_synchronize(modfs_stream *stream, TF_Status *status);
/* Makes a failure of the host's the stream's status, unless it has one already. */
MODFS_API void modfs_stream_fail(modfs_stream *stream, TF_Code code, const char *message);

/* Events and timers ----------------------------------------------------------- */

MODFS_API modfs_event *modfs_event_open(modfs_device *device, TF_Status *status);
MODFS_API void modfs_event_close(modfs_event *event);
MODFS_API SE_EventStatus modfs_event_status(modfs_event *event);
/* Waits for its last record; FAILED_PRECONDITION before the first. */
MODFS_API void modfs_event_wait(modfs_event *event, TF_Status *status);

/* UNIMPLEMENTED where the platform has no timers. */
MODFS_API modfs_timer *modfs_timer_open(modfs_device *device, TF_Status *status);
MODFS_API void modfs_timer_close(modfs_timer *timer);
MODFS_API void modfs_timer_start(modfs_timer *timer, modfs_stream *stream, TF_Status *status);
MODFS_API void modfs_timer_stop(modfs_timer *timer, modfs_stream *stream, TF_Status *status);
/* Waits for both marks; FAILED_PRECONDITION before they are enqueued. */
MODFS_API uint64_t modfs_timer_nanoseconds(modfs_timer *timer, TF_Status *status);

/* Callbacks ------------------------------------------------------------------ */

/* A queue for one thread. End with modfs_callbacks_close: what comes later is dropped. */
MODFS_API modfs_callbacks *modfs_callbacks_open(TF_Status *status);
MODFS_API void modfs_callbacks_close(modfs_callbacks *callbacks);
/* Takes the next number; false when there is none. */
MODFS_API bool modfs_callbacks_take(modfs_callbacks *callbacks, uint64_t *number);
/* Waits for one, at most so long (seconds; below 0: for ever); false when none came. */
MODFS_API bool modfs_callbacks_wait(modfs_callbacks *callbacks, double seconds);
/* A descriptor that is readable while the queue is not empty. */
MODFS_API int modfs_callbacks_descriptor(modfs_callbacks *callbacks);

/* Files ---------------------------------------------------------------------- */

/* Brings a file into new device memory through pinned buffers, reading ahead of the copies.
 * seconds gets how long it took. */
MODFS_API modfs_memory *modfs_device_load(modfs_device *device, const modfs_fs *fs,
                                          const char *path, double *seconds, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
