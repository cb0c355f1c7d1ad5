/* The references that a stream's work retains: a list in the order of the stream, with a fence
 * behind some of its elements. A fence is a host callback that the plugin calls when the stream has
 * come to it.
 *
 * As a stream works in order, everything before a passed fence can be released. That happens on the
 * host's thread, because a plugin's callback must not call the plugin. The plugin gets a
 * generation-checked handle for a fence: it may call back twice, too late, or never. */
#ifndef MODFS_CORE_WORK_H
#define MODFS_CORE_WORK_H

#include "core/async/callbacks.h"
#include "checked_handle.h"
#include "device.h"

/* What the operation uses. */
typedef struct retained_parts {
  modfs_memory *memories[2];
  modfs_bytes *bytes;
  modfs_event *event;
  modfs_stream *stream;
} retained_parts;

/* What one enqueued operation retains: parts, or a callback of the user's. Its place in a block
 * is free again when the stream has released it, its fence has passed or was cancelled, and its
 * callback was taken or dropped. */
typedef struct retained {
  struct retained *next;
  atomic_bool passed;
  bool is_fenced; /* there is a fence behind it */
  bool is_callback;
  unsigned char number; /* in its block */
  unsigned char share;  /* the list's references to the block */
  union {
    callback user_callback; /* arrives with the fence */
    retained_parts parts;
  } of;
} retained;

typedef struct retained_block retained_block;

typedef struct work {
  retained *first, *last;
  retained *fenced;        /* the first with a fence; NULL: none has one */
  size_t unfenced;         /* elements behind the last fence */
  uint64_t unfenced_bytes; /* device and host memory that those retain */
  retained_block *block;   /* where the next elements are; NULL: it is full, or there is none */
  size_t taken;            /* elements of it that were given out */
} work;

/* An element with parts, to each of which it takes a reference; NULL when memory is short. */
retained *retained_new(work *self, const retained_parts *parts, TF_Status *status);

/* One that has a callback alone. */
retained *retained_new_callback(work *self, modfs_callbacks *callbacks, uint64_t number,
                                TF_Status *status);

/* Appends it to the list, which owns it from now on. */
void work_add(work *self, retained *thing);

/* Whether enough is retained since the last fence to make another one worth its price. */
bool work_wants_fence(const work *self);

/* Prepares a fence behind the last element, for the caller to enqueue with this argument. */
void *work_add_fence(work *self);

/* Cancels a fence that will not be reached, and its callback; does nothing once it has passed. */
void work_cancel(retained *thing);

/* The host callback of a fence. Threads: the plugin's, any. */
void work_pass(void *const fence, TF_Status *const status);

/* Releases everything up to the last fence that has passed. work_release_done, for a stream whose
 * work is done, releases everything up to the first callback that has not arrived. */
void work_release(work *self);
void work_release_done(work *self);

/* Cancels the fences that have not passed and releases everything, for a stream that is closed and
 * whose work is done. */
void work_fini(work *self);

#endif
