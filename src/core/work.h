/* What a stream's work still needs: a list of held things in the order of the stream, and marks behind
 * some of them, host callbacks that say how far the stream has come.
 *
 * As a stream works in order, what stands before a mark that has passed can be let go; that happens on
 * the host's thread, because a plugin's callback may not call the plugin. The plugin gets a ticket for
 * a mark: it may call twice, too late, or never. */
#ifndef MODFS_CORE_WORK_H
#define MODFS_CORE_WORK_H

#include "callbacks.h"
#include "device.h"

/* Lives until the stream has let it go, and its mark has passed or was cancelled, and its callback was
 * taken. */
typedef struct held {
  modfs_memory *memories[2];
  modfs_bytes *bytes;
  modfs_event *event;
  modfs_stream *stream;
  callback rider; /* comes with the mark */
  void *ticket;   /* of the mark behind it; NULL: none */
  atomic_uint references;
  atomic_bool passed;
  struct held *next;
} held;

typedef struct work {
  held *first, *last;
  size_t unmarked; /* things behind the last mark, and how much memory they hold */
  uint64_t unmarked_bytes;
} work;

/* A copy of what is to be held, with a reference to each part; held_free lets it go. */
held *held_new(held parts, TF_Status *status);
void held_free(held *thing);

/* A thing with a callback alone. */
held *held_new_callback(modfs_callbacks *callbacks, uint64_t number, TF_Status *status);

/* From now on the thing is in use. */
void work_add(work *self, held *thing);

/* Whether so much is held that the last thing should get a mark. */
bool work_wants_mark(const work *self);

/* Makes the mark behind the last thing; false without memory. */
bool work_mark(work *self);

/* A thing's mark will not pass any more, unless it has, and its callback not come. */
void work_cancel(held *thing);

/* The host callback of a mark; its argument is the ticket. */
void work_pass(void *const ticket, TF_Status *const status);

/* Lets go what stands before the last mark that has passed; or, of a stream whose work is done, all up
 * to a callback that has not come. */
void work_release(work *self);
void work_release_done(work *self);

/* Lets all go, for a stream whose work is done and that ends: what has not come never will. */
void work_fini(work *self);

#endif
