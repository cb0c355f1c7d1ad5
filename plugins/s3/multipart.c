/* The requests of a multipart upload.
 *
 * States: `id` is NULL before begin, set while the server keeps parts, and NULL again after complete
 * or abort. A failed complete leaves it set, so that abort can remove the parts.
 *
 * Threads: put and copy only read the upload, and may run on several threads at once. begin, complete
 * and abort write `id`; no other call may run then (upload.c sees to it).
 *
 * Repetition: each request is repeatable. A part that is sent twice replaces itself. A complete whose
 * answer was lost finds no upload when it is repeated, so an unclear outcome is resolved by comparing
 * the object's ETag with the one that these parts must give.
 *
 * Who frees: complete and abort free `id`; in a forked child upload.c frees it without a request. */
#include "multipart.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/remote/format.h"
#include "exchange.h"
#include "hash.h"
#include "sign.h"

enum { MOST_ID = 2048, MOST_ABORT_MS = 30000 };

static const net_source no_body = {.bytes = ""};

bool s3_multipart_begin(s3_multipart *self, const net_answer *own, TF_Status *status) {
  static const s3_pair query[] = {{"uploads", ""}, {NULL, NULL}};
  char id[MOST_ID];
  s3_answer answer = {0};
  s3_headers headers = {0};
  bool good = s3_headers_add_options(&headers, self->filesystem) &&
              (!own || s3_headers_add_own(&headers, own)) &&
              s3_attributes_write(self->attributes, &headers);
  const s3_wanted wanted = {"/InitiateMultipartUploadResult/UploadId", id, sizeof id};
  s3_request request = {.operation = "CreateMultipartUpload",
                        .method = "POST",
                        .name = self->name,
                        .query = query,
                        .headers = (const char *const *)headers.lines,
                        .source = &no_body,
                        .repeatable = true};
  if (good && s3_exchange(self->filesystem, &request, &wanted, &answer, status))
    self->id = strdup(id);
  if (!self->id && TF_GetCode(status) == TF_OK) s3_no_memory(status);
  s3_answer_end(&answer);
  s3_headers_end(&headers);
  return self->id != NULL;
}

/* Whether a part got an ETag. It is copied into XML later, unescaped: one that would break it counts
 * as none. */
static bool check_tag(const s3_request *request, const char *tag, TF_Status *status) {
  bool good = *tag != '\0';
  for (const char *c = tag; *c; c++)
    if ((unsigned char)*c < ' ' || *c == '<' || *c == '>' || *c == '&') good = false;
  if (!good)
    s3_fail(status, TF_DATA_LOSS, (s3_action){request->operation, request->name},
            "the response has no ETag");
  return good;
}

bool s3_multipart_put(const s3_multipart *self, int number, const s3_content *content,
                      char tag[S3_TAG_SIZE], TF_Status *status) {
  char digits[16], hash[S3_HASH_SIZE];
  const s3_pair query[] = {{"partNumber", digits}, {"uploadId", self->id}, {NULL, NULL}};
  const s3_content body = {content->bytes ? content->bytes : "", content->length};
  net_source source = {.length = body.length, .bytes = body.bytes};
  s3_answer answer = {0};
  s3_request request = {.operation = "UploadPart",
                        .method = "PUT",
                        .name = self->name,
                        .query = query,
                        .source = &source,
                        .payload = hash,
                        .repeatable = true};
  snprintf(digits, sizeof digits, "%d", number);
  bool good = s3_object_payload(self->filesystem, &body, hash);
  if (!good) s3_no_memory(status);
  good = good && s3_request_run(self->filesystem, &request, &answer, status);
  if (good && !net_answer_header(&answer.head, "ETag", tag, S3_TAG_SIZE)) *tag = '\0';
  good = good && check_tag(&request, tag, status);
  s3_answer_end(&answer);
  return good;
}

static bool copy(const s3_multipart *self, s3_request *request, const s3_piece *piece,
                 char tag[S3_TAG_SIZE], TF_Status *status) {
  s3_answer answer = {0};
  const s3_wanted wanted = {"/CopyPartResult/ETag", tag, S3_TAG_SIZE};
  bool good = s3_exchange(self->filesystem, request, &wanted, &answer, status);
  if (!good && (answer.head.status == 412 || answer.head.status == 416))
    s3_fail(status, TF_ABORTED, (s3_action){request->operation, piece->name},
            "the object has changed since it was opened; open it again");
  good = good && check_tag(request, tag, status);
  s3_answer_end(&answer);
  return good;
}

