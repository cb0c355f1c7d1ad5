/* The requests of a multipart upload.
 *
 * The state of an upload is its id, and whether its parts carry checksums: NULL before begin, set while the
 * server keeps parts. A failed complete leaves it set, so that abort can remove the parts. Checksums are
 * announced by begin, and complete repeats them; those of copied parts would be the server's, so an upload
 * with a base has none. The tag of a part with a checksum is "ETag checksum".
 *
 * Threads: put and copy only read the upload, and may run on several threads at once.
 *
 * Repetition: each request is repeatable. A part that is sent twice replaces itself. A complete whose
 * answer was lost finds no upload when it is repeated, so an unclear outcome is resolved by comparing
 * the object's ETag with the one that these parts must give.
 *
 * Who frees: end frees the id, also in a forked child. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/remote/format.h"
#include "../common/checksum/crc32c.h"
#include "exchange.h"
#include "hash.h"
#include "object.h"
#include "protocol.h"
#include "sign.h"
#include "untold.h"
#include "version.h"

enum { MOST_ID = 2048 };

static const net_source no_body = {.bytes = ""};

typedef struct state {
  bool has_checksums;
  char id[];
} state;

static const state *state_of(const objects_multipart *self) {
  return self->state;
}

/* Sets the state; without memory it stays NULL. */
static void keep_id(objects_multipart *self, const char *id, bool has_checksums) {
  size_t n = strlen(id) + 1;
  state *made = malloc(sizeof *made + n);
  if (!made) return;
  made->has_checksums = has_checksums;
  memcpy(made->id, id, n);
  self->state = made;
}

/* The server has begun an upload, but did not tell its id in words that are understood. */
static void discard_untold(const objects_multipart *self, const s3_answer *answer,
                           TF_Status *status) {
  char text[1500];
  if (answer->head.status != 200 || answer->error.code[0] ||
      s3_untold_abort(self->filesystem, self->name, &answer->head))
    return;
  snprintf(text, sizeof text, "%.1400s; an upload without an id may be left", TF_Message(status));
  TF_SetStatus(status, TF_GetCode(status), text);
}

/* Adds the headers of the object. */
static bool add_headers(const objects_multipart *self, bool sums, objects_headers *headers) {
  return (!sums || objects_headers_add(headers, "x-amz-checksum-algorithm: CRC32C")) &&
         s3_headers_add_options(headers, self->filesystem) &&
         s3_headers_add_own(headers, self->filesystem, self->name, self->base->own) &&
         objects_attributes_write(self->attributes, S3_METADATA_PREFIX, headers);
}

bool s3_multipart_begin(objects_multipart *self, TF_Status *status) {
  bool sums = self->base->length == 0 && s3_object_has_checksum(self->filesystem);
  static const s3_pair query[] = {{"uploads", ""}, {NULL, NULL}};
  char id[MOST_ID];
  s3_answer answer = {0};
  objects_headers headers = {0};
  if (!s3_version_is_present(self->filesystem, self->name, status)) return false;
  bool good = add_headers(self, sums, &headers);
  const s3_wanted wanted = {"/UploadId", id, sizeof id};
  s3_request request = {"CreateMultipartUpload",
                        "POST",
                        self->name,
                        .query = query,
                        .headers = (const char *const *)headers.lines,
                        .source = &no_body};
  if (good && s3_exchange(self->filesystem, &request, &wanted, &answer, status))
    keep_id(self, id, sums);
  else if (good)
    discard_untold(self, &answer, status);
  if (!self->state && TF_GetCode(status) == TF_OK) fail_no_memory(status);
  s3_answer_end(&answer);
  objects_headers_end(&headers);
  return self->state != NULL;
}

/* Whether a part got an ETag. It is copied into XML later, unescaped: one that would break it counts
 * as none. */
static bool check_tag(const s3_request *request, const char *tag, TF_Status *status) {
  bool good = *tag != '\0';
  for (const char *c = tag; *c; c++)
    if ((unsigned char)*c <= ' ' || *c == '<' || *c == '>' || *c == '&') good = false;
  if (!good)
    objects_fail(status, TF_DATA_LOSS, (objects_action){request->operation, request->name},
                 "the response has no ETag");
  return good;
}

/* Adds the checksum of a part to its tag. */
static void add_to_tag(const char *sum, char tag[OBJECTS_TAG_SIZE]) {
  size_t n = strlen(tag);
  if (*sum) snprintf(tag + n, OBJECTS_TAG_SIZE - n, " %s", sum);
}

bool s3_multipart_put(const objects_multipart *self, const objects_place *place,
                      const objects_content *content, char tag[OBJECTS_TAG_SIZE],
                      TF_Status *status) {
  char digits[16], hash[S3_HASH_SIZE], sum[CHECKSUM_TEXT_SIZE] = "";
  const s3_pair query[] = {{"partNumber", digits}, {"uploadId", state_of(self)->id}, {NULL, NULL}};
  net_source source = {.length = content->length, .bytes = content->bytes};
  s3_answer answer = {0};
  objects_headers headers = {0};
  s3_request request = {"UploadPart",
                        "PUT",
                        self->name,
                        .query = query,
                        .headers = (const char *const *)headers.lines,
                        .source = &source,
                        .payload = hash};
  snprintf(digits, sizeof digits, "%d", place->number);
  bool good = s3_object_payload(self->filesystem, content, hash) &&
              (!state_of(self)->has_checksums || s3_checksum_add(content, &headers, sum));
  if (!good) fail_no_memory(status);
  good = good && s3_request_run(self->filesystem, &request, &answer, status);
  if (good && !net_answer_header(&answer.head, "ETag", tag, OBJECTS_TAG_SIZE - CHECKSUM_TEXT_SIZE))
    *tag = '\0';
  good = good && check_tag(&request, tag, status);
  if (good) add_to_tag(sum, tag);
  objects_headers_end(&headers);
  s3_answer_end(&answer);
  return good;
}

