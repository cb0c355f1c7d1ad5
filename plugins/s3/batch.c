/* Deleting many objects.
 *
 * Keys gather in one block, at most MOST_KEYS; then, and at the end, one request deletes them all. The
 * response is quiet: it lists only what failed, so a key that it does not name is deleted, and a
 * response that cannot be read counts every key as left.
 *
 * A key that XML cannot represent goes by a request of its own. Once the server has refused the common
 * request as unknown, so does every other key (one_by_one), of the batch that is refused, too.
 *
 * `status` keeps the first failure; later ones are only counted, by files and directories, and do not
 * stop the batch. A batch is for one thread; nothing of it outlives s3_batch_end, which frees the keys.
 */
#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "object.h"
#include "sign.h"
#include "xml.h"

enum { MOST_KEYS = 1000, MOST_ANSWER = 4 << 20 };

static void count(s3_batch *batch, const char *key) {
  size_t n = strlen(key);
  (*(n > 0 && key[n - 1] == '/' ? &batch->directories : &batch->files))++;
}

static void note(s3_batch *batch, const TF_Status *status) {
  if (TF_GetCode(batch->status) == TF_OK)
    TF_SetStatus(batch->status, TF_GetCode(status), TF_Message(status));
}

static void delete_one(s3_batch *batch, const char *key) {
  s3_name name = *batch->name;
  TF_Status *status = TF_NewStatus();
  bool fits = snprintf(name.key, sizeof name.key, "%s", key) < (int)sizeof name.key;
  if (status && !fits)
    s3_fail(status, TF_DATA_LOSS, (s3_action){"DeleteObject", batch->name}, "no such key");
  if (!status || !fits || !s3_object_delete(batch->filesystem, &name, status)) {
    count(batch, key);
    if (status) note(batch, status);
  }
  TF_DeleteStatus(status);
}

/* The request's document --------------------------------------------------------------------- */

/* XML cannot represent most control characters, nor U+FFFE and U+FFFF. */
static bool fits_xml(const char *key) {
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
static char *make_body(const s3_batch *batch, size_t *n) {
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
  bool good = !ferror(out);
  if (fclose(out) == 0 && good) return body;
  free(body);
  return NULL;
}

/* The response ------------------------------------------------------------------------------- */

typedef struct reading {
  s3_batch *batch;
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
    s3_fail_answer(status, (s3_action){"DeleteObjects", self->batch->name}, &answer, &error);
    note(self->batch, status);
  }
  TF_DeleteStatus(status);
}

/* The response is quiet: where it holds nothing, only its root tells what it is. */
static bool on_element(void *state, const char *path, const char *text) {
  reading *self = state;
  const char *name = s3_xml_below_root(path);
  bool is_entry = strncmp(name, "/Error", 6) == 0 || strncmp(name, "/Deleted", 8) == 0;
  if (strcmp(name, "/Error/Key") == 0) count(self->batch, text);
  if (strcmp(name, "/Error/Code") == 0) snprintf(self->code, sizeof self->code, "%s", text);
  if (strcmp(name, "/Error/Message") == 0) snprintf(self->text, sizeof self->text, "%s", text);
  if (strcmp(name, "/Error") == 0) tell_first(self);
  self->has_entries = self->has_entries || is_entry;
  return *name ? is_entry : self->has_entries || strncmp(path, "/Delete", 7) == 0;
}

static bool read_answer(s3_batch *batch, const s3_document *document) {
  reading state = {.batch = batch};
  s3_xml *xml = s3_xml_new(on_element, &state);
  bool good = xml && document->bytes && s3_xml_feed(xml, document->bytes, document->length) &&
              s3_xml_end(xml);
  s3_xml_free(xml);
  return good;
}

/* The request -------------------------------------------------------------------------------- */

static void each_key(s3_batch *batch, void (*visit)(s3_batch *batch, const char *key)) {
  const char *key = batch->keys.bytes;
  for (int i = 0; i < batch->count; i++, key += strlen(key) + 1)
    visit(batch, key);
}

static void fail_all(s3_batch *batch, const TF_Status *status) {
  note(batch, status);
  each_key(batch, count);
}

static bool is_unknown(const s3_answer *answer) {
  int status = answer->head.status;
  return status == 501 || status == 405 || strcmp(answer->error.code, "NotImplemented") == 0;
}

static void send(s3_batch *batch, s3_request *request, TF_Status *status) {
  s3_answer answer;
  s3_document document = {.most = MOST_ANSWER};
  request->sink = s3_document_sink(&document);
  if (s3_request_run(batch->filesystem, request, &answer, status)) {
    if (!read_answer(batch, &document)) {
      s3_fail(status, TF_DATA_LOSS, (s3_action){request->operation, batch->name},
              "the response does not list what was deleted");
      fail_all(batch, status);
    }
  } else if (is_unknown(&answer)) {
    batch->one_by_one = true;
    each_key(batch, delete_one);
  } else {
    fail_all(batch, status);
  }
  free(document.bytes);
  s3_answer_end(&answer);
}

static void send_all(s3_batch *batch, TF_Status *status) {
  static const s3_pair query[] = {{"delete", ""}, {NULL, NULL}};
  char hash[S3_HASH_SIZE], md5[S3_MD5_BASE64_SIZE], line[64];
  const char *const headers[] = {line, "Content-Type: application/xml", NULL};
  size_t n = 0;
  char *body = make_body(batch, &n);
  net_source source = {.length = n, .bytes = body};
  s3_request request = {.operation = "DeleteObjects",
                        .method = "POST",
                        .name = batch->name,
                        .of_bucket = true,
                        .query = query,
                        .headers = headers,
                        .source = &source,
                        .payload = hash,
                        .repeatable = true};
  if (body && s3_hash(body, n, hash) && s3_hash_md5(body, n, md5)) {
    snprintf(line, sizeof line, "Content-MD5: %s", md5);
    send(batch, &request, status);
  } else {
    s3_no_memory(status);
    fail_all(batch, status);
  }
  free(body);
}

static void flush(s3_batch *batch) {
  TF_Status *status = batch->count > 0 ? TF_NewStatus() : NULL;
  if (status)
    send_all(batch, status);
  else
    each_key(batch, count);
  TF_DeleteStatus(status);
  batch->count = 0;
  batch->keys.length = 0;
}

void s3_batch_add(s3_batch *batch, const char *key) {
  if (batch->one_by_one || strlen(key) > S3_MOST_KEY || !fits_xml(key) ||
      !s3_texts_add(&batch->keys, key))
    delete_one(batch, key);
  else if (++batch->count == MOST_KEYS)
    flush(batch);
}

void s3_batch_end(s3_batch *batch) {
  flush(batch);
  free(batch->keys.bytes);
  batch->keys = (s3_texts){0};
}
