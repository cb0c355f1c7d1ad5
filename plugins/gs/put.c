/* Writing an object with one request: a body of two parts, its metadata and its content.
 *
 * The content is not copied: `read` supplies the text before it, it and the text behind it, one after the
 * other. The boundary is random, so that no content contains it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../common/remote/format.h"
#include "../s3/hash.h"
#include "condition.h"
#include "document.h"
#include "metadata.h"
#include "request.h"
#include "service.h"

enum { BOUNDARY_SIZE = 40, PIECES = 3, MOST_QUERY = 8 };

/* The body, as a source. */
typedef struct body {
  char boundary[BOUNDARY_SIZE];
  objects_content pieces[PIECES];
  char *before, *behind; /* the first piece and the last */
  int piece;
  size_t at;
} body;

static size_t body_read(void *state, char *buffer, size_t n) {
  body *self = state;
  while (self->piece < PIECES && self->at == self->pieces[self->piece].length) {
    self->piece++;
    self->at = 0;
  }
  if (self->piece == PIECES) return 0;
  const objects_content *piece = &self->pieces[self->piece];
  size_t left = piece->length - self->at, taken = n < left ? n : left;
  memcpy(buffer, piece->bytes + self->at, taken);
  self->at += taken;
  return taken;
}

static bool body_rewind(void *state) {
  body *self = state;
  self->piece = 0;
  self->at = 0;
  return true;
}

static bool make_boundary(char boundary[BOUNDARY_SIZE]) {
  uint64_t random[2];
  if (getrandom(random, sizeof random, 0) != sizeof random) return false;
  snprintf(boundary, BOUNDARY_SIZE, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
  return true;
}

/* The server refuses a type of the content that is not that of the metadata. */
static bool body_init(body *self, const char *metadata, const objects_content *content) {
  *self = (body){.piece = 0};
  json_value *resource = metadata ? json_parse(metadata, strlen(metadata)) : NULL;
  if (!resource || !make_boundary(self->boundary)) {
    json_free(resource);
    return false;
  }
  const char *type = json_member_text(resource, "contentType");
  self->before = remote_format("--%s\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n%s\r\n"
                               "--%s\r\nContent-Type: %s\r\n\r\n",
                               self->boundary, metadata, self->boundary,
                               type ? type : "application/octet-stream");
  json_free(resource);
  self->behind = remote_format("\r\n--%s--\r\n", self->boundary);
  if (!self->before || !self->behind) return false;
  self->pieces[0] = (objects_content){self->before, strlen(self->before)};
  self->pieces[1] = *content;
  self->pieces[2] = (objects_content){self->behind, strlen(self->behind)};
  return true;
}

static void body_fini(body *self) {
  free(self->before);
  free(self->behind);
}

/* Whether the object has this content, so that an earlier attempt wrote it, and its response was lost. */
static bool is_written(const TF_Filesystem *filesystem, const objects_new_object *object,
                       char tag[OBJECTS_TAG_SIZE]) {
  char md5[S3_MD5_BASE64_SIZE], expected[S3_MD5_BASE64_SIZE + 16];
  objects_object found;
  objects_own own = {0};
  TF_Status *status = TF_NewStatus();
  bool same = status && s3_hash_md5(object->content.bytes, object->content.length, md5) &&
              gs_head(filesystem, object->name, &found, &own, status);
  if (same) {
    snprintf(expected, sizeof expected, "\"md5Hash\":\"%s\"", md5);
    same = strstr(own.text, expected) != NULL;
  }
  if (same) memcpy(tag, found.tag, OBJECTS_TAG_SIZE);
  objects_own_end(&own);
  TF_DeleteStatus(status);
  return same;
}

static bool check(const json_value *resource, const objects_new_object *object,
                  char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  objects_object made;
  bool good = gs_document_object(resource, &made) && made.length == object->content.length;
  if (good)
    memcpy(tag, made.tag, OBJECTS_TAG_SIZE);
  else
    objects_fail(status, TF_DATA_LOSS, (objects_action){"objects.insert", object->name},
                 "the response has no generation, or another size than was sent");
  return good;
}

static bool put(const TF_Filesystem *filesystem, const objects_new_object *object,
                gs_request *request, char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  gs_answer answer;
  json_value *resource = NULL;
  bool good = gs_request_document(filesystem, request, &answer, &resource, status);
  if (good) {
    good = check(resource, object, tag, status);
  } else if (answer.head.status == 412) {
    good = answer.head.attempts > 1 && is_written(filesystem, object, tag);
    TF_SetStatus(status, TF_OK, "");
    if (!good)
      objects_condition_fail(&object->condition, (objects_action){request->operation, object->name},
                             status);
  }
  json_free(resource);
  gs_answer_end(&answer);
  return good;
}

bool gs_put(const TF_Filesystem *filesystem, const objects_new_object *object,
            char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  char type[128];
  const char *key = remote_text(filesystem, S3_ENCRYPTION_KEY);
  char *metadata = gs_metadata_new(filesystem, object->name, &object->attributes, object->own);
  body made;
  bool good = body_init(&made, metadata, &object->content);
  const net_source source = {.length = made.pieces[0].length + made.pieces[1].length +
                                       made.pieces[2].length,
                             .read = body_read,
                             .rewind = body_rewind,
                             .state = &made};
  s3_pair query[MOST_QUERY] = {
      {"uploadType", "multipart"}, {"name", object->name->key}, {"fields", "generation,size"}};
  int count = 3;
  if (*key) query[count++] = (s3_pair){"kmsKeyName", key};
  query[count] = gs_condition_pair(&object->condition);
  const char *const headers[] = {type, NULL};
  snprintf(type, sizeof type, "Content-Type: multipart/related; boundary=%s", made.boundary);
  gs_request request = {"objects.insert",      "POST",         object->name,
                        .place = GS_AT_UPLOAD, .query = query, .headers = headers,
                        .source = &source};
  if (good)
    good = put(filesystem, object, &request, tag, status);
  else
    fail_no_memory(status);
  body_fini(&made);
  free(metadata);
  return good;
}
