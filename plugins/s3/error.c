#include "error.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../common/net/code.h"
#include "../common/xml/xml.h"

/* Keeps the server's text on one line. */
static void keep(char *place, size_t size, const char *text) {
  snprintf(place, size, "%s", text);
  for (char *c = place; *c; c++)
    if (iscntrl((unsigned char)*c)) *c = ' ';
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
  static const struct {
    const char *name;
    TF_Code code;
  } known[] = {
      {"InvalidAccessKeyId", TF_UNAUTHENTICATED},   {"SignatureDoesNotMatch", TF_UNAUTHENTICATED},
      {"ExpiredToken", TF_UNAUTHENTICATED},         {"InvalidToken", TF_UNAUTHENTICATED},
      {"TokenRefreshRequired", TF_UNAUTHENTICATED}, {"RequestTimeTooSkewed", TF_UNAUTHENTICATED},
      {"QuotaExceeded", TF_RESOURCE_EXHAUSTED},     {"EntityTooLarge", TF_INVALID_ARGUMENT},
      {"InvalidBucketName", TF_INVALID_ARGUMENT},   {"KeyTooLongError", TF_INVALID_ARGUMENT},
      {"BucketAlreadyExists", TF_ALREADY_EXISTS},   {"BucketAlreadyOwnedByYou", TF_ALREADY_EXISTS},
      {"NotImplemented", TF_UNIMPLEMENTED},         {"SlowDown", TF_UNAVAILABLE},
      {"RequestTimeout", TF_UNAVAILABLE},           {"InternalError", TF_UNAVAILABLE},
      {"ServiceUnavailable", TF_UNAVAILABLE},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(code, known[i].name) == 0) return known[i].code;
  return TF_OK;
}

static TF_Code code_of_status(int status) {
  if (status == 501) return TF_UNIMPLEMENTED;
  return status == 507 ? TF_RESOURCE_EXHAUSTED : net_code_of_status(status);
}

/* A hint for the user. */
static const char *advice(int status, const char *code) {
  if (strcmp(code, "NoSuchBucket") == 0) return "; create the bucket first, with mkdir";
  if (strcmp(code, "InvalidAccessKeyId") == 0)
    return "; the server does not know this access key id";
  if (strcmp(code, "SignatureDoesNotMatch") == 0) return "; check the secret access key";
  if (strcmp(code, "ExpiredToken") == 0) return "; get new credentials";
  if (strcmp(code, "RequestTimeTooSkewed") == 0) return "; set the clock of this machine";
  if (status == 301 || status == 307) return "; check the options endpoint and region";
  return "";
}

void s3_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                    const s3_error *error) {
  char tries[32] = "", id[160] = "", value[128];
  if (answer->attempts > 1) snprintf(tries, sizeof tries, ", %d attempts", answer->attempts);
  if (error->request_id[0])
    snprintf(id, sizeof id, ", request %s", error->request_id);
  else if (net_answer_header(answer, "x-amz-request-id", value, sizeof value))
    snprintf(id, sizeof id, ", request %s", value);
  bool interrupted = answer->error == NET_INTERRUPTED; /* the page is an earlier attempt's */
  if (interrupted || (answer->status < 300 && !error->code[0])) {
    objects_fail(status, net_code_of_error(answer->error), action, "%s%s", answer->text, tries);
    return;
  }
  TF_Code code = code_of_error(error->code);
  objects_fail(status, code != TF_OK ? code : code_of_status(answer->status), action,
               "HTTP status %d%s%s%s%s%s%s%s", answer->status, error->code[0] ? ", " : "",
               error->code, error->message[0] ? ": " : "", error->message, id, tries,
               advice(answer->status, error->code));
}
