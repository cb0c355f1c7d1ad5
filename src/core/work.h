/* What a stream's work still needs: a list of held things in the order of the stream, and marks, each
 * a host callback behind one of them.
 *
 * As a stream works in order, as many things as marks have passed can be let go; that happens on the
 * host's thread, because a plugin's callback may not call the plugin. The plugin gets a ticket for a
 * mark: it may call twice, too late, or never. */
#ifndef MODFS_CORE_WORK_H
#define MODFS_CORE_WORK_H

#include "callbacks.h"
#include "device.h"

typedef struct held {
  modfs_memory *memories[2];
  modfs_bytes *bytes;
  modfs_event *event;
  modfs_stream *stream;
  void *ticket; /* of the mark behind it; NULL: none */
  struct held *next;
} held;

/* What marks count in; it outlives the stream when a plugin is late. */
typedef struct marks {
  atomic_size_t references; /* of the stream, and of each mark under way */
  atomic_size_t passed;
} marks;

typedef struct work {
  marks *marks;
  size_t released; /* how many held things have been let go */
  held *first, *last;
} work;

/* false without memory. */
bool work_init(work *self);

/* Lets all go, for a stream whose work is done: a mark that has not passed never will. */
void work_fini(work *self);

/* A copy of what is to be held, with a reference to each part; held_free lets it go. */
held *held_new(held parts, TF_Status *status);
void held_free(held *thing);

/* From now on the thing is in use; without a mark it is until the next one, or the stream's end. */
void work_add(work *self, held *thing);

/* Makes the mark behind a thing that was added, with a callback that rides on it, or NULL: that is
 * ended, too, without memory (false). */
bool work_mark(work *self, held *thing, callback *rider);

/* Whether the mark behind a thing had not passed; it will not any more. */
bool work_cancel(held *thing);

/* The host callback of a mark; its argument is the ticket. */
void work_pass(void *const ticket, TF_Status *const status);

/* Lets go what was held for work that is done. */
void work_release(work *self);

#endif
