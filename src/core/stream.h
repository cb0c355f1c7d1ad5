/* A stream, as events and timers see it. */
#ifndef MODFS_CORE_STREAM_H
#define MODFS_CORE_STREAM_H

#include "device.h"

SP_Stream stream_handle(const modfs_stream *stream);

/* Starts an enqueuing call: false when the stream has failed or is another process's or device's. */
bool stream_enter(modfs_stream *stream, const modfs_device *device, TF_Status *status);

/* Ends it: a failure of the plugin becomes the stream's, and is located. */
void stream_leave(modfs_stream *stream, const char *operation, TF_Status *status);

/* Holds an event that work of the stream has yet to look at. */
void stream_keep_event(modfs_stream *stream, modfs_event *event, TF_Status *status);

/* One reference more, and one less; the last one ends a stream whose work is done. */
modfs_stream *stream_hold(modfs_stream *stream);
void stream_drop(modfs_stream *stream);

/* One reference more; modfs_event_close is one less. */
modfs_event *event_hold(modfs_event *event);

/* As modfs_stream_write, to the bytes from offset on. */
void stream_write_at(modfs_stream *stream, modfs_memory *to, uint64_t offset, modfs_bytes *bytes,
                     const char *data, uint64_t n, TF_Status *status);

#endif