bool s3_multipart_copy(const s3_multipart *self, int number, const s3_piece *piece,
                       char tag[S3_TAG_SIZE], TF_Status *status) {
  char digits[16];
  const s3_pair query[] = {{"partNumber", digits}, {"uploadId", self->id}, {NULL, NULL}};
  s3_headers headers = {0};
  s3_request request = {.operation = "UploadPartCopy",
                        .method = "PUT",
                        .name = self->name,
                        .query = query,
                        .headers = (const char *const *)headers.lines,
                        .source = &no_body,
                        .repeatable = true};
  snprintf(digits, sizeof digits, "%d", number);
  bool good = s3_headers_add_source(&headers, piece->name) &&
              (*piece->tag == '\0' ||
               s3_headers_add(&headers, "x-amz-copy-source-if-match: %s", piece->tag)) &&
              s3_headers_add(&headers, "x-amz-copy-source-range: bytes=%" PRIu64 "-%" PRIu64,
                             piece->first, piece->last);
  if (good)
    good = copy(self, &request, piece, tag, status);
  else
    s3_no_memory(status);
  s3_headers_end(&headers);
  return good;
}

/* Whether the upload may be complete nevertheless: an earlier attempt may have lost its answer. */
static bool is_unclear(int refused) {
  return refused == 0 || refused == 200 || refused == 404 || refused == 412 || refused >= 500;
}

static bool complete(const s3_multipart *self, s3_request *request, const char *list,
                     char tag[S3_TAG_SIZE], TF_Status *status) {
  char expected[S3_TAG_SIZE];
  s3_answer answer = {0};
  const s3_wanted wanted = {"/CompleteMultipartUploadResult/ETag", tag, S3_TAG_SIZE};
  bool good = s3_exchange(self->filesystem, request, &wanted, &answer, status);
  int refused = answer.head.status;
  if (good && *tag == '\0') s3_hash_tag_of_parts(list, tag); /* Ceph leaves it to its clients */
  if (!good && is_unclear(refused) && s3_hash_tag_of_parts(list, expected) &&
      s3_object_is_written(self->filesystem, self->name, expected, tag)) {
    TF_SetStatus(status, TF_OK, "");
    good = true;
  } else if (!good && refused == 412) {
    s3_condition_fail(self->condition, (s3_action){request->operation, self->name}, status);
  }
  s3_answer_end(&answer);
  return good;
}

bool s3_multipart_complete(s3_multipart *self, const char *list, char tag[S3_TAG_SIZE],
                           TF_Status *status) {
  static const char form[] = "<CompleteMultipartUpload "
                             "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">%s"
                             "</CompleteMultipartUpload>";
  const s3_pair query[] = {{"uploadId", self->id}, {NULL, NULL}};
  char *body = remote_format(form, list), hash[S3_HASH_SIZE];
  s3_headers headers = {0};
  net_source source = {.length = body ? strlen(body) : 0, .bytes = body};
  s3_request request = {.operation = "CompleteMultipartUpload",
                        .method = "POST",
                        .name = self->name,
                        .query = query,
                        .headers = (const char *const *)headers.lines,
                        .source = &source,
                        .payload = hash,
                        .repeatable = true};
  bool good = body && s3_hash(body, source.length, hash) &&
              s3_headers_add(&headers, "Content-Type: application/xml") &&
              s3_condition_add(self->condition, &headers);
  if (good)
    good = complete(self, &request, list, tag, status);
  else
    s3_no_memory(status);
  free(body);
  s3_headers_end(&headers);
  if (good) {
    free(self->id);
    self->id = NULL;
  }
  return good;
}

void s3_multipart_abort(s3_multipart *self) {
  if (!self->id) return;
  const s3_pair query[] = {{"uploadId", self->id}, {NULL, NULL}};
  s3_answer answer = {0};
  s3_request request = {.operation = "AbortMultipartUpload",
                        .method = "DELETE",
                        .name = self->name,
                        .query = query,
                        .repeatable = true,
                        .cleans_up = true,
                        .deadline = net_now() + MOST_ABORT_MS};
  TF_Status *status = TF_NewStatus();
  if (status) s3_request_run(self->filesystem, &request, &answer, status);
  TF_DeleteStatus(status);
  s3_answer_end(&answer);
  free(self->id);
  self->id = NULL;
}
