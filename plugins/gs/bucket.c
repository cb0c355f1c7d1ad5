#include <stdio.h>
#include <string.h>

#include <stdlib.h>

#include "../common/json/json.h"
#include "request.h"
#include "service.h"

/* Names of buckets: 3 to 63 of a-z, 0-9, - and _; with dots in it up to 222, of which our names have room for
 * fewer. */
static bool is_bucket(const char *text, size_t n) {
  static const char in_names[] = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
  const bool dotted = memchr(text, '.', n) != NULL;
  return n >= 3 && (n <= 63 || dotted) && strspn(text, in_names) >= n && !strchr("-_.", text[0]) &&
         !strchr("-_.", text[n - 1]);
}

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_INVALID_ARGUMENT, why);
  return false;
}

bool gs_take_bucket(const char *scheme, const char **rest, objects_name *name, TF_Status *status) {
  const char *text = *rest;
  size_t n = strcspn(text, "/");
  (void)scheme;
  if (n >= sizeof name->bucket)
    return refuse("the bucket name is longer than 127 characters", status);
  memcpy(name->bucket, text, n);
  name->bucket[n] = '\0';
  name->is_root = n == 0;
  *rest += n + (text[n] == '/');
  if (n > 0 && !is_bucket(text, n))
    return refuse("not a bucket name: expected 3 to 63 of a-z, 0-9, -, _ and ., with a letter or "
                  "digit at both ends",
                  status);
  return n > 0 || **rest == '\0' || refuse("the bucket name is missing", status);
}

/* NULL without memory. Owns: the caller, free(). */
static char *make_body(const TF_Filesystem *filesystem, const char *bucket) {
  const char *region = remote_text(filesystem, S3_REGION);
  json_value *made = json_new();
  bool good = json_set_text(made, "name", bucket) &&
              (strcmp(region, "auto") == 0 || json_set_text(made, "location", region));
  char *text = good ? json_print(made) : NULL;
  json_free(made);
  return text;
}

bool gs_create_bucket(const TF_Filesystem *filesystem, const objects_name *name,
                      TF_Status *status) {
  static const char *const headers[] = {"Content-Type: application/json; charset=UTF-8", NULL};
  const char *project = remote_text(filesystem, GS_PROJECT);
  const s3_pair query[] = {{*project ? "project" : NULL, project}, {NULL, NULL}};
  char *body = make_body(filesystem, name->bucket);
  const net_source source = {.length = body ? strlen(body) : 0, .bytes = body};
  const gs_request request = {"buckets.insert",       "POST",         name,
                              .place = GS_AT_BUCKETS, .query = query, .headers = headers,
                              .source = &source};
  const objects_action action = {request.operation, name};
  gs_answer answer = {0};
  bool good = body && gs_request_run(filesystem, &request, &answer, status);
  if (!body) fail_no_memory(status);
  if (answer.head.status == 409)
    objects_fail(status, TF_ALREADY_EXISTS, action, "a bucket of this name exists");
  if (answer.head.status == 400 && !*project)
    objects_fail(status, TF_FAILED_PRECONDITION, action,
                 "a bucket belongs to a project; set the option project");
  gs_answer_end(&answer);
  free(body);
  return good;
}

bool gs_delete_bucket(const TF_Filesystem *filesystem, const objects_name *name,
                      TF_Status *status) {
  const gs_request request = {"buckets.delete", "DELETE", name, .place = GS_AT_BUCKET};
  gs_answer answer;
  bool good = gs_request_run(filesystem, &request, &answer, status);
  if (answer.head.status == 409 || answer.head.status == 412)
    objects_fail(status, TF_FAILED_PRECONDITION, (objects_action){request.operation, name},
                 "the bucket is not empty");
  gs_answer_end(&answer);
  return good;
}
