#include "copy.h"

#include <string.h>

#include "exchange.h"
#include "object.h"
#include "place.h"
#include "upload.h"

static bool copy_whole(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
                       TF_Status *status) {
  static const net_source no_body = {.bytes = ""};
  char tag[S3_TAG_SIZE];
  s3_answer answer = {0};
  s3_headers headers = {0};
  s3_request request = {.operation = "CopyObject",
                        .method = "PUT",
                        .name = dst,
                        .headers = (const char *const *)headers.lines,
                        .source = &no_body,
                        .repeatable = true};
  bool good = s3_headers_add_source(&headers, src) && s3_headers_add_options(&headers, filesystem);
  if (good)
    good = s3_exchange(filesystem, &request, "/CopyObjectResult/ETag", tag, sizeof tag, &answer,
                       status);
  else
    s3_no_memory(status);
  s3_answer_end(&answer);
  s3_headers_end(&headers);
  return good;
}

static bool copy_parts(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
                       const s3_object *object, const net_answer *own, TF_Status *status) {
  static const s3_condition none = {0};
  s3_upload *upload = s3_upload_new(filesystem, dst, &none, status);
  if (upload) s3_upload_set_source(upload, src, object, own);
  bool good = upload && s3_upload_publish(upload, status);
  s3_upload_free(upload);
  return good;
}

/* Parts bring none of what users wrote to the object: it is asked for. */
static bool copy_large(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
                       const s3_object *object, TF_Status *status) {
  s3_answer answer;
  s3_request request = {
      .operation = "HeadObject", .method = "HEAD", .name = src, .repeatable = true};
  bool good = s3_request_run(filesystem, &request, &answer, status) &&
              copy_parts(filesystem, src, dst, object, &answer.head, status);
  s3_answer_end(&answer);
  return good;
}

static bool find_source(const TF_Filesystem *filesystem, const s3_name *src, s3_object *object,
                        TF_Status *status) {
  bool missing = false;
  bool found = s3_stat_object(filesystem, src, object, &missing, status);
  if (missing) s3_stat_missing(filesystem, src, status);
  return found;
}

static bool is_same(const s3_name *a, const s3_name *b) {
  return strcmp(a->bucket, b->bucket) == 0 && strcmp(a->key, b->key) == 0;
}

static bool copy(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
                 TF_Status *status) {
  s3_object object;
  if (!find_source(filesystem, src, &object, status)) return false;
  if (is_same(src, dst)) return true;
  if (!s3_place_may_write(filesystem, dst, status)) return false;
  if (object.length > (uint64_t)s3_number(filesystem, S3_COPY_BYTES))
    return copy_large(filesystem, src, dst, &object, status);
  return copy_whole(filesystem, src, dst, status);
}

void s3_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                  TF_Status *status) {
  s3_name from, to;
  if (s3_name_parse_file(src, &from, status) && s3_name_parse_file(dst, &to, status))
    copy(filesystem, &from, &to, status);
}

void s3_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                    TF_Status *status) {
  s3_name from, to;
  if (s3_name_parse_file(src, &from, status) && s3_name_parse_file(dst, &to, status) &&
      copy(filesystem, &from, &to, status) && !is_same(&from, &to))
    s3_object_delete(filesystem, &from, status);
}
