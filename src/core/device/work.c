/* Retained references and fences.
 *
 * An element of the list ("retained") is unfenced, fenced (its handle is with the plugin), passed or
 * cancelled. Passing and cancelling both use up the handle, so exactly one of them happens, and a
 * plugin that calls back again, or after a cancel, reaches nothing.
 *
 * The list, "unfenced" and all references to memory, bytes, events and streams belong to the host
 * thread that uses the stream; they are released there alone. A plugin thread enters through
 * work_pass: it sets "passed" (release; the host reads it with acquire) and queues the callback or
 * gives up the fence's reference to the element. There is no lock here; callback_arrive takes the
 * queue's.
 *
 * The element itself is freed with the last of its references: one of the list, one of the fence,
 * which goes over to the callback when that arrives. So an element may leave the list while its
 * callback waits to be taken.
 *
 * In a forked child no fence will pass: closing the stream cancels them all and frees the elements,
 * while what they retain is freed without the plugin (memory.c, event.c, stream.c). */
#include "work.h"

#include <stdlib.h>

#include "memory.h"
#include "core/base/status.h"
#include "stream.h"
#include "checked_handle.h"

/* A fence costs a call of the plugin and may wake one of its threads, so not every element has one.
 */
enum { MOST_UNFENCED = 16, MOST_UNFENCED_BYTES = 64 * 1024 };

/* Held things ----------------------------------------------------------------------- */

static void drop(retained *thing) {
  if (atomic_fetch_sub_explicit(&thing->references, 1, memory_order_acq_rel) == 1) free(thing);
}

retained *retained_new(retained parts, TF_Status *status) {
  retained *thing = malloc(sizeof *thing);
  if (!thing) {
    status_no_memory(status);
    return NULL;
  }
  for (size_t i = 0; i < 2; i++)
    if (parts.memories[i]) memory_hold(parts.memories[i]);
  if (parts.bytes) modfs_bytes_hold(parts.bytes);
  if (parts.event) event_hold(parts.event);
  if (parts.stream) stream_hold(parts.stream);
  *thing = parts;
  atomic_init(&thing->references, 1);
  return thing;
}

void retained_free(retained *thing) {
  if (!thing) return;
  modfs_memory_free(thing->memories[0]);
  modfs_memory_free(thing->memories[1]);
  modfs_bytes_drop(thing->bytes);
  modfs_event_close(thing->event);
  stream_drop(thing->stream);
  drop(thing);
}

static void release_user_callback(callback *user_callback) {
  drop((retained *)(void *)((char *)user_callback - offsetof(retained, user_callback)));
}

retained *retained_new_callback(modfs_callbacks *callbacks, uint64_t number, TF_Status *status) {
  retained *thing = retained_new((retained){.next = NULL}, status);
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
  atomic_fetch_sub_explicit(&thing->references, 1, memory_order_acq_rel);
}

/* The fence has a reference, which its callback takes over on arrival. */
bool work_add_fence(work *self) {
  retained *thing = self->last;
  atomic_fetch_add_explicit(&thing->references, 1, memory_order_relaxed);
  thing->fence = checked_handle_new(thing);
  if (!thing->fence) {
    discard_fence(thing);
    return false;
  }
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
    drop(thing);
}

void work_cancel(retained *thing) {
  if (thing->fence && checked_handle_use(thing->fence)) discard_fence(thing);
}

/* The list ---------------------------------------------------------------------------- */

void work_add(work *self, retained *thing) {
  *(self->first ? &self->last->next : &self->first) = thing;
  self->last = thing;
  self->unfenced++;
  if (thing->bytes) self->unfenced_bytes += modfs_bytes_length(thing->bytes);
  for (size_t i = 0; i < 2; i++)
    if (thing->memories[i]) self->unfenced_bytes += modfs_memory_size(thing->memories[i]);
}

static void release_first(work *self) {
  retained *thing = self->first;
  self->first = thing->next;
  retained_free(thing);
}

static bool has_passed(const retained *thing) {
  return atomic_load_explicit(&thing->passed, memory_order_acquire);
}

/* The first element with a fence: everything up to it is done once that has passed. */
static const retained *next_fence(const work *self) {
  const retained *thing = self->first;
  while (thing && !thing->fence)
    thing = thing->next;
  return thing;
}

void work_release(work *self) {
  const retained *fenced = next_fence(self);
  while (fenced && has_passed(fenced)) {
    while (self->first != fenced)
      release_first(self);
    release_first(self);
    fenced = next_fence(self);
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
}
