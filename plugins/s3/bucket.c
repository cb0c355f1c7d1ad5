#include "bucket.h"

#include <stdio.h>
#include <string.h>

#include "request.h"
#include "sign.h"
#include "stat.h"

static void create(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  static const char form[] = "<CreateBucketConfiguration "
                             "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                             "<LocationConstraint>%.64s</LocationConstraint>"
                             "</CreateBucketConfiguration>";
  const char *region = remote_text(filesystem, S3_REGION);
  char body[sizeof form + 64] = "", hash[S3_HASH_SIZE];
  bool plain = strcmp(region, "us-east-1") == 0 || strcmp(region, "auto") == 0;
  if (!plain) snprintf(body, sizeof body, form, region);
  net_source source = {.length = strlen(body), .bytes = body};
  s3_answer answer = {0};
  s3_request request = {.operation = "CreateBucket",
                        .method = "PUT",
                        .name = name,
                        .of_bucket = true,
                        .source = &source,
                        .payload = hash,
                        .repeatable = true};
  if (s3_hash(body, source.length, hash))
    s3_request_run(filesystem, &request, &answer, status);
  else
    s3_no_memory(status);
  s3_answer_end(&answer);
}

/* Servers report success again for a bucket that one already owns, so it is checked first. */
void s3_bucket_create(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  if (name->bucket[0] == '\0' || s3_stat_prefix(filesystem, name, status)) {
    TF_SetStatus(status, TF_ALREADY_EXISTS, "it is there");
  } else if (TF_GetCode(status) == TF_NOT_FOUND) {
    TF_SetStatus(status, TF_OK, "");
    create(filesystem, name, status);
  }
}

void s3_bucket_delete(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_answer answer;
  s3_request request = {.operation = "DeleteBucket",
                        .method = "DELETE",
                        .name = name,
                        .of_bucket = true,
                        .repeatable = true};
  if (name->bucket[0] == '\0') {
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the place of all buckets stays");
    return;
  }
  s3_request_run(filesystem, &request, &answer, status);
  s3_answer_end(&answer);
}
