/* An upload: one PUT for a small object, a multipart upload for a larger one.
 *
 * States. small: all bytes are in `filling`, the server knows nothing (parts.id is NULL). multipart:
 * parts.id is set; a part is filling, in flight, or listed. published: the object at the server has
 * all of `length` bytes. Later appends make it unpublished again: after one PUT the bytes are still in
 * `filling` and are all sent again, after a multipart upload the object becomes the base of the next
 * one, copied by the server. failed: `failure` is set and stays; every later call returns it.
 * inherited: `pid` is not this process.
 *
 * A part moves one way: filling -> in flight (the list from oldest to newest) -> listed, in `list`.
 * Parts are taken from the list in the order of their numbers, so `list` is sorted. At most `parallel`
 * parts and parallel * part_bytes bytes are in flight; a single part may exceed that.
 *
 * Threads: one thread at a time calls these functions. While a part is in flight its thread owns the
 * part's bytes, tag and status, until s3_part_wait joins it. Part threads read `parts` and `base`,
 * which change only while no part is in flight. So there is no lock. `ends` becomes true once: then the
 * parts in flight end early, and the upload has failed.
 *
 * Who frees: the upload owns its parts; s3_upload_free joins their threads, aborts what the server
 * keeps and frees the rest. Fork: threads and the server's upload are the parent's. In a child calls
 * fail, and free releases memory alone: it joins no thread and sends no request. */
#include "upload.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "filesystem.h"
#include "part.h"
#include "place.h"

/* Part size doubles after 5000 parts and with each 500 more, so that 10,000 parts are enough for the
 * largest object. */
enum { PARTS_OF_ONE_SIZE = 5000, PARTS_TO_DOUBLE = 500 };
static const uint64_t most_part = 4ULL << 30;

struct s3_upload {
  const TF_Filesystem *filesystem;
  s3_name name;
  s3_condition condition;
  s3_attributes attributes;
  pid_t pid;
  uint64_t length;
  bool is_published; /* all `length` bytes */
  s3_name base;
  const net_answer *own;
  char base_tag[S3_TAG_SIZE];
  uint64_t base_length; /* bytes of the object to start with; 0: none */
  s3_multipart parts;
  int count;
  s3_part *filling;
  s3_part *spare;  /* a finished one, kept for its memory */
  s3_part *oldest; /* in flight */
  s3_part *newest;
  int in_flight;
  size_t bytes_in_flight;
  char *list; /* "<Part>...</Part>" of the finished parts */
  size_t list_length;
  size_t list_room;
  atomic_bool ends;   /* the parts in flight: the call is to end, or nobody needs them */
  TF_Status *failure; /* the first one; it stays */
};

s3_upload *s3_upload_new(const TF_Filesystem *filesystem, const s3_name *name,
                         const s3_condition *condition, TF_Status *status) {
  s3_upload *self = calloc(1, sizeof *self);
  if (self) self->failure = TF_NewStatus();
  if (!self || !self->failure) {
    free(self);
    s3_no_memory(status);
    return NULL;
  }
  self->filesystem = filesystem;
  self->name = *name;
  self->condition = *condition;
  self->pid = getpid();
  self->parts = (s3_multipart){.filesystem = filesystem,
                               .name = &self->name,
                               .condition = &self->condition,
                               .attributes = &self->attributes};
  return self;
}

void s3_upload_set_base(s3_upload *self, const char *tag, uint64_t length) {
  snprintf(self->base_tag, sizeof self->base_tag, "%s", tag);
  self->base = self->name;
  self->own = NULL;
  self->base_length = self->length = length;
  self->is_published = true;
}

void s3_upload_set_source(s3_upload *self, const s3_name *source, const s3_object *object,
                          const net_answer *own) {
  s3_upload_set_base(self, object->tag, object->length);
  self->base = *source;
  self->own = own;
  self->is_published = false;
}

bool s3_upload_set_attributes(s3_upload *self, const s3_attributes *attributes) {
  s3_attributes_merge(&self->attributes, attributes);
  return !self->is_published && !self->parts.id;
}

bool s3_upload_is_inherited(const s3_upload *self) {
  return self->pid != getpid();
}

uint64_t s3_upload_length(const s3_upload *self) {
  return self->length;
}

bool s3_upload_is_published(const s3_upload *self) {
  return self->is_published;
}

