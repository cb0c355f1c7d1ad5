#include "object.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "hash.h"
#include "protocol.h"
#include "sign.h"
#include "version.h"

bool s3_condition_add(const objects_condition *condition, objects_headers *headers) {
  if (condition->if_absent) return objects_headers_add(headers, "If-None-Match: *");
  return condition->match[0] == '\0' ||
         objects_headers_add(headers, "If-Match: %s", condition->match);
}

bool s3_object_is_written(const TF_Filesystem *filesystem, const objects_name *name,
                          const char *expected, char tag[OBJECTS_TAG_SIZE]) {
  objects_object found;
  TF_Status *status = TF_NewStatus();
  bool written = status && s3_head(filesystem, name, &found, NULL, status) &&
                 strcasecmp(found.tag, expected) == 0;
  if (written) snprintf(tag, OBJECTS_TAG_SIZE, "%s", found.tag);
  TF_DeleteStatus(status);
  return written;
}

bool s3_object_payload(const TF_Filesystem *filesystem, const objects_content *content,
                       char payload[S3_HASH_SIZE]) {
  if (remote_number(filesystem, S3_SIGN_CONTENT))
    return s3_hash(content->bytes, content->length, payload);
  snprintf(payload, S3_HASH_SIZE, "%s", S3_UNSIGNED);
  return true;
}

/* Other makers' servers may refuse what they do not know, so by default only Amazon's get it. */
bool s3_object_has_checksum(const TF_Filesystem *filesystem) {
  const char *checksum = remote_text(filesystem, S3_CHECKSUM);
  if (strcmp(checksum, "auto") != 0) return strcmp(checksum, "crc32c") == 0;
  return *remote_text(filesystem, OBJECTS_ENDPOINT) == '\0';
}

bool s3_checksum_add(const objects_content *content, objects_headers *headers,
                     char sum[CHECKSUM_TEXT_SIZE]) {
  checksum_write(checksum_crc32c(content->bytes, content->length), sum);
  return objects_headers_add(headers, "x-amz-sdk-checksum-algorithm: CRC32C") &&
         objects_headers_add(headers, "x-amz-checksum-crc32c: %s", sum);
}

static bool add_checksum(const TF_Filesystem *filesystem, const objects_content *content,
                         objects_headers *headers) {
  char sum[CHECKSUM_TEXT_SIZE];
  return !s3_object_has_checksum(filesystem) || s3_checksum_add(content, headers, sum);
}

/* Runs the request for the object. */
static bool put(const TF_Filesystem *filesystem, const objects_new_object *object,
                s3_request *request, char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  const objects_action action = {request->operation, object->name};
  const objects_content *content = &object->content;
  char expected[OBJECTS_TAG_SIZE];
  s3_answer answer;
  bool good = s3_request_run(filesystem, request, &answer, status);
  if (good) {
    good = net_answer_header(&answer.head, "ETag", tag, OBJECTS_TAG_SIZE);
    if (!good) objects_fail(status, TF_DATA_LOSS, action, "the response has no ETag");
  } else if (answer.head.status == 412) {
    good = answer.head.attempts > 1 && s3_hash_tag(content->bytes, content->length, expected) &&
           s3_object_is_written(filesystem, object->name, expected, tag);
    TF_SetStatus(status, TF_OK, "");
    if (!good) objects_condition_fail(&object->condition, action, status);
  }
  s3_answer_end(&answer);
  return good;
}

static bool put_once(const TF_Filesystem *filesystem, const objects_new_object *object,
                     char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  char hash[S3_HASH_SIZE];
  objects_headers headers = {0};
  net_source source = {.length = object->content.length, .bytes = object->content.bytes};
  bool good = s3_object_payload(filesystem, &object->content, hash) &&
              s3_condition_add(&object->condition, &headers) &&
              add_checksum(filesystem, &object->content, &headers) &&
              s3_headers_add_options(&headers, filesystem) &&
              s3_headers_add_own(&headers, filesystem, object->name, object->own) &&
              objects_attributes_write(&object->attributes, S3_METADATA_PREFIX, &headers);
  s3_request request = {"PutObject",       "PUT",
                        object->name,      .headers = (const char *const *)headers.lines,
                        .source = &source, .payload = hash};
  good = good ? put(filesystem, object, &request, tag, status) : fail_no_memory(status);
  objects_headers_end(&headers);
  return good;
}

/* Some servers compare ETags without quotes; others require them. Takes them away, if the object has
 * this ETag still. */
static bool make_bare(const TF_Filesystem *filesystem, objects_new_object *object) {
  objects_object found;
  const char *match = object->condition.match;
  size_t n = strlen(match);
  TF_Status *status = TF_NewStatus();
  bool same = status && n > 2 && s3_head(filesystem, object->name, &found, NULL, status) &&
              strcmp(found.tag, match) == 0;
  TF_DeleteStatus(status);
  if (same) snprintf(object->condition.match, n - 1, "%s", found.tag + 1);
  return same;
}

bool s3_put(const TF_Filesystem *filesystem, const objects_new_object *object,
            char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  objects_new_object bare = *object;
  if (!s3_version_is_present(filesystem, object->name, status)) return false;
  if (put_once(filesystem, object, tag, status)) return true;
  if (TF_GetCode(status) != TF_ABORTED || object->condition.match[0] != '"' ||
      !make_bare(filesystem, &bare))
    return false;
  TF_SetStatus(status, TF_OK, "");
  return put_once(filesystem, &bare, tag, status);
}

bool s3_remove(const TF_Filesystem *filesystem, const objects_name *name, bool *missing,
               TF_Status *status) {
  s3_answer answer;
  *missing = false;
  if (!s3_version_is_present(filesystem, name, status)) return false;
  s3_request request = {.operation = S3_DELETE, .method = "DELETE", .name = name};
  bool good = s3_request_run(filesystem, &request, &answer, status);
  s3_answer_end(&answer);
  return good;
}
