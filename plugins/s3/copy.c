#include "copy.h"

#include <string.h>

#include "exchange.h"
#include "object.h"
#include "place.h"
#include "staged.h"
#include "upload.h"

bool s3_copy_run(const TF_Filesystem *filesystem, const s3_name *dst, const s3_headers *headers,
                 TF_Status *status) {
  static const net_source no_body = {.bytes = ""};
  char tag[S3_TAG_SIZE];
  s3_answer answer = {0};
  s3_request request = {.operation = "CopyObject",
                        .method = "PUT",
                        .name = dst,
                        .headers = (const char *const *)headers->lines,
                        .source = &no_body,
                        .repeatable = true};
  const s3_wanted wanted = {"/ETag", tag, sizeof tag};
  bool good = s3_exchange(filesystem, &request, &wanted, &answer, status);
  if (!good && answer.head.status == 412)
    s3_fail(status, TF_ABORTED, (s3_action){request.operation, dst},
            "the object was replaced meanwhile; try again");
  s3_answer_end(&answer);
  return good;
}

static bool copy_whole(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
                       TF_Status *status) {
  s3_headers headers = {0};
  bool gathered =
      s3_headers_add_source(&headers, src) && s3_headers_add_options(&headers, filesystem);
  bool good = gathered && s3_copy_run(filesystem, dst, &headers, status);
  if (!gathered) s3_no_memory(status);
  s3_headers_end(&headers);
  return good;
}

/* A copy by parts does not include the object's metadata, so a HEAD gets it. */
s3_upload *s3_copy_stage(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
                         const s3_object *object, TF_Status *status) {
  static const s3_condition none = {0};
  s3_answer answer;
  s3_upload *upload = NULL;
  s3_request request = {
      .operation = "HeadObject", .method = "HEAD", .name = src, .repeatable = true};
  if (s3_request_run(filesystem, &request, &answer, status))
    upload = s3_upload_new(filesystem, dst, &none, status);
  if (upload) {
    s3_upload_set_source(upload, src, object, &answer.head);
    if (!s3_upload_stage(upload, status)) {
      s3_upload_free(upload);
      upload = NULL;
    }
  }
  s3_answer_end(&answer);
  return upload;
}

static bool copy_large(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
                       const s3_object *object, TF_Status *status) {
  s3_upload *upload = s3_copy_stage(filesystem, src, dst, object, status);
  bool good = upload && s3_upload_publish(upload, status);
  s3_upload_free(upload);
  return good;
}

bool s3_copy_find(const TF_Filesystem *filesystem, const s3_name *src, s3_object *object,
                  TF_Status *status) {
  bool missing = false;
  bool found = s3_stat_object(filesystem, src, object, &missing, status);
  if (missing) s3_stat_missing(filesystem, src, status);
  return found;
}

bool s3_copy(const TF_Filesystem *filesystem, const s3_name *src, const s3_name *dst,
             TF_Status *status) {
  s3_object object;
  if (!s3_copy_find(filesystem, src, &object, status)) return false;
  if (s3_name_is_same(src, dst)) return true;
  if (!s3_place_may_write(filesystem, dst, status)) return false;
  if (object.length > (uint64_t)remote_number(filesystem, S3_COPY_BYTES))
    return copy_large(filesystem, src, dst, &object, status);
  return copy_whole(filesystem, src, dst, status);
}

void s3_copy_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                  TF_Status *status) {
  s3_name from, to;
  if (!s3_name_parse_file(src, &from, status) || !s3_name_parse_file(dst, &to, status)) return;
  s3_transaction *transaction = s3_transaction_of(filesystem, &to);
  if (transaction)
    s3_staged_copy(filesystem, transaction, &from, &to, status);
  else
    s3_copy(filesystem, &from, &to, status);
  s3_transaction_release(filesystem, transaction);
}

void s3_rename_file(const TF_Filesystem *filesystem, const char *src, const char *dst,
                    TF_Status *status) {
  s3_name from, to;
  if (!s3_name_parse_file(src, &from, status) || !s3_name_parse_file(dst, &to, status)) return;
  s3_transaction *left = s3_transaction_of(filesystem, &from);
  s3_transaction *entered = s3_transaction_of(filesystem, &to);
  if (left != entered)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "only one of the two paths is in a transaction");
  else if (left)
    s3_staged_rename(filesystem, left, &from, &to, status);
  else if (s3_copy(filesystem, &from, &to, status) && !s3_name_is_same(&from, &to))
    s3_object_delete(filesystem, &from, status);
  s3_transaction_release(filesystem, left);
  s3_transaction_release(filesystem, entered);
}