void s3_upload_set_published(s3_upload *self) {
  self->is_published = true;
}

static bool fail_no_memory(s3_upload *self) {
  s3_no_memory(self->failure);
  return false;
}

/* Whether the upload can continue; if not, status says why. */
static bool is_sound(const s3_upload *self, TF_Status *status) {
  if (s3_upload_is_inherited(self))
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the file was opened before a fork; open it again in this process");
  else if (TF_GetCode(self->failure) != TF_OK)
    TF_SetStatus(status, TF_GetCode(self->failure), TF_Message(self->failure));
  else
    return true;
  return false;
}

/* Parts in flight -------------------------------------------------------------------------- */

static bool list_part(s3_upload *self, const s3_part *part) {
  enum { MOST_LINE = S3_TAG_SIZE + 80 };
  if (self->list_room - self->list_length < MOST_LINE) {
    size_t room = 2 * self->list_room + 4096;
    char *list = realloc(self->list, room);
    if (!list) return fail_no_memory(self);
    self->list = list;
    self->list_room = room;
  }
  int n =
      snprintf(self->list + self->list_length, MOST_LINE,
               "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>", part->number, part->tag);
  self->list_length += (size_t)n;
  return true;
}

/* Joins the oldest part in flight and lists it; after a failure parts are only joined. */
static void take_oldest(s3_upload *self) {
  s3_part *part = self->oldest;
  s3_part_wait(part);
  self->oldest = part->next;
  if (!self->oldest) self->newest = NULL;
  self->in_flight--;
  self->bytes_in_flight -= part->room;
  if (atomic_load(&self->ends) && TF_GetCode(self->failure) == TF_OK)
    TF_SetStatus(self->failure, TF_CANCELLED, "interrupted");
  if (TF_GetCode(self->failure) == TF_OK) {
    if (TF_GetCode(part->status) != TF_OK)
      TF_SetStatus(self->failure, TF_GetCode(part->status), TF_Message(part->status));
    else
      list_part(self, part);
  }
  s3_part_free(self->spare);
  self->spare = part;
}

static s3_part *take_part(s3_upload *self) {
  s3_part *part = self->spare;
  self->spare = NULL;
  if (part) s3_part_reset(part);
  return part ? part : s3_part_new();
}

static bool wait_for_all(s3_upload *self) {
  while (self->oldest)
    take_oldest(self);
  return TF_GetCode(self->failure) == TF_OK;
}

static bool wait_for_room(s3_upload *self, size_t bytes) {
  int64_t parallel = remote_number(self->filesystem, S3_PARALLEL);
  size_t most = (size_t)(parallel * remote_number(self->filesystem, S3_PART_BYTES));
  while (self->oldest && (self->in_flight >= parallel || self->bytes_in_flight + bytes > most))
    take_oldest(self);
  return TF_GetCode(self->failure) == TF_OK;
}

/* Starts a part, after others have made room. Takes the part over, also on failure. */
static bool send_part(s3_upload *self, s3_part *part) {
  if (self->count == S3_MOST_PARTS)
    TF_SetStatus(self->failure, TF_RESOURCE_EXHAUSTED,
                 "the object exceeds 10,000 parts; increase option part_bytes");
  if (!wait_for_room(self, part->room)) {
    s3_part_free(part);
    return false;
  }
  part->upload = &self->parts;
  part->ends = &self->ends;
  part->number = ++self->count;
  *(self->newest ? &self->newest->next : &self->oldest) = part;
  self->newest = part;
  self->in_flight++;
  self->bytes_in_flight += part->room;
  s3_part_start(part);
  return true;
}

/* What goes into parts ---------------------------------------------------------------------- */

static uint64_t part_size(const s3_upload *self) {
  uint64_t size = (uint64_t)remote_number(self->filesystem, S3_PART_BYTES);
  for (int i = PARTS_OF_ONE_SIZE; i <= self->count && size < most_part; i += PARTS_TO_DOUBLE)
    size *= 2;
  return size;
}

static bool copy_piece(s3_upload *self, uint64_t first, uint64_t last) {
  s3_part *part = s3_part_new();
  if (!part) return fail_no_memory(self);
  part->piece =
      (s3_piece){.name = &self->base, .tag = self->base_tag, .first = first, .last = last};
  return send_part(self, part);
}

