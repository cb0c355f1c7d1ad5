/* Deletes up to a thousand objects with one request. The response is quiet: it lists only what failed, so a key
 * that it does not name is deleted, and a response that cannot be read is a failure of all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/remote/format.h"
#include "../common/objects/send.h"
#include "hash.h"
#include "protocol.h"
#include "request.h"
#include "sign.h"
#include "../common/xml/xml.h"

enum { MOST_ANSWER = 4 << 20 };

/* The request's document --------------------------------------------------------------------- */

/* XML cannot represent most control characters, nor U+FFFE and U+FFFF. */
bool s3_batch_takes(const char *key) {
  for (const unsigned char *c = (const unsigned char *)key; *c; c++)
    if (*c < ' ' || *c == 0x7f || (c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe)) return false;
  return true;
}

static void write_escaped(FILE *out, const char *text) {
  for (; *text; text++)
    if (strchr("&<>", *text))
      fprintf(out, "&#%d;", *text);
    else
      fputc(*text, out);
}

/* NULL without memory. Owns: the caller, free(). */
static char *make_body(const objects_batch *batch, size_t *n) {
  char *body = NULL;
  const char *key = batch->keys.bytes;
  FILE *out = open_memstream(&body, n);
  if (!out) return NULL;
  fputs("<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet>", out);
  for (int i = 0; i < batch->count; i++, key += strlen(key) + 1) {
    fputs("<Object><Key>", out);
    write_escaped(out, key);
    fputs("</Key></Object>", out);
  }
  fputs("</Delete>", out);
  return remote_format_end(out, &body);
}

/* The response ------------------------------------------------------------------------------- */

typedef struct reading {
  const objects_batch *batch;
  bool has_entries;
  char code[64];
  char text[256];
} reading;

static void tell_first(reading *self) {
  s3_error error = {0};
  net_answer answer = {.status = 200, .attempts = 1};
  TF_Status *status = TF_NewStatus();
  snprintf(error.code, sizeof error.code, "%s", self->code);
  snprintf(error.message, sizeof error.message, "%s", self->text);
  if (strcmp(self->code, "AccessDenied") == 0) answer.status = 403;
  if (status) {
    s3_fail_answer(status, (objects_action){"DeleteObjects", self->batch->name}, &answer, &error);
    objects_batch_note(self->batch, status);
  }
  TF_DeleteStatus(status);
}

/* The response is quiet: where it holds nothing, only its root tells what it is. */
static bool on_element(void *state, const char *path, const char *text) {
  reading *self = state;
  const char *name = xml_below_root(path);
  bool is_entry = strncmp(name, "/Error", 6) == 0 || strncmp(name, "/Deleted", 8) == 0;
  if (strcmp(name, "/Error/Key") == 0) objects_batch_left(self->batch, text, NULL);
  if (strcmp(name, "/Error/Code") == 0) snprintf(self->code, sizeof self->code, "%s", text);
  if (strcmp(name, "/Error/Message") == 0) snprintf(self->text, sizeof self->text, "%s", text);
  if (strcmp(name, "/Error") == 0) tell_first(self);
  self->has_entries = self->has_entries || is_entry;
  return *name ? is_entry : self->has_entries || strncmp(path, "/Delete", 7) == 0;
}

/* The request -------------------------------------------------------------------------------- */

static bool is_unknown(const s3_answer *answer) {
  int status = answer->head.status;
  return status == 501 || status == 405 || strcmp(answer->error.code, "NotImplemented") == 0;
}

static bool send(const objects_batch *batch, s3_request *request, TF_Status *status) {
  s3_answer answer;
  reading state = {.batch = batch};
  objects_document document = {.most = MOST_ANSWER};
  request->sink = objects_document_sink(&document);
  bool good = s3_request_run(batch->filesystem, request, &answer, status);
  if (good && !xml_read(on_element, &state, document.bytes, document.length)) {
    objects_fail(status, TF_DATA_LOSS, (objects_action){request->operation, batch->name},
                 "the response does not list what was deleted");
    good = false;
  } else if (!good && is_unknown(&answer)) {
    TF_SetStatus(status, TF_OK, "");
  }
  objects_document_end(&document);
  s3_answer_end(&answer);
  return good;
}

bool s3_delete_many(const objects_batch *batch, TF_Status *status) {
  static const s3_pair query[] = {{"delete", ""}, {NULL, NULL}};
  char hash[S3_HASH_SIZE], md5[S3_MD5_BASE64_SIZE], line[64];
  const char *const headers[] = {line, "Content-Type: application/xml", NULL};
  size_t n = 0;
  char *body = make_body(batch, &n);
  net_source source = {.length = n, .bytes = body};
  s3_request request = {"DeleteObjects",   "POST",         batch->name,
                        .of_bucket = true, .query = query, .headers = headers,
                        .source = &source, .payload = hash};
  bool good = false;
  if (body && s3_hash(body, n, hash) && s3_hash_md5(body, n, md5)) {
    snprintf(line, sizeof line, "Content-MD5: %s", md5);
    good = send(batch, &request, status);
  } else {
    fail_no_memory(status);
  }
  free(body);
  return good;
}
