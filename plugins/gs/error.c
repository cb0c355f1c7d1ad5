#include "error.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../common/json/json.h"
#include "../common/net/code.h"

/* Keeps the server's text on one line. */
static void keep(char *place, size_t size, const char *text) {
  snprintf(place, size, "%s", text);
  for (char *c = place; *c; c++)
    if (iscntrl((unsigned char)*c)) *c = ' ';
}

void gs_error_read(const char *bytes, size_t n, gs_error *error) {
  *error = (gs_error){0};
  json_value *document = json_parse(bytes, n);
  const json_value *found = json_member(document, "error");
  const char *message = json_member_text(found, "message");
  const char *reason = json_member_text(json_first(json_member(found, "errors")), "reason");
  if (message) keep(error->message, sizeof error->message, message);
  if (reason) keep(error->reason, sizeof error->reason, reason);
  json_free(document);
}

/* The server's reason is more precise than the HTTP status. */
static TF_Code code_of_reason(const char *reason) {
  static const struct {
    const char *name;
    TF_Code code;
  } known[] = {
      {"authError", TF_UNAUTHENTICATED},
      {"rateLimitExceeded", TF_UNAVAILABLE},
      {"userRateLimitExceeded", TF_UNAVAILABLE},
      {"quotaExceeded", TF_RESOURCE_EXHAUSTED},
      {"dailyLimitExceeded", TF_RESOURCE_EXHAUSTED},
      {"uploadTooLarge", TF_INVALID_ARGUMENT},
      {"invalid", TF_INVALID_ARGUMENT},
      {"invalidParameter", TF_INVALID_ARGUMENT},
      {"required", TF_INVALID_ARGUMENT},
      {"notImplemented", TF_UNIMPLEMENTED},
      {"backendError", TF_UNAVAILABLE},
      {"internalError", TF_UNAVAILABLE},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(reason, known[i].name) == 0) return known[i].code;
  return TF_OK;
}

static TF_Code code_of_status(int status) {
  if (status == 501) return TF_UNIMPLEMENTED;
  return status == 507 ? TF_RESOURCE_EXHAUSTED : net_code_of_status(status);
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
  char tries[32] = "";
  if (answer->attempts > 1) snprintf(tries, sizeof tries, ", %d attempts", answer->attempts);
  bool interrupted = answer->error == NET_INTERRUPTED; /* the page is an earlier attempt's */
  if (interrupted || answer->status < 300) {
    objects_fail(status, net_code_of_error(answer->error), action, "%s%s", answer->text, tries);
    return;
  }
  TF_Code code = answer->status == 404 ? TF_NOT_FOUND : code_of_reason(error->reason);
  objects_fail(status, code != TF_OK ? code : code_of_status(answer->status), action,
               "HTTP status %d%s%s%s%s%s%s", answer->status, error->reason[0] ? ", " : "",
               error->reason, error->message[0] ? ": " : "", error->message, tries,
               advice(answer->status, error));
}
