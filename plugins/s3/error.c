#include "error.h"

#include <string.h>
#include <strings.h>

#include "../common/objects/server_clock.h"
#include "../common/objects/failure.h"
#include "../common/xml/xml.h"

static void keep(char *place, size_t size, const char *text) {
  remote_keep_text(place, size, text, strlen(text));
}

/* The elements are the root's, or those of an <Error> in it, as in the documents of other services. */
static bool on_element(void *state, const char *path, const char *text) {
  s3_error *error = state;
  const char *name = xml_below_root(path);
  if (strncmp(name, "/Error/", 7) == 0) name += 6;
  if (strcmp(name, "/Code") == 0) keep(error->code, sizeof error->code, text);
  if (strcmp(name, "/Message") == 0) keep(error->message, sizeof error->message, text);
  if (strcasecmp(name, "/RequestId") == 0) keep(error->request_id, sizeof error->request_id, text);
  if (strcmp(name, "/Region") == 0) keep(error->region, sizeof error->region, text);
  if (strcmp(name, "/Endpoint") == 0) keep(error->endpoint, sizeof error->endpoint, text);
  return true;
}

bool s3_error_parse(const char *bytes, size_t n, s3_error *error) {
  *error = (s3_error){0};
  bool good = xml_read(on_element, error, bytes, n);
  if (!good) *error = (s3_error){0};
  return good && error->code[0] != '\0';
}

/* The server's error code is more precise than the HTTP status. */
static TF_Code code_of_error(const char *code) {
  static const remote_reason known[] = {
      {TF_UNAUTHENTICATED, "InvalidAccessKeyId SignatureDoesNotMatch ExpiredToken "
                           "InvalidToken TokenRefreshRequired RequestTimeTooSkewed"},
      {TF_RESOURCE_EXHAUSTED, "QuotaExceeded"},
      {TF_INVALID_ARGUMENT, "EntityTooLarge InvalidBucketName KeyTooLongError"},
      {TF_ALREADY_EXISTS, "BucketAlreadyExists BucketAlreadyOwnedByYou"},
      {TF_UNIMPLEMENTED, "NotImplemented"},
      {TF_UNAVAILABLE, "SlowDown RequestTimeout InternalError ServiceUnavailable"},
  };
  return remote_reason_code(known, sizeof known / sizeof *known, code);
}

static bool is_skewed(const char *code) {
  return strcmp(code, "RequestTimeTooSkewed") == 0;
}

/* A hint for the user. */
static const char *advice(int status, const char *code) {
  if (strcmp(code, "NoSuchBucket") == 0) return "; create the bucket first, with mkdir";
  if (strcmp(code, "InvalidAccessKeyId") == 0)
    return "; the server does not know this access key id";
  if (strcmp(code, "SignatureDoesNotMatch") == 0) return "; check the secret access key";
  if (strcmp(code, "ExpiredToken") == 0) return "; get new credentials";
  if (is_skewed(code)) return "; set the clock of this machine";
  if (status == 301 || status == 307) return "; check the options endpoint and region";
  return "";
}

void s3_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                    const s3_error *error) {
  char id[sizeof error->request_id] = "", clock[OBJECTS_CLOCK_SIZE] = "";
  if (!error->request_id[0]) net_answer_header(answer, "x-amz-request-id", id, sizeof id);
  if (is_skewed(error->code)) objects_clock_advice(answer, clock);
  const objects_failure failure = {.code = code_of_error(error->code),
                                   .reason = error->code,
                                   .message = error->message,
                                   .request_id = error->request_id[0] ? error->request_id : id,
                                   .advice = *clock ? clock : advice(answer->status, error->code)};
  objects_fail_answer(status, action, answer, &failure);
}
