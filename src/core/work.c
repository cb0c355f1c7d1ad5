#include "work.h"

#include <stdlib.h>

#include "memory.h"
#include "status.h"
#include "stream.h"
#include "ticket.h"

typedef struct mark {
  marks *counted;
  callback *rider; /* NULL: none */
} mark;

/* Marks ------------------------------------------------------------------------------- */

static void drop_marks(marks *counted) {
  if (atomic_fetch_sub_explicit(&counted->references, 1, memory_order_acq_rel) == 1) free(counted);
}

static void free_mark(mark *gone) {
  drop_marks(gone->counted);
  free(gone);
}

bool work_mark(work *self, held *thing, callback *rider) {
  mark *made = malloc(sizeof *made);
  thing->ticket = made ? ticket_new(made) : NULL;
  if (!thing->ticket) {
    free(made);
    callback_cancel(rider);
    return false;
  }
  *made = (mark){self->marks, rider};
  atomic_fetch_add_explicit(&self->marks->references, 1, memory_order_relaxed);
  return true;
}

void work_pass(void *const ticket, TF_Status *const status) {
  mark *passed = ticket_use(ticket);
  if (status) status_clear(status);
  if (!passed) return;
  if (passed->rider) callback_arrive(passed->rider);
  atomic_fetch_add_explicit(&passed->counted->passed, 1, memory_order_release);
  free_mark(passed);
}

bool work_cancel(held *thing) {
  mark *cancelled = thing->ticket ? ticket_use(thing->ticket) : NULL;
  if (!cancelled) return false;
  callback_cancel(cancelled->rider);
  free_mark(cancelled);
  return true;
}

/* Held things ----------------------------------------------------------------------- */

held *held_new(held parts, TF_Status *status) {
  held *thing = malloc(sizeof *thing);
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
  return thing;
}

void held_free(held *thing) {
  if (!thing) return;
  modfs_memory_free(thing->memories[0]);
  modfs_memory_free(thing->memories[1]);
  modfs_bytes_drop(thing->bytes);
  modfs_event_close(thing->event);
  stream_drop(thing->stream);
  free(thing);
}

/* The list ---------------------------------------------------------------------------- */

bool work_init(work *self) {
  self->marks = calloc(1, sizeof *self->marks);
  if (self->marks) atomic_init(&self->marks->references, 1);
  return self->marks;
}

void work_add(work *self, held *thing) {
  *(self->first ? &self->last->next : &self->first) = thing;
  self->last = thing;
}

static void release_first(work *self) {
  held *thing = self->first;
  self->first = thing->next;
  self->released++;
  held_free(thing);
}

void work_release(work *self) {
  size_t passed = atomic_load_explicit(&self->marks->passed, memory_order_acquire);
  while (self->first && self->released < passed)
    release_first(self);
}

void work_fini(work *self) {
  while (self->first) {
    work_cancel(self->first);
    release_first(self);
  }
  if (self->marks) drop_marks(self->marks);
}
