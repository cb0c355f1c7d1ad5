/* An upload: one PUT for a small object, a multipart upload for a larger one.
 *
 * States. small: all bytes are in `filling`, the server knows nothing (parts.state is NULL). multipart:
 * parts.state is set; a part is filling, in flight, or listed. published: the object at the server has
 * all of `length` bytes. Later appends make it unpublished again: after one PUT the bytes are still in
 * `filling` and are all sent again, after a multipart upload the object becomes the base of the next
 * one, copied by the server. failed: `writing` has a failure, which stays; every later call returns it.
 * inherited: it is another process that `writing` has.
 *
 * A part moves one way: filling -> in flight (the list from oldest to newest) -> listed, in `tags`.
 * Parts are taken from the list in the order of their numbers, so `tags` is sorted. At most `parallel`
 * parts and parallel * part_bytes bytes are in flight, or fewer parts as the service says; a single part may
 * exceed that. Where the service takes one part at a time, `filling` counts, too: it grows beyond part_bytes until
 * the one in flight is done or both have so many bytes. Where the service has a granule, the last bytes stay in
 * `filling`, and go to complete: those behind the last granule after a stage, else all that were not sent yet.
 *
 * Threads: one thread at a time calls these functions. While a part is in flight its thread owns the
 * part's bytes, tag and status, until store_part_wait joins it. Part threads read `parts` and `base`,
 * which change only while no part is in flight. So there is no lock. `ends` becomes true once: then the
 * parts in flight end early, and the upload has failed.
 *
 * Who frees: the upload owns its parts; store_upload_free joins their threads, aborts what the server
 * keeps and frees the rest. Fork: threads and the server's upload are the parent's. In a child calls
 * fail, and free releases memory alone: it joins no thread and sends no request. */
#include "upload.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../objects/error.h"
#include "../objects/filesystem.h"
#include "part.h"
#include "place.h"
#include "writing.h"

struct store_upload {
  store_writing writing; /* first */
  const TF_Filesystem *filesystem;
  objects_name name;
  objects_condition condition;
  objects_attributes attributes;
  uint64_t length;
  bool is_published; /* all `length` bytes */
  objects_own own;   /* of the object that is appended to; base.own is this then */
  objects_base base;
  objects_multipart parts;
  int count;     /* parts that were started */
  uint64_t sent; /* bytes of the object before the next part */
  store_part *filling;
  store_part *spare;  /* a finished one, kept for its memory */
  store_part *oldest; /* in flight */
  store_part *newest;
  int in_flight;
  size_t bytes_in_flight;
  objects_texts tags; /* of the finished parts */
  atomic_bool ends;   /* the parts in flight: the call is to end, or nobody needs them */
};

store_upload *store_upload_new(const TF_Filesystem *filesystem, const objects_name *name,
                               const objects_condition *condition, TF_Status *status) {
  store_upload *self = store_writing_new(sizeof *self, status);
  if (!self) return NULL;
  self->filesystem = filesystem;
  self->name = *name;
  self->condition = *condition;
  self->parts = (objects_multipart){.filesystem = filesystem,
                                    .service = objects_service_of(filesystem),
                                    .base = &self->base,
                                    .name = &self->name,
                                    .condition = &self->condition,
                                    .attributes = &self->attributes};
  return self;
}

void store_upload_take_own(store_upload *self, objects_own *own) {
  self->own = *own;
  *own = (objects_own){0};
  self->base.own = self->own.text ? &self->own : NULL;
}

void store_upload_set_base(store_upload *self, const char *tag, uint64_t length) {
  self->base = (objects_base){
      .name = self->name, .length = length, .own = self->own.text ? &self->own : NULL};
  snprintf(self->base.tag, sizeof self->base.tag, "%s", tag);
  self->length = length;
  self->is_published = true;
}

void store_upload_set_source(store_upload *self, const objects_name *source,
                             const objects_object *object) {
  store_upload_set_base(self, object->tag, object->length);
  self->base.name = *source;
  self->is_published = false;
}

bool store_upload_set_attributes(store_upload *self, const objects_attributes *attributes) {
  objects_attributes_merge(&self->attributes, attributes);
  return !self->is_published && !self->parts.state;
}

bool store_upload_is_inherited(const store_upload *self) {
  return store_writing_is_inherited(&self->writing);
}

uint64_t store_upload_length(const store_upload *self) {
  return self->length;
}

bool store_upload_is_published(const store_upload *self) {
  return self->is_published;
}

void store_upload_set_published(store_upload *self) {
  self->is_published = true;
}

/* Parts in flight -------------------------------------------------------------------------- */

/* Joins the oldest part in flight and lists it; after a failure parts are only joined. */
static void take_oldest(store_upload *self) {
  store_part *part = self->oldest;
  store_part_wait(part);
  self->oldest = part->next;
  if (!self->oldest) self->newest = NULL;
  self->in_flight--;
  self->bytes_in_flight -= part->room;
  if (atomic_load(&self->ends) && store_writing_is_good(&self->writing))
    TF_SetStatus(self->writing.failure, TF_CANCELLED, "interrupted");
  if (store_writing_is_good(&self->writing)) {
    if (TF_GetCode(part->status) != TF_OK)
      TF_SetStatus(self->writing.failure, TF_GetCode(part->status), TF_Message(part->status));
    else if (!objects_texts_add(&self->tags, part->tag))
      fail_no_memory(self->writing.failure);
  }
  store_part_free(self->spare);
  self->spare = part;
}