/* Equal pieces: the server refuses small parts, except for the last one. */
static bool copy_base(s3_upload *self) {
  uint64_t length = self->base_length,
           most = (uint64_t)remote_number(self->filesystem, S3_COPY_BYTES);
  uint64_t pieces = (length + most - 1) / most;
  for (uint64_t i = 0; i < pieces; i++)
    if (!copy_piece(self, length / pieces * i,
                    i + 1 < pieces ? length / pieces * (i + 1) - 1 : length - 1))
      return false;
  return true;
}

static bool begin(s3_upload *self) {
  if (self->parts.id) return true;
  return s3_multipart_begin(&self->parts, self->own, self->failure) && copy_base(self);
}

static bool send_filling(s3_upload *self) {
  s3_part *part = self->filling ? self->filling : s3_part_new();
  self->filling = NULL;
  if (!part) return fail_no_memory(self);
  if (begin(self)) return send_part(self, part);
  s3_part_free(part);
  return false;
}

static bool append(s3_upload *self, const char *bytes, size_t n) {
  while (n > 0) {
    size_t most = (size_t)part_size(self);
    if (self->filling && self->filling->length >= most && !send_filling(self)) return false;
    if (!self->filling) self->filling = take_part(self);
    size_t taken = self->filling ? s3_part_fill(self->filling, bytes, n, most) : 0;
    if (taken == 0) return fail_no_memory(self);
    self->length += taken;
    self->is_published = false;
    bytes += taken;
    n -= taken;
  }
  return true;
}

bool s3_upload_append(s3_upload *self, const char *bytes, size_t n, TF_Status *status) {
  if (!is_sound(self, status)) return false;
  return append(self, bytes, n) || is_sound(self, status);
}

bool s3_upload_flush(s3_upload *self, TF_Status *status) {
  if (!is_sound(self, status)) return false;
  return wait_for_all(self) || is_sound(self, status);
}

static bool stage(s3_upload *self) {
  bool more = self->filling && self->filling->length > 0;
  if (!begin(self)) return false;
  if ((more || self->count == 0) && !send_filling(self)) return false;
  return wait_for_all(self);
}

bool s3_upload_stage(s3_upload *self, TF_Status *status) {
  if (!is_sound(self, status)) return false;
  return stage(self) || is_sound(self, status);
}

/* The end ----------------------------------------------------------------------------------- */

static bool put_whole(s3_upload *self) {
  const s3_part *all = self->filling;
  char tag[S3_TAG_SIZE];
  const s3_new_object object = {.name = &self->name,
                                .content = {all ? all->bytes : "", all ? all->length : 0},
                                .condition = self->condition,
                                .attributes = self->attributes};
  if (!s3_object_put(self->filesystem, &object, tag, self->failure)) return false;
  self->condition = (s3_condition){0};
  return true;
}

/* Not every server checks the condition of CompleteMultipartUpload, so it is checked here as well. */
static bool may_complete(const s3_upload *self) {
  return !self->condition.if_absent ||
         s3_place_is_absent(self->filesystem, &self->name, self->failure);
}

static bool complete(s3_upload *self) {
  char tag[S3_TAG_SIZE];
  if (!stage(self) || !may_complete(self) ||
      !s3_multipart_complete(&self->parts, self->list, tag, self->failure))
    return false;
  s3_upload_set_base(self, tag, self->length);
  self->condition = (s3_condition){0};
  self->count = 0;
  self->list_length = 0;
  return true;
}

bool s3_upload_publish(s3_upload *self, TF_Status *status) {
  if (!is_sound(self, status)) return false;
  if (self->is_published) return true;
  self->is_published = self->parts.id || self->base_length > 0 ? complete(self) : put_whole(self);
  return self->is_published || is_sound(self, status);
}

void s3_upload_free(s3_upload *self) {
  if (!self) return;
  if (!s3_upload_is_inherited(self)) {
    atomic_store(&self->ends, true);
    wait_for_all(self);
    s3_multipart_abort(&self->parts);
  }
  while (self->oldest) {
    s3_part *next = self->oldest->next;
    s3_part_free(self->oldest);
    self->oldest = next;
  }
  s3_part_free(self->filling);
  s3_part_free(self->spare);
  TF_DeleteStatus(self->failure);
  free(self->parts.id);
  free(self->list);
  free(self);
}
