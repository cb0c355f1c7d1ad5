#include "object.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "hash.h"
#include "sign.h"

bool s3_condition_add(const s3_condition *condition, s3_headers *headers) {
  if (condition->if_absent) return s3_headers_add(headers, "If-None-Match: *");
  return condition->match[0] == '\0' || s3_headers_add(headers, "If-Match: %s", condition->match);
}

void s3_condition_fail(const s3_condition *condition, const char *operation, const s3_name *name,
                       TF_Status *status) {
  if (condition->if_absent)
    s3_fail(status, TF_ALREADY_EXISTS, operation, name, "there is such an object already");
  else
    s3_fail(status, TF_ABORTED, operation, name,
            "the object has changed since it was opened; open it again");
}

static bool take_tag(const net_answer *answer, const s3_name *name, char tag[S3_TAG_SIZE],
                     TF_Status *status) {
  if (net_answer_header(answer, "ETag", tag, S3_TAG_SIZE)) return true;
  s3_fail(status, TF_DATA_LOSS, "PutObject", name, "success, but without an ETag");
  return false;
}

/* Whether the object has these bytes: then an earlier attempt wrote it and its response was lost. */
static bool is_there(const TF_Filesystem *filesystem, const s3_name *name, const char *bytes,
                     size_t n, char tag[S3_TAG_SIZE]) {
  char expected[S3_TAG_SIZE];
  s3_object object;
  bool missing = false;
  TF_Status *status = TF_NewStatus();
  bool there = status && s3_hash_tag(bytes, n, expected) &&
               s3_stat_object(filesystem, name, &object, &missing, status) &&
               strcasecmp(object.tag, expected) == 0;
  if (there) snprintf(tag, S3_TAG_SIZE, "%s", object.tag);
  TF_DeleteStatus(status);
  return there;
}

static bool put(const TF_Filesystem *filesystem, s3_request *request, const s3_condition *condition,
                char tag[S3_TAG_SIZE], TF_Status *status) {
  s3_answer answer;
  const net_source *body = request->source;
  bool good = s3_request_run(filesystem, request, &answer, status);
  if (good) {
    good = take_tag(&answer.head, request->name, tag, status);
  } else if (answer.head.status == 412) {
    good = answer.head.attempts > 1 &&
           is_there(filesystem, request->name, body->bytes, body->length, tag);
    TF_SetStatus(status, TF_OK, "");
    if (!good) s3_condition_fail(condition, request->operation, request->name, status);
  }
  s3_answer_end(&answer);
  return good;
}

bool s3_object_payload(const TF_Filesystem *filesystem, const char *bytes, size_t n,
                       char payload[S3_HASH_SIZE]) {
  if (remote_number(filesystem, S3_SIGN_CONTENT)) return s3_hash(bytes, n, payload);
  snprintf(payload, S3_HASH_SIZE, "%s", S3_UNSIGNED);
  return true;
}

static bool put_under(const TF_Filesystem *filesystem, const s3_name *name, const char *bytes,
                      size_t n, const s3_condition *condition, char tag[S3_TAG_SIZE],
                      TF_Status *status) {
  char hash[S3_HASH_SIZE];
  s3_headers headers = {0};
  net_source source = {.length = n, .bytes = bytes};
  bool good = s3_object_payload(filesystem, bytes, n, hash) &&
              s3_condition_add(condition, &headers) && s3_headers_add_options(&headers, filesystem);
  s3_request request = {.operation = "PutObject",
                        .method = "PUT",
                        .name = name,
                        .headers = (const char *const *)headers.lines,
                        .source = &source,
                        .payload = hash,
                        .repeatable = true};
  if (good)
    good = put(filesystem, &request, condition, tag, status);
  else
    s3_no_memory(status);
  s3_headers_end(&headers);
  return good;
}

/* Some servers compare ETags without quotes; others require them. */
static bool bare_condition(const TF_Filesystem *filesystem, const s3_name *name,
                           const s3_condition *condition, s3_condition *bare) {
  s3_object object;
  bool missing = false;
  size_t n = strlen(condition->match);
  TF_Status *status = TF_NewStatus();
  bool same = status && n > 2 && s3_stat_object(filesystem, name, &object, &missing, status) &&
              strcmp(object.tag, condition->match) == 0;
  TF_DeleteStatus(status);
  if (same) snprintf(bare->match, n - 1, "%s", condition->match + 1);
  return same;
}

bool s3_object_put(const TF_Filesystem *filesystem, const s3_name *name, const char *bytes,
                   size_t n, const s3_condition *condition, char tag[S3_TAG_SIZE],
                   TF_Status *status) {
  s3_condition bare = {0};
  if (put_under(filesystem, name, bytes, n, condition, tag, status)) return true;
  if (TF_GetCode(status) != TF_ABORTED || condition->match[0] != '"' ||
      !bare_condition(filesystem, name, condition, &bare))
    return false;
  TF_SetStatus(status, TF_OK, "");
  return put_under(filesystem, name, bytes, n, &bare, tag, status);
}

bool s3_object_delete(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_answer answer;
  s3_request request = {
      .operation = "DeleteObject", .method = "DELETE", .name = name, .repeatable = true};
  bool good = s3_request_run(filesystem, &request, &answer, status);
  s3_answer_end(&answer);
  return good;
}