static store_part *take_part(store_upload *self) {
  store_part *part = self->spare;
  self->spare = NULL;
  if (part) store_part_reset(part);
  return part ? part : store_part_new();
}

static bool wait_for_all(store_upload *self) {
  while (self->oldest)
    take_oldest(self);
  return store_writing_is_good(&self->writing);
}

static uint64_t most_in_memory(const store_upload *self) {
  return (uint64_t)(remote_number(self->filesystem, OBJECTS_PARALLEL) *
                    remote_number(self->filesystem, OBJECTS_PART_BYTES));
}

static bool wait_for_room(store_upload *self, size_t bytes) {
  int64_t parallel = remote_number(self->filesystem, OBJECTS_PARALLEL);
  int64_t limit = self->parts.service->most_in_flight;
  size_t most = (size_t)most_in_memory(self);
  if (limit == 0 || limit > parallel) limit = parallel;
  while (self->oldest && (self->in_flight >= limit || self->bytes_in_flight + bytes > most))
    take_oldest(self);
  return store_writing_is_good(&self->writing);
}

static void fail_many(store_upload *self) {
  char text[80];
  snprintf(text, sizeof text, "the object exceeds %d parts; increase option part_bytes",
           self->parts.service->most_parts);
  TF_SetStatus(self->writing.failure, TF_RESOURCE_EXHAUSTED, text);
}

/* Starts a part of that many bytes, after others have made room. Takes the part over, also on failure. */
static bool send_part(store_upload *self, store_part *part, uint64_t bytes) {
  if (self->count == self->parts.service->most_parts) fail_many(self);
  if (!wait_for_room(self, part->room)) {
    store_part_free(part);
    return false;
  }
  part->upload = &self->parts;
  part->ends = &self->ends;
  part->place = (objects_place){.number = ++self->count, .offset = self->sent};
  self->sent += bytes;
  *(self->newest ? &self->newest->next : &self->oldest) = part;
  self->newest = part;
  self->in_flight++;
  self->bytes_in_flight += part->room;
  store_part_start(part);
  return true;
}

/* What goes into parts ---------------------------------------------------------------------- */

/* Part size doubles after half of the parts that a service takes, and with each twentieth more, so that they are
 * enough for the largest object. */
static uint64_t part_size(const store_upload *self) {
  const objects_service *service = self->parts.service;
  uint64_t size = (uint64_t)remote_number(self->filesystem, OBJECTS_PART_BYTES);
  if (size < service->granule) size = service->granule;
  for (int i = service->most_parts / 2; i <= self->count && size < service->most_part;
       i += service->most_parts / 20)
    size *= 2;
  if (size > service->most_part) size = service->most_part;
  return size - size % service->granule;
}

/* Where parts go one after the other, the next one grows while the one before is on its way, as far as memory
 * allows: fewer and larger requests. */
static uint64_t most_filling(const store_upload *self) {
  const objects_service *service = self->parts.service;
  uint64_t size = part_size(self), most = most_in_memory(self);
  bool waits = service->most_in_flight == 1 && self->oldest && !atomic_load(&self->oldest->is_sent);
  if (!waits || self->bytes_in_flight + size >= most) return size;
  uint64_t left = most - self->bytes_in_flight;
  if (left > service->most_part) left = service->most_part;
  return left - left % service->granule;
}

static bool copy_piece(store_upload *self, uint64_t first, uint64_t last) {
  store_part *part = store_part_new();
  if (!part) return fail_no_memory(self->writing.failure);
  part->piece = (objects_piece){
      .name = &self->base.name, .tag = self->base.tag, .first = first, .last = last};
  return send_part(self, part, last - first + 1);
}

/* Equal pieces: the server refuses small parts, except for the last one. At least half of the parts are left for
 * what is appended. */
static bool copy_base(store_upload *self) {
  const objects_service *service = self->parts.service;
  uint64_t length = self->base.length, most = service->most_copied;
  if (most == 0) most = (uint64_t)remote_number(self->filesystem, OBJECTS_COPY_BYTES);
  uint64_t pieces = service->copy_part ? (length + most - 1) / most : 0;
  uint64_t limit = (uint64_t)service->most_parts / 2;
  if (pieces > limit) pieces = limit;
  for (uint64_t i = 0; i < pieces; i++)
    if (!copy_piece(self, length / pieces * i,
                    i + 1 < pieces ? length / pieces * (i + 1) - 1 : length - 1))
      return false;
  self->sent = length;
  return true;
}

static bool begin(store_upload *self) {
  if (self->parts.state) return true;
  self->sent = 0;
  return self->parts.service->begin(&self->parts, self->writing.failure) && copy_base(self);
}