static bool copy(const objects_multipart *self, s3_request *request, const objects_piece *piece,
                 char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  s3_answer answer = {0};
  const s3_wanted wanted = {"/ETag", tag, OBJECTS_TAG_SIZE};
  bool good = s3_exchange(self->filesystem, request, &wanted, &answer, status);
  if (!good && (answer.head.status == 412 || answer.head.status == 416))
    objects_fail(status, TF_ABORTED, (objects_action){request->operation, piece->name},
                 "the object has changed since it was opened; open it again");
  good = good && check_tag(request, tag, status);
  s3_answer_end(&answer);
  return good;
}

bool s3_multipart_copy(const objects_multipart *self, const objects_place *place,
                       const objects_piece *piece, char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  char digits[16];
  const s3_pair query[] = {{"partNumber", digits}, {"uploadId", state_of(self)->id}, {NULL, NULL}};
  objects_headers headers = {0};
  s3_request request = {"UploadPartCopy",
                        "PUT",
                        self->name,
                        .query = query,
                        .headers = (const char *const *)headers.lines,
                        .source = &no_body};
  snprintf(digits, sizeof digits, "%d", place->number);
  bool good = s3_headers_add_source(&headers, self->filesystem, piece->name) &&
              (*piece->tag == '\0' ||
               objects_headers_add(&headers, "x-amz-copy-source-if-match: %s", piece->tag)) &&
              objects_headers_add(&headers, "x-amz-copy-source-range: bytes=%" PRIu64 "-%" PRIu64,
                                  piece->first, piece->last);
  if (good)
    good = copy(self, &request, piece, tag, status);
  else
    fail_no_memory(status);
  objects_headers_end(&headers);
  return good;
}

/* Whether the upload may be complete nevertheless: an earlier attempt may have lost its answer. */
static bool is_unclear(int refused) {
  return refused == 0 || refused == 200 || refused == 404 || refused == 412 || refused >= 500;
}

static bool complete(const objects_multipart *self, s3_request *request,
                     const objects_completion *parts, char tag[OBJECTS_TAG_SIZE],
                     TF_Status *status) {
  char expected[OBJECTS_TAG_SIZE];
  s3_answer answer = {0};
  const s3_wanted wanted = {"/ETag", tag, OBJECTS_TAG_SIZE};
  bool good = s3_exchange(self->filesystem, request, &wanted, &answer, status);
  int refused = answer.head.status;
  if (good && *tag == '\0')
    s3_hash_tag_of_parts(parts->tags, parts->count, tag); /* Ceph leaves it to its clients */
  if (!good && is_unclear(refused) && s3_hash_tag_of_parts(parts->tags, parts->count, expected) &&
      s3_object_is_written(self->filesystem, self->name, expected, tag)) {
    TF_SetStatus(status, TF_OK, "");
    good = true;
  } else if (!good && refused == 412) {
    objects_condition_fail(self->condition, (objects_action){request->operation, self->name},
                           status);
  }
  s3_answer_end(&answer);
  return good;
}

/* NULL without memory. Owns: the caller, free(). */
static char *make_body(const objects_completion *parts, size_t *n) {
  char *body = NULL;
  const char *tag = parts->tags;
  FILE *out = open_memstream(&body, n);
  if (!out) return NULL;
  fputs("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">", out);
  for (int i = 1; i <= parts->count; i++, tag += strlen(tag) + 1) {
    int bare = (int)strcspn(tag, " ");
    fprintf(out, "<Part><PartNumber>%d</PartNumber><ETag>%.*s</ETag>", i, bare, tag);
    if (tag[bare]) fprintf(out, "<ChecksumCRC32C>%s</ChecksumCRC32C>", tag + bare + 1);
    fputs("</Part>", out);
  }
  fputs("</CompleteMultipartUpload>", out);
  return remote_format_end(out, &body);
}

static bool complete_parts(const objects_multipart *self, const objects_completion *parts,
                           char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  const s3_pair query[] = {{"uploadId", state_of(self)->id}, {NULL, NULL}};
  size_t n = 0;
  char *body = make_body(parts, &n), hash[S3_HASH_SIZE];
  objects_headers headers = {0};
  net_source source = {.length = n, .bytes = body};
  s3_request request = {"CompleteMultipartUpload",
                        "POST",
                        self->name,
                        .query = query,
                        .headers = (const char *const *)headers.lines,
                        .source = &source,
                        .payload = hash};
  bool good = body && s3_hash(body, n, hash) &&
              objects_headers_add(&headers, "Content-Type: application/xml") &&
              s3_condition_add(self->condition, &headers);
  if (good)
    good = complete(self, &request, parts, tag, status);
  else
    fail_no_memory(status);
  free(body);
  objects_headers_end(&headers);
  return good;
}

/* S3 makes no object of no parts: an empty one has an empty part. */
bool s3_multipart_complete(objects_multipart *self, const objects_completion *completion,
                           char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  static const objects_content nothing = {.bytes = ""};
  static const objects_place first = {.number = 1};
  char only[OBJECTS_TAG_SIZE];
  objects_completion parts = *completion;
  if (parts.count == 0) {
    if (!s3_multipart_put(self, &first, &nothing, only, status)) return false;
    parts.count = 1;
    parts.tags = only;
  }
  return complete_parts(self, &parts, tag, status);
}

void s3_multipart_abort(objects_multipart *self) {
  s3_upload_id_abort(self->filesystem, self->name, state_of(self)->id);
}

void s3_multipart_end(objects_multipart *self) {
  free(self->state);
  self->state = NULL;
}
