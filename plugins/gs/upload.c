/* Uploads in parts: one session, and for an object that grows a composition at its end.
 *
 * Without a base the session makes the object itself. With one it makes a temporary object beside it, as there
 * is no other way to append at the server: complete composes base and temporary object under the upload's
 * condition, and deletes the temporary one. Until then readers see the old object, and listings may show the
 * temporary one, whose name begins with ".modfs-". One that was killed in between leaves it.
 *
 * States: `path` is the session; NULL once it is complete. `part` is the generation of the temporary object,
 * "" while there is none; so a complete that failed after that goes on with the composition, and abort knows
 * what to discard.
 *
 * Threads: one at a time, as parts go in order (most_in_flight). Who frees: gs_end, without a request. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../common/objects/content_type.h"
#include "condition.h"
#include "document.h"
#include "metadata.h"
#include "request.h"
#include "service.h"
#include "session.h"

typedef struct upload {
  char *path;
  objects_name name; /* that the session makes */
  bool composes;
  char part[OBJECTS_TAG_SIZE];
} upload;

/* Beside the object, where who may write that may write it, too. */
static bool name_temporary(objects_name *name) {
  uint64_t random = 0;
  char *slash = strrchr(name->key, '/');
  size_t n = slash ? (size_t)(slash + 1 - name->key) : 0;
  if (getrandom(&random, sizeof random, 0) != sizeof random) return false;
  if (n + 24 > OBJECTS_MOST_KEY) n = 0;
  snprintf(name->key + n, sizeof name->key - n, ".modfs-%016llx", (unsigned long long)random);
  return true;
}

static upload *upload_new(const objects_multipart *from) {
  upload *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->name = *from->name;
  self->composes = from->base->length > 0;
  if (!self->composes || name_temporary(&self->name)) return self;
  free(self);
  return NULL;
}

/* Where the metadata tells the type of another object, the server refuses a second one. */
static const char *type_of(const objects_multipart *from, const upload *self) {
  return from->base->own && !self->composes ? ""
                                            : objects_content_type(from->filesystem, from->name);
}

bool gs_begin(objects_multipart *from, TF_Status *status) {
  static const objects_condition none = {0};
  upload *self = upload_new(from);
  char *metadata = NULL;
  if (self && self->composes)
    metadata = strdup("{}");
  else if (self)
    metadata = gs_metadata_new(from->filesystem, from->name, from->attributes, from->base->own);
  if (metadata) {
    const gs_new_session wanted = {.name = &self->name,
                                   .metadata = metadata,
                                   .type = type_of(from, self),
                                   .condition = self->composes ? none : *from->condition};
    self->path = gs_session_open(from->filesystem, &wanted, status);
  } else {
    fail_no_memory(status);
  }
  free(metadata);
  if (self && self->path)
    from->state = self;
  else
    free(self);
  return from->state != NULL;
}

bool gs_put_part(const objects_multipart *from, const objects_place *place,
                 const objects_content *content, char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  const upload *self = from->state;
  json_value *none = NULL;
  int refused = 0;
  const gs_chunk chunk = {.name = from->name,
                          .path = self->path,
                          .from = place->offset - from->base->length,
                          .content = *content};
  *tag = '\0';
  return gs_session_send(from->filesystem, &chunk, &none, &refused, status);
}

/* The end of the session ---------------------------------------------------------------------- */

/* tag: receives the generation of what the session makes. */
static bool finish(const objects_multipart *from, upload *self,
                   const objects_completion *completion, char tag[OBJECTS_TAG_SIZE],
                   TF_Status *status) {
  json_value *resource = NULL;
  int refused = 0;
  objects_object made;
  const uint64_t length = completion->length - from->base->length;
  const gs_chunk chunk = {.name = from->name,
                          .path = self->path,
                          .from = length - completion->tail.length,
                          .content = completion->tail,
                          .is_last = true};
  bool good = gs_session_send(from->filesystem, &chunk, &resource, &refused, status);
  if (good) {
    gs_document_object(resource, &made);
    memcpy(tag, made.tag, OBJECTS_TAG_SIZE);
    gs_session_free(self->path);
    self->path = NULL;
  } else if (refused == 412 && !self->composes) {
    objects_condition_fail(from->condition, (objects_action){"objects.insert", from->name}, status);
  }
  json_free(resource);
  return good;
}

