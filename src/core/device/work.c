/* Retained references and fences.
 *
 * An element of the list ("retained") is unfenced, fenced (its handle is with the plugin), passed or
 * cancelled. Passing and cancelling both use up the handle, so exactly one of them happens, and a
 * plugin that calls back again, or after a cancel, reaches nothing. An element's handle is that of
 * its number among those of its block.
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
 * elements that were never given out are the stream's, until work_fini. So it is with the references to
 * a queue of callbacks: it is freed with the last block that had one of its own.
 *
 * In a forked child no fence will pass: closing the stream cancels them all and frees the elements,
 * while what they retain is freed without the plugin (memory.c, event.c, stream.c). */
#include "work.h"

#include <stdlib.h>

#include "memory.h"
#include "core/base/status.h"
#include "core/registry/registry.h"
#include "stream.h"

/* A fence costs a call of the plugin and may wake one of its threads, so not every element has one.
 */
enum { MOST_UNFENCED = 16, MOST_UNFENCED_BYTES = 64 * 1024 };

/* Blocks ---------------------------------------------------------------------------- */

enum { BLOCK = HANDLES, REFERENCES = 2 };

struct retained_block {
  atomic_uint references; /* to all elements */
  unsigned covered;       /* references to the queue */
  /* Of the block's first callback; NULL: none yet, or too many are pending. */
  modfs_callbacks *queue;
  unsigned epoch; /* of the process that made the block */
  uintptr_t handles;
  retained elements[BLOCK];
};

static retained_block *block_new(TF_Status *status) {
  retained_block *block = malloc(sizeof *block);
  if (block) block->handles = checked_handles_new(block);
  if (!block || block->handles == 0) {
    free(block);
    status_no_memory(status);
    return NULL;
  }
  atomic_init(&block->references, BLOCK * REFERENCES);
  block->queue = NULL;
  block->epoch = registry_epoch();
  return block;
}

static void block_drop(retained_block *block, unsigned n) {
  if (atomic_fetch_sub_explicit(&block->references, n, memory_order_acq_rel) > n) return;
  checked_handles_end(block->handles);
  if (block->queue && block->epoch == registry_epoch())
    callbacks_uncover(block->queue, block->covered);
  free(block);
}

static retained_block *block_of(retained *thing) {
  char *first = (char *)(thing - thing->number);
  return (retained_block *)(void *)(first - offsetof(retained_block, elements));
}

static void drop(retained *thing, unsigned n) {
  block_drop(block_of(thing), n);
}

/* References that are given up together, as those of neighbours are mostly to one block. */
typedef struct dropping {
  retained_block *block;
  unsigned n;
} dropping;

static void drop_now(dropping *self) {
  if (self->n > 0) block_drop(self->block, self->n);
  self->n = 0;
}

static void drop_later(dropping *self, retained *thing) {
  retained_block *block = block_of(thing);
  if (self->block != block) drop_now(self);
  self->block = block;
  self->n += thing->share;
}

static void *handle_of(retained *thing) {
  return checked_handle(block_of(thing)->handles, thing->number);
}

static retained *take_element(work *self, bool is_callback, TF_Status *status) {
  if (!self->block) {
    self->block = block_new(status);
    if (!self->block) return NULL;
    self->taken = 0;
  }
  size_t number = self->taken++;
  retained *thing = &self->block->elements[number];
  if (self->taken == BLOCK) self->block = NULL;
  thing->next = NULL;
  atomic_init(&thing->passed, false);
  thing->is_fenced = false;
  thing->is_callback = is_callback;
  thing->number = (unsigned char)number;
  thing->share = REFERENCES;
  return thing;
}

/* Retained things --------------------------------------------------------------------- */

