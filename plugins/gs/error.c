#include "error.h"

#include <string.h>

#include "../common/json/json.h"
#include "../common/objects/failure.h"

void gs_error_read(const char *bytes, size_t n, gs_error *error) {
  *error = (gs_error){0};
  json_value *document = json_parse(bytes, n);
  const json_value *found = json_member(document, "error");
  const char *message = json_member_text(found, "message");
  const char *reason = json_member_text(json_first(json_member(found, "errors")), "reason");
  if (message) remote_keep_text(error->message, sizeof error->message, message, strlen(message));
  if (reason) remote_keep_text(error->reason, sizeof error->reason, reason, strlen(reason));
  json_free(document);
}

/* The server's reason is more precise than the HTTP status. */
static TF_Code code_of_reason(const char *reason) {
  static const remote_reason known[] = {
      {TF_UNAUTHENTICATED, "authError"},
      {TF_UNAVAILABLE, "rateLimitExceeded userRateLimitExceeded backendError "
                       "internalError"},
      {TF_RESOURCE_EXHAUSTED, "quotaExceeded dailyLimitExceeded"},
      {TF_INVALID_ARGUMENT, "uploadTooLarge invalid invalidParameter required"},
      {TF_UNIMPLEMENTED, "notImplemented"},
  };
  return remote_reason_code(known, sizeof known / sizeof *known, reason);
}

/* A hint for the user. */
static const char *advice(int status, const gs_error *error) {
  if (status == 401) return "; check the credentials";
  if (status == 404 && strstr(error->message, "bucket does not exist"))
    return "; create the bucket first, with mkdir";
  if (status == 301 || status == 302 || status == 307) return "; check the option endpoint";
  return "";
}

void gs_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                    const gs_error *error) {
  const objects_failure failure = {.code = answer->status == 404 ? TF_NOT_FOUND
                                                                 : code_of_reason(error->reason),
                                   .reason = error->reason,
                                   .message = error->message,
                                   .request_id = "",
                                   .advice = advice(answer->status, error)};
  objects_fail_answer(status, action, answer, &failure);
}