/* The composition ----------------------------------------------------------------------------- */

static bool add_source(json_value *sources, const char *key, const char *generation) {
  json_value *made = json_append_object(sources);
  return json_set_text(made, "name", key) && json_set_text(made, "generation", generation);
}

/* NULL without memory. Owns: the caller, free(). */
static char *make_composition(const objects_multipart *from, const upload *self) {
  const objects_base *base = from->base;
  char *metadata = gs_metadata_new(from->filesystem, from->name, from->attributes, base->own);
  json_value *made = json_new(), *sources = json_set_array(made, "sourceObjects");
  json_value *target = metadata ? json_parse(metadata, strlen(metadata)) : NULL;
  bool good = json_set(made, "destination", target) &&
              add_source(sources, base->name.key, base->tag) &&
              add_source(sources, self->name.key, self->part);
  char *text = good ? json_print(made) : NULL;
  json_free(made);
  free(metadata);
  return text;
}

static bool run_composition(const objects_multipart *from, const gs_request *request,
                            uint64_t length, char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  const objects_action action = {request->operation, from->name};
  gs_request sent = *request;
  gs_answer answer;
  json_value *resource = NULL;
  objects_object made;
  bool good = gs_request_document(from->filesystem, &sent, &answer, &resource, status);
  if (good) {
    good = gs_document_object(resource, &made) && made.length == length;
    if (good) memcpy(tag, made.tag, OBJECTS_TAG_SIZE);
    if (!good)
      objects_fail(status, TF_DATA_LOSS, action, "the response has no generation or another size");
  } else if (answer.head.status == 412 || answer.head.status == 404) {
    objects_condition_fail(from->condition, action, status);
  }
  json_free(resource);
  gs_answer_end(&answer);
  return good;
}

static bool compose(const objects_multipart *from, const upload *self, uint64_t length,
                    char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  static const char *const headers[] = {"Content-Type: application/json; charset=UTF-8", NULL};
  const char *key = remote_text(from->filesystem, S3_ENCRYPTION_KEY);
  char *body = make_composition(from, self);
  const net_source source = {.length = body ? strlen(body) : 0, .bytes = body};
  s3_pair query[3] = {{NULL, NULL}};
  int count = 0;
  if (*key) query[count++] = (s3_pair){"kmsKeyName", key};
  query[count] = gs_condition_pair(from->condition);
  const gs_request request = {
      "objects.compose",  "POST",         from->name,         .place = GS_AT_KEY,
      .more = "/compose", .query = query, .headers = headers, .source = &source};
  bool good = body && run_composition(from, &request, length, tag, status);
  if (!body) fail_no_memory(status);
  free(body);
  return good;
}

/* Deletes the temporary object. Failures are silent. */
static void drop_part(const objects_multipart *from, upload *self) {
  const s3_pair query[] = {{"generation", self->part}, {NULL, NULL}};
  const gs_request request = {"objects.delete",   "DELETE",       &self->name,
                              .place = GS_AT_KEY, .query = query, .cleans_up = true};
  gs_answer answer = {0};
  TF_Status *status = TF_NewStatus();
  if (status) gs_request_send(from->filesystem, &request, &answer, status);
  gs_answer_end(&answer);
  TF_DeleteStatus(status);
  self->part[0] = '\0';
}

bool gs_complete(objects_multipart *from, const objects_completion *completion,
                 char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  upload *self = from->state;
  char *made = self->composes ? self->part : tag;
  if (self->path && !finish(from, self, completion, made, status)) return false;
  if (!self->composes) return true;
  if (!compose(from, self, completion->length, tag, status)) return false;
  drop_part(from, self);
  return true;
}

void gs_abort(objects_multipart *from) {
  upload *self = from->state;
  if (self->path) gs_session_cancel(from->filesystem, from->name, self->path);
  if (self->part[0]) drop_part(from, self);
}

void gs_end(objects_multipart *from) {
  upload *self = from->state;
  if (self) gs_session_free(self->path);
  free(self);
  from->state = NULL;
}