retained *retained_new(work *self, const retained_parts *parts, TF_Status *status) {
  retained *thing = take_element(self, false, status);
  if (!thing) return NULL;
  for (size_t i = 0; i < 2; i++)
    if (parts->memories[i]) memory_hold(parts->memories[i]);
  if (parts->bytes) modfs_bytes_hold(parts->bytes);
  if (parts->event) event_hold(parts->event);
  if (parts->stream) stream_hold(parts->stream);
  thing->of.parts = *parts;
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

static void release_user_callback(callback *user_callback) {
  drop((retained *)(void *)((char *)user_callback - offsetof(retained, of.user_callback)), 1);
}

/* The block has references to the queue of its first callback, for all that follow in it. */
static bool is_covered(retained *thing, modfs_callbacks *callbacks) {
  retained_block *block = block_of(thing);
  if (!block->queue) {
    block->covered = (unsigned)(BLOCK - thing->number);
    if (callbacks_cover(callbacks, block->covered)) block->queue = callbacks;
  }
  return block->queue == callbacks;
}

retained *retained_new_callback(work *self, modfs_callbacks *callbacks, uint64_t number,
                                TF_Status *status) {
  retained *thing = take_element(self, true, status);
  if (!thing) return NULL;
  callback *made = &thing->of.user_callback;
  if (is_covered(thing, callbacks)) {
    callback_init_covered(made, callbacks, number, release_user_callback);
    return thing;
  }
  if (callback_init(made, callbacks, number, release_user_callback, status)) return thing;
  drop(thing, thing->share);
  return NULL;
}

/* Marks ------------------------------------------------------------------------------- */

bool work_wants_fence(const work *self) {
  return self->unfenced >= MOST_UNFENCED || self->unfenced_bytes >= MOST_UNFENCED_BYTES;
}

/* The fence has a reference, which its callback takes over on arrival. */
void *work_add_fence(work *self) {
  retained *thing = self->last;
  thing->share = 1;
  thing->is_fenced = true;
  if (!self->fenced) self->fenced = thing;
  self->unfenced = 0;
  self->unfenced_bytes = 0;
  return handle_of(thing);
}

static retained *use_fence(void *fence) {
  unsigned number;
  retained_block *block = checked_handle_use(fence, &number);
  return block ? &block->elements[number] : NULL;
}

void work_pass(void *const fence, TF_Status *const status) {
  retained *thing = use_fence(fence);
  if (status) status_clear(status);
  if (!thing) return;
  atomic_store_explicit(&thing->passed, true, memory_order_release);
  if (thing->is_callback)
    callback_arrive(&thing->of.user_callback);
  else
    drop(thing, 1);
}

/* Gives up the fence's reference, which is not the last: the list still has its own. */
void work_cancel(retained *thing) {
  if (!thing->is_fenced || !use_fence(handle_of(thing))) return;
  if (thing->is_callback) callback_cancel(&thing->of.user_callback);
  drop(thing, 1);
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
  if (!thing->is_callback) self->unfenced_bytes += bytes_of(&thing->of.parts);
}

static retained *first_fenced(retained *thing) {
  while (thing && !thing->is_fenced)
    thing = thing->next;
  return thing;
}

static void release_first(work *self, dropping *given_up) {
  retained *thing = self->first;
  self->first = thing->next;
  if (thing == self->fenced) self->fenced = first_fenced(thing->next);
  if (!thing->is_callback) release_parts(&thing->of.parts);
  drop_later(given_up, thing);
}

static bool has_passed(const retained *thing) {
  return atomic_load_explicit(&thing->passed, memory_order_acquire);
}

/* Everything up to the first element with a fence is done once that has passed. */
static void release_passed(work *self) {
  dropping given_up = {0};
  while (self->fenced && has_passed(self->fenced)) {
    while (self->first != self->fenced)
      release_first(self, &given_up);
    release_first(self, &given_up);
  }
  drop_now(&given_up);
}

void work_release(work *self) {
  if (self->fenced && has_passed(self->fenced)) release_passed(self);
}

void work_release_done(work *self) {
  dropping given_up = {0};
  while (self->first && (!self->first->is_callback || has_passed(self->first)))
    release_first(self, &given_up);
  drop_now(&given_up);
  if (self->first) return;
  self->unfenced = 0;
  self->unfenced_bytes = 0;
}

void work_fini(work *self) {
  dropping given_up = {0};
  while (self->first) {
    work_cancel(self->first);
    release_first(self, &given_up);
  }
  drop_now(&given_up);
  if (self->block) block_drop(self->block, (unsigned)(BLOCK - self->taken) * REFERENCES);
  self->block = NULL;
}