static bool send_filling(store_upload *self) {
  store_part *part = self->filling;
  self->filling = NULL;
  if (begin(self)) return send_part(self, part, part->length);
  store_part_free(part);
  return false;
}

/* Moves the bytes behind the last granule to a part of their own, which is filling then. */
static bool send_granules(store_upload *self) {
  store_part *whole = self->filling;
  size_t rest = whole->length % (size_t)self->parts.service->granule;
  if (rest == whole->length) return true;
  if (rest == 0) return send_filling(self);
  store_part *tail = take_part(self);
  if (!tail || store_part_fill(tail, whole->bytes + whole->length - rest, rest, rest) < rest) {
    store_part_free(tail);
    return fail_no_memory(self->writing.failure);
  }
  whole->length -= rest;
  bool good = send_filling(self);
  self->filling = tail;
  return good;
}

static bool append(store_upload *self, const char *bytes, size_t n) {
  while (n > 0) {
    size_t most = (size_t)most_filling(self);
    if (self->filling && self->filling->length >= most && !send_granules(self)) return false;
    if (!self->filling) self->filling = take_part(self);
    size_t taken = self->filling ? store_part_fill(self->filling, bytes, n, most) : 0;
    if (taken == 0) return fail_no_memory(self->writing.failure);
    self->length += taken;
    self->is_published = false;
    bytes += taken;
    n -= taken;
  }
  return true;
}

bool store_upload_append(store_upload *self, const char *bytes, size_t n, TF_Status *status) {
  if (!store_writing_may_go_on(&self->writing, status)) return false;
  return append(self, bytes, n) || store_writing_may_go_on(&self->writing, status);
}

bool store_upload_flush(store_upload *self, TF_Status *status) {
  if (!store_writing_may_go_on(&self->writing, status)) return false;
  return wait_for_all(self) || store_writing_may_go_on(&self->writing, status);
}

static bool stage(store_upload *self) {
  bool more = self->filling && self->filling->length > 0;
  return begin(self) && (!more || send_granules(self)) && wait_for_all(self);
}

bool store_upload_stage(store_upload *self, TF_Status *status) {
  if (!store_writing_may_go_on(&self->writing, status)) return false;
  return stage(self) || store_writing_may_go_on(&self->writing, status);
}

/* The end ----------------------------------------------------------------------------------- */

static bool put_whole(store_upload *self) {
  const store_part *all = self->filling;
  char tag[OBJECTS_TAG_SIZE];
  const objects_new_object object = {.name = &self->name,
                                     .content = {all ? all->bytes : "", all ? all->length : 0},
                                     .condition = self->condition,
                                     .attributes = self->attributes,
                                     .own = self->base.own};
  if (!self->parts.service->put(self->filesystem, &object, tag, self->writing.failure))
    return false;
  self->condition = (objects_condition){0};
  return true;
}

/* Not every server checks the condition of a complete, so it is checked here as well. */
static bool may_complete(const store_upload *self) {
  return !self->condition.if_absent || self->parts.service->completes_if ||
         store_place_is_absent(self->filesystem, &self->name, self->writing.failure);
}

static void end_parts(store_upload *self) {
  self->parts.service->end(&self->parts);
  self->count = 0;
  self->tags.length = 0;
}

/* Where complete takes what is behind the parts, the last part goes with it: that is a request less. */
static bool send_all_but_tail(store_upload *self) {
  if (self->parts.service->granule > 1) return begin(self) && wait_for_all(self);
  return stage(self);
}

static bool complete(store_upload *self) {
  char tag[OBJECTS_TAG_SIZE];
  if (!send_all_but_tail(self) || !may_complete(self)) return false;
  store_part *tail = self->filling;
  const objects_completion completion = {
      .count = self->count,
      .tags = self->tags.bytes,
      .tail = {tail && tail->bytes ? tail->bytes : "", tail ? tail->length : 0},
      .length = self->length};
  if (!self->parts.service->complete(&self->parts, &completion, tag, self->writing.failure))
    return false;
  end_parts(self);
  if (tail) store_part_reset(tail);
  store_upload_set_base(self, tag, self->length);
  self->condition = (objects_condition){0};
  return true;
}

bool store_upload_publish(store_upload *self, TF_Status *status) {
  if (!store_writing_may_go_on(&self->writing, status)) return false;
  if (self->is_published) return true;
  self->is_published =
      self->parts.state || self->base.length > 0 ? complete(self) : put_whole(self);
  return self->is_published || store_writing_may_go_on(&self->writing, status);
}

void store_upload_free(store_upload *self) {
  if (!self) return;
  if (!store_upload_is_inherited(self)) {
    atomic_store(&self->ends, true);
    wait_for_all(self);
    if (self->parts.state) self->parts.service->abort(&self->parts);
  }
  if (self->parts.state) self->parts.service->end(&self->parts);
  while (self->oldest) {
    store_part *next = self->oldest->next;
    store_part_free(self->oldest);
    self->oldest = next;
  }
  store_part_free(self->filling);
  store_part_free(self->spare);
  free(self->tags.bytes);
  objects_own_end(&self->own);
  store_writing_free(&self->writing);
}
