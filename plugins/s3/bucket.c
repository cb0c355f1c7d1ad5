#include <stdio.h>
#include <string.h>

#include "protocol.h"
#include "request.h"
#include "sign.h"

bool s3_create_bucket(const TF_Filesystem *filesystem, const objects_name *name,
                      TF_Status *status) {
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
  s3_request request = {"CreateBucket",    "PUT",          name, .of_bucket = true,
                        .source = &source, .payload = hash};
  bool good = false;
  if (s3_hash(body, source.length, hash))
    good = s3_request_run(filesystem, &request, &answer, status);
  else
    fail_no_memory(status);
  s3_answer_end(&answer);
  return good;
}

bool s3_delete_bucket(const TF_Filesystem *filesystem, const objects_name *name,
                      TF_Status *status) {
  s3_answer answer;
  s3_request request = {"DeleteBucket", "DELETE", name, .of_bucket = true};
  bool good = s3_request_run(filesystem, &request, &answer, status);
  s3_answer_end(&answer);
  return good;
}
