/* Copies at the server, and changes of metadata. A rewrite copies as much as the server does at once; the next
 * request goes on with its token, until it says that it is done. Each is repeatable: the same is written
 * again. */
#include "../common/remote/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "metadata.h"
#include "request.h"
#include "service.h"

enum { MOST_TOKEN = 4096, MOST_AGAIN = 5 };

/* One rewrite under way. */
typedef struct rewriting {
  const TF_Filesystem *filesystem;
  const objects_copying *copying;
  char *where; /* the target, behind the path of the source */
  bool done;
  char token[MOST_TOKEN]; /* "" at first */
} rewriting;

static bool fail(const rewriting *self, const char *why, TF_Status *status) {
  objects_fail(status, TF_DATA_LOSS, (objects_action){"objects.rewrite", self->copying->to}, "%s",
               why);
  return false;
}

/* What comes next: the same token again would never end. */
static bool take(rewriting *self, const json_value *document, TF_Status *status) {
  const char *token = json_member_text(document, "rewriteToken");
  if (!json_boolean(json_member(document, "done"), &self->done))
    return fail(self, "the response does not say whether the copy is done", status);
  if (self->done) return true;
  if (!token || !*token || strlen(token) >= sizeof self->token)
    return fail(self, "the copy is not done, and has no token to continue with", status);
  snprintf(self->token, sizeof self->token, "%s", token);
  return true;
}

static bool go_on(rewriting *self, TF_Status *status) {
  static const net_source nothing = {.bytes = ""};
  const char *match = self->copying->match;
  const char *key = remote_text(self->filesystem, S3_ENCRYPTION_KEY);
  s3_pair query[4];
  int count = 0;
  if (match) query[count++] = (s3_pair){"sourceGeneration", match};
  if (*key) query[count++] = (s3_pair){"destinationKmsKeyName", key};
  query[count++] = (s3_pair){*self->token ? "rewriteToken" : NULL, self->token};
  query[count] = (s3_pair){NULL, NULL};
  gs_request request = {
      "objects.rewrite",   "POST",         self->copying->from, .place = GS_AT_KEY,
      .more = self->where, .query = query, .source = &nothing};
  gs_answer answer;
  json_value *document = NULL;
  bool good = gs_request_document(self->filesystem, &request, &answer, &document, status);
  if (!good && match && (answer.head.status == 404 || answer.head.status == 412))
    objects_fail(status, TF_ABORTED, (objects_action){request.operation, self->copying->from},
                 "the object was replaced meanwhile; try again");
  good = good && take(self, document, status);
  json_free(document);
  gs_answer_end(&answer);
  return good;
}

bool gs_copy(const TF_Filesystem *filesystem, const objects_copying *copying, TF_Status *status) {
  char key[OBJECTS_ENCODED_SIZE];
  objects_name_encode(copying->to->key, false, key, sizeof key);
  rewriting self = {.filesystem = filesystem,
                    .copying = copying,
                    .where = remote_format("/rewriteTo/b/%s/o/%s", copying->to->bucket, key)};
  bool good = self.where != NULL;
  if (!good) fail_no_memory(status);
  while (good && !self.done)
    good = go_on(&self, status);
  free(self.where);
  return good;
}

/* Changes of metadata ------------------------------------------------------------------------- */

/* One request. *changed: the object, or its metadata, is no longer what own tells. */
static bool patch(const TF_Filesystem *filesystem, const objects_change *change, bool *changed,
                  TF_Status *status) {
  static const char *const headers[] = {"Content-Type: application/json; charset=UTF-8", NULL};
  char metageneration[32];
  gs_metadata_version(change->own, metageneration, sizeof metageneration);
  const s3_pair query[] = {{"ifGenerationMatch", change->object->tag},
                           {"fields", "generation"},
                           {*metageneration ? "ifMetagenerationMatch" : NULL, metageneration},
                           {NULL, NULL}};
  char *body = gs_metadata_change(change);
  const net_source source = {.length = body ? strlen(body) : 0, .bytes = body};
  const gs_request request = {"objects.patch",    "PATCH",        change->name,
                              .place = GS_AT_KEY, .query = query, .headers = headers,
                              .source = &source};
  gs_answer answer = {0};
  bool good = body && gs_request_run(filesystem, &request, &answer, status);
  if (!body) fail_no_memory(status);
  *changed = answer.head.status == 412 || answer.head.status == 404;
  if (*changed)
    objects_fail(status, TF_ABORTED, (objects_action){request.operation, change->name},
                 "the object was replaced meanwhile; try again");
  gs_answer_end(&answer);
  free(body);
  return good;
}

/* Metadata is sent as a whole, for the version of it that was found. Where that is another one, by another writer
 * or because the response to our own change was lost, it is found again, as long as the content is the same. */
bool gs_set_attributes(const TF_Filesystem *filesystem, const objects_change *change,
                       TF_Status *status) {
  objects_object object = *change->object;
  objects_own own = {0};
  objects_change now = *change;
  bool changed = false, good = patch(filesystem, &now, &changed, status);
  for (int i = 0; changed && i < MOST_AGAIN; i++) {
    objects_own_end(&own);
    TF_SetStatus(status, TF_OK, "");
    if (!gs_head(filesystem, change->name, &object, &own, status)) break;
    now.own = &own;
    if (strcmp(object.tag, change->object->tag) != 0) {
      objects_fail(status, TF_ABORTED, (objects_action){"objects.patch", change->name},
                   "the object was replaced meanwhile; try again");
      break;
    }
    good = patch(filesystem, &now, &changed, status);
  }
  objects_own_end(&own);
  return good;
}
