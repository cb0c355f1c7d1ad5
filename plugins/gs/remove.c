/* Deleting objects, one by one and many with one request.
 *
 * A batch is a multipart body with a request in each part, and so is its response. What a part of the response
 * does not tell to be deleted is deleted once more by a request of its own, which finds out what is wrong with
 * it. So nothing depends on a response that is odd or cut. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../common/remote/format.h"
#include "request.h"
#include "service.h"

enum { MOST_BATCH = 100, MOST_ANSWER = 4 << 20, BOUNDARY_SIZE = 24 };

bool gs_remove(const TF_Filesystem *filesystem, const objects_name *name, bool *missing,
               TF_Status *status) {
  gs_answer answer;
  const gs_request request = {"objects.delete", "DELETE", name, .place = GS_AT_KEY};
  bool good = gs_request_run(filesystem, &request, &answer, status);
  /* After a response that was lost, an earlier attempt has deleted it. */
  bool gone = answer.head.status == 404;
  *missing = gone && answer.head.attempts == 1;
  if (gone) TF_SetStatus(status, TF_OK, "");
  gs_answer_end(&answer);
  return good || gone;
}

/* The request --------------------------------------------------------------------------------- */

static void write_part(FILE *out, const char *boundary, const char *bucket, const char *key,
                       int i) {
  char encoded[OBJECTS_ENCODED_SIZE];
  objects_name_encode(key, false, encoded, sizeof encoded);
  fprintf(out,
          "--%s\r\nContent-Type: application/http\r\nContent-ID: <modfs+%d>\r\n\r\n"
          "DELETE /storage/v1/b/%s/o/%s HTTP/1.1\r\n\r\n\r\n",
          boundary, i, bucket, encoded);
}

/* NULL without memory. Owns: the caller, free(). */
static char *make_body(const objects_batch *batch, const char *boundary, size_t *n) {
  char *body = NULL;
  const char *key = batch->keys.bytes;
  FILE *out = open_memstream(&body, n);
  if (!out) return NULL;
  for (int i = 0; i < batch->count; i++, key += strlen(key) + 1)
    write_part(out, boundary, batch->name->bucket, key, i);
  fprintf(out, "--%s--\r\n", boundary);
  return remote_format_end(out, &body);
}

/* The response -------------------------------------------------------------------------------- */

/* The number of the request that a part answers: that of its Content-ID, else its place; -1: none. */
static int number_of(const char *part, size_t n, int place) {
  static const char id[] = "response-modfs+";
  const char *found = memmem(part, n, id, sizeof id - 1);
  if (!found) return place;
  const char *digits = found + sizeof id - 1;
  return *digits >= '0' && *digits <= '9' ? (int)strtol(digits, NULL, 10) : -1;
}

/* Whether the part's status says that the object is gone. */
static bool tells_gone(const char *part, size_t n) {
  static const char version[] = "HTTP/1.1 ";
  const char *found = memmem(part, n, version, sizeof version - 1);
  int code = found ? (int)strtol(found + sizeof version - 1, NULL, 10) : 0;
  return (code >= 200 && code < 300) || code == 404;
}

/* The text is NUL-terminated, as strtol needs it. */
static void read_parts(const char *text, const char *boundary, bool gone[MOST_BATCH]) {
  const char *part = strstr(text, boundary);
  size_t length = strlen(boundary);
  for (int place = 0; part && place < MOST_BATCH; place++) {
    part += length;
    const char *end = strstr(part, boundary);
    size_t n = end ? (size_t)(end - part) : strlen(part);
    int i = number_of(part, n, place);
    if (end && i >= 0 && i < MOST_BATCH && tells_gone(part, n)) gone[i] = true;
    part = end;
  }
}

/* "--" and the boundary that the response's type names; false: it names none. */
static bool find_boundary(const net_answer *answer, char *boundary, size_t size) {
  char type[300];
  if (!net_answer_header(answer, "Content-Type", type, sizeof type)) return false;
  const char *found = strstr(type, "boundary=");
  if (!found) return false;
  found += strlen("boundary=");
  found += *found == '"';
  int n = snprintf(boundary, size, "--%.*s", (int)strcspn(found, "\"; "), found);
  return n > 2 && n < (int)size;
}

/* ---------------------------------------------------------------------------------------------- */

static void remove_rest(const objects_batch *batch, const bool gone[MOST_BATCH]) {
  objects_name name = *batch->name;
  const char *key = batch->keys.bytes;
  bool missing = false;
  for (int i = 0; i < batch->count; i++, key += strlen(key) + 1) {
    if (gone[i]) continue;
    TF_Status *status = TF_NewStatus();
    bool fits = snprintf(name.key, sizeof name.key, "%s", key) < (int)sizeof name.key;
    bool done = status && fits && gs_remove(batch->filesystem, &name, &missing, status);
    if (!done) objects_batch_left(batch, key, status);
    TF_DeleteStatus(status);
  }
}

static bool is_unknown(int status) {
  return status == 404 || status == 405 || status == 501;
}

static bool run(const objects_batch *batch, const gs_request *request, objects_document *page,
                TF_Status *status) {
  bool gone[MOST_BATCH] = {false};
  char boundary[200];
  gs_answer answer;
  bool good = gs_request_run(batch->filesystem, request, &answer, status);
  if (good && page->bytes && find_boundary(&answer.head, boundary, sizeof boundary))
    read_parts(page->bytes, boundary, gone);
  if (!good && is_unknown(answer.head.status)) TF_SetStatus(status, TF_OK, "");
  gs_answer_end(&answer);
  if (good) remove_rest(batch, gone);
  return good;
}

bool gs_delete_many(const objects_batch *batch, TF_Status *status) {
  char boundary[BOUNDARY_SIZE], type[80];
  const char *const headers[] = {type, NULL};
  uint64_t random = 0;
  size_t n = 0;
  objects_document page = {.most = MOST_ANSWER};
  char *body = NULL;
  if (getrandom(&random, sizeof random, 0) == sizeof random) {
    snprintf(boundary, sizeof boundary, "%016" PRIx64, random);
    body = make_body(batch, boundary, &n);
  }
  if (!body) return fail_no_memory(status);
  snprintf(type, sizeof type, "Content-Type: multipart/mixed; boundary=%s", boundary);
  const net_source source = {.length = n, .bytes = body};
  const gs_request request = {"batch of objects.delete",
                              "POST",
                              batch->name,
                              .place = GS_AT_BATCH,
                              .headers = headers,
                              .source = &source,
                              .sink = objects_document_sink(&page)};
  bool settled = run(batch, &request, &page, status);
  objects_document_end(&page);
  free(body);
  return settled;
}
