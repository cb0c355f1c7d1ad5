/* Streams, for the files about events, timers and loading. */
#ifndef MODFS_CORE_STREAM_H
#define MODFS_CORE_STREAM_H

#include "device.h"

SP_Stream stream_handle(const modfs_stream *stream);

/* Begins a call that enqueues work. False, with the reason, when the stream has failed, was
 * inherited through a fork, or is of another device than the one given (NULL: any). */
bool stream_enter(modfs_stream *stream, const modfs_device *device, TF_Status *status);

/* Ends such a call: a failure of the plugin becomes the stream's, and is located. */
void stream_leave(modfs_stream *stream, const char *operation, TF_Status *status);

/* Retains an event until the stream's work so far is done. */
void stream_keep_event(modfs_stream *stream, modfs_event *event, TF_Status *status);

/* Take and release a reference; the last release destroys the stream, whose work must be done. */
modfs_stream *stream_hold(modfs_stream *stream);
void stream_drop(modfs_stream *stream);

/* Takes a reference; modfs_event_close releases one. */
modfs_event *event_hold(modfs_event *event);

/* Waits for a recorded event, to the end. */
void event_block(modfs_event *event, TF_Status *status);

/* n bytes of a memory, from offset on. */
typedef struct memory_range {
  modfs_memory *memory;
  uint64_t offset, n;
} memory_range;

/* Like modfs_stream_write, to a part of the memory. */
void stream_write_range(modfs_stream *stream, memory_range to, modfs_bytes *bytes, const char *data,
                        TF_Status *status);

#endif
