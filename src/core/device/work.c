/* Retained references and fences.
 *
 * An element of the list ("retained") is unfenced, fenced (its handle is with the plugin), passed or
 * cancelled. Passing and cancelling both use up the handle, so exactly one of them happens, and a
 * plugin that calls back again, or after a cancel, reaches nothing.
 *
 * The list, "fenced", "unfenced" and all references to memory, bytes, events and streams belong to the
 * host thread that uses the stream; they are released there alone. A plugin thread enters through
 * work_pass: it sets "passed" (release; the host reads it with acquire) and queues the callback or
 * gives up the fence's reference to the element. There is no lock here; callback_arrive takes the
 * queue's.
 *
 * Elements stand in blocks, which a stream fills one after the other, and a block is freed with the
 * last reference to one of its elements. There are two for each: one of the list, one of the fence,
 * which goes over to the callback when that arrives. So an element may leave the list while its
 * callback waits to be taken. Without a fence the list has both. The block is made with all of them,
 * so that giving out an element and making a fence change nothing that threads share; those of
 * elements that were never given out are the stream's, until work_fini.
 *
 * In a forked child no fence will pass: closing the stream cancels them all and frees the elements,
 * while what they retain is freed without the plugin (memory.c, event.c, stream.c). */
#include "work.h"

#include <stdlib.h>

#include "memory.h"
#include "core/base/status.h"
#include "stream.h"

/* A fence costs a call of the plugin and may wake one of its threads, so not every element has one.
 */
enum { MOST_UNFENCED = 16, MOST_UNFENCED_BYTES = 64 * 1024 };

/* Blocks ---------------------------------------------------------------------------- */

enum { BLOCK = 32, REFERENCES = 2 };

struct retained_block {
  atomic_uint references; /* to all elements */
  retained elements[BLOCK];
};

static void block_drop(retained_block *block, unsigned n) {
  if (atomic_fetch_sub_explicit(&block->references, n, memory_order_acq_rel) == n) free(block);
}

static void drop(retained *thing, unsigned n) {
  char *first = (char *)(thing - thing->number);
  block_drop((retained_block *)(void *)(first - offsetof(retained_block, elements)), n);
}

static retained *take_element(work *self, TF_Status *status) {
  if (!self->block) {
    self->block = malloc(sizeof *self->block);
    if (!self->block) {
      status_no_memory(status);
      return NULL;
    }
    atomic_init(&self->block->references, BLOCK * REFERENCES);
    self->taken = 0;
  }
  size_t number = self->taken++;
  retained *thing = &self->block->elements[number];
  if (self->taken == BLOCK) self->block = NULL;
  thing->next = NULL;
  thing->fence = NULL;
  atomic_init(&thing->passed, false);
  thing->has_parts = false;
  thing->number = (unsigned char)number;
  thing->share = REFERENCES;
  thing->user_callback.queue = NULL;
  return thing;
}

/* Retained things --------------------------------------------------------------------- */

retained *retained_new(work *self, const retained_parts *parts, TF_Status *status) {
  retained *thing = take_element(self, status);
  if (!thing) return NULL;
  for (size_t i = 0; i < 2; i++)
    if (parts->memories[i]) memory_hold(parts->memories[i]);
  if (parts->bytes) modfs_bytes_hold(parts->bytes);
  if (parts->event) event_hold(parts->event);
  if (parts->stream) stream_hold(parts->stream);
  thing->parts = *parts;
  thing->has_parts = true;
  return thing;
}

/* Most operations have one or two of them. */
static void release_parts(const retained_parts *parts) {
  for (size_t i = 0; i < 2; i++)
    if (parts->memories[i]) modfs_memory_free(parts->memories[i]);
  if (parts->bytes) modfs_bytes_drop(parts->bytes);
  if (parts->event) modfs_event_close(parts->event);
  if (parts->stream) stream_drop(parts->stream);
}

void retained_free(retained *thing) {
  if (!thing) return;
  if (thing->has_parts) release_parts(&thing->parts);
  drop(thing, thing->share);
}

static void release_user_callback(callback *user_callback) {
  drop((retained *)(void *)((char *)user_callback - offsetof(retained, user_callback)), 1);
}

retained *retained_new_callback(work *self, modfs_callbacks *callbacks, uint64_t number,
                                TF_Status *status) {
  retained *thing = take_element(self, status);
  if (!thing ||
      callback_init(&thing->user_callback, callbacks, number, release_user_callback, status))
    return thing;
  retained_free(thing);
  return NULL;
}

/* Marks ------------------------------------------------------------------------------- */

bool work_wants_fence(const work *self) {
  return self->unfenced >= MOST_UNFENCED || self->unfenced_bytes >= MOST_UNFENCED_BYTES;
}

/* Gives up the fence's reference, which is not the last: the list still has its own. */
static void discard_fence(retained *thing) {
  callback_cancel(&thing->user_callback);
  drop(thing, 1);
}

/* The fence has a reference, which its callback takes over on arrival. */
bool work_add_fence(work *self) {
  retained *thing = self->last;
  thing->share = 1;
  thing->fence = checked_handle_new(&self->handles, thing);
  if (!thing->fence) {
    discard_fence(thing);
    return false;
  }
  if (!self->fenced) self->fenced = thing;
  self->unfenced = 0;
  self->unfenced_bytes = 0;
  return true;
}

void work_pass(void *const fence, TF_Status *const status) {
  retained *thing = checked_handle_use(fence);
  if (status) status_clear(status);
  if (!thing) return;
  atomic_store_explicit(&thing->passed, true, memory_order_release);
  if (thing->user_callback.queue)
    callback_arrive(&thing->user_callback);
  else
    drop(thing, 1);
}

void work_cancel(retained *thing) {
  if (thing->fence && checked_handle_use(thing->fence)) discard_fence(thing);
}

/* The list ---------------------------------------------------------------------------- */

static uint64_t bytes_of(const retained_parts *parts) {
  uint64_t bytes = parts->bytes ? modfs_bytes_length(parts->bytes) : 0;
  for (size_t i = 0; i < 2; i++)
    if (parts->memories[i]) bytes += modfs_memory_size(parts->memories[i]);
  return bytes;
}

void work_add(work *self, retained *thing) {
  *(self->first ? &self->last->next : &self->first) = thing;
  self->last = thing;
  self->unfenced++;
  if (thing->has_parts) self->unfenced_bytes += bytes_of(&thing->parts);
}

static retained *first_fenced(retained *thing) {
  while (thing && !thing->fence)
    thing = thing->next;
  return thing;
}

static void release_first(work *self) {
  retained *thing = self->first;
  self->first = thing->next;
  if (thing == self->fenced) self->fenced = first_fenced(thing->next);
  retained_free(thing);
}

static bool has_passed(const retained *thing) {
  return atomic_load_explicit(&thing->passed, memory_order_acquire);
}

/* Everything up to the first element with a fence is done once that has passed. */
void work_release(work *self) {
  while (self->fenced && has_passed(self->fenced)) {
    while (self->first != self->fenced)
      release_first(self);
    release_first(self);
  }
}

void work_release_done(work *self) {
  while (self->first && (!self->first->user_callback.queue || has_passed(self->first)))
    release_first(self);
  if (self->first) return;
  self->unfenced = 0;
  self->unfenced_bytes = 0;
}

void work_fini(work *self) {
  while (self->first) {
    work_cancel(self->first);
    release_first(self);
  }
  if (self->block) block_drop(self->block, (unsigned)(BLOCK - self->taken) * REFERENCES);
  self->block = NULL;
  handle_stock_fini(&self->handles);
}
