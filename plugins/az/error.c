#include "error.h"

#include <string.h>

#include "../common/objects/server_clock.h"
#include "../common/objects/failure.h"
#include "../common/xml/xml.h"

/* Keeps the first line of the server's text: the number of the request and the time follow it. */
static void keep(char *place, size_t size, const char *text) {
  remote_keep_text(place, size, text, strcspn(text, "\r\n"));
}

/* Other elements are left out: AuthenticationErrorDetail repeats what was signed, and the signature. */
static bool on_element(void *state, const char *path, const char *text) {
  az_error *error = state;
  const char *name = xml_below_root(path);
  if (strcmp(name, "/Code") == 0) keep(error->code, sizeof error->code, text);
  if (strcmp(name, "/Message") == 0) keep(error->message, sizeof error->message, text);
  return true;
}

void az_error_read(const net_answer *answer, const char *bytes, size_t n, az_error *error) {
  char value[80];
  *error = (az_error){.code = ""};
  if (!xml_read(on_element, error, bytes, n)) *error = (az_error){.code = ""};
  if (net_answer_header(answer, "x-ms-error-code", value, sizeof value))
    keep(error->code, sizeof error->code, value);
  if (net_answer_header(answer, "x-ms-request-id", value, sizeof value))
    keep(error->request_id, sizeof error->request_id, value);
}

bool az_error_is(const az_error *error, const char *code) {
  return strcmp(error->code, code) == 0;
}

/* The server's error code is more precise than the HTTP status. */
static TF_Code code_of_error(const char *code) {
  static const remote_reason known[] = {
      {TF_UNAUTHENTICATED, "AuthenticationFailed InvalidAuthenticationInfo "
                           "NoAuthenticationInformation"},
      {TF_PERMISSION_DENIED, "PublicAccessNotPermitted UnauthorizedBlobOverwrite "
                             "BlobImmutableDueToPolicy"},
      {TF_ALREADY_EXISTS, "BlobAlreadyExists ContainerAlreadyExists"},
      {TF_UNAVAILABLE, "ContainerBeingDeleted PendingCopyOperation "
                       "AccountBeingCreated"},
      {TF_FAILED_PRECONDITION, "LeaseIdMissing LeaseIdMismatchWithBlobOperation LeaseLost"},
      {TF_ABORTED, "InvalidBlockList"},
      {TF_RESOURCE_EXHAUSTED, "BlockCountExceedsLimit BlockListTooLong"},
      {TF_INVALID_ARGUMENT, "RequestBodyTooLarge InvalidResourceName OutOfRangeInput"},
      {TF_UNIMPLEMENTED, "APINotImplemented"},
  };
  return remote_reason_code(known, sizeof known / sizeof *known, code);
}

/* A hint for the user. */
static const char *advice(const char *code) {
  static const char *const known[][2] = {
      {"ContainerNotFound", "; create the container first, with mkdir"},
      {"AuthenticationFailed", "; check the account's key, the SAS or the clock of this machine"},
      {"LeaseIdMissing", "; another client holds a lease on it, which modfs does not take over"},
      {"InvalidBlockList", "; another writer has published or discarded the blocks meanwhile"},
      {"InvalidBlobOrBlock",
       "; another client has left blocks with names of another length there: write the blob once "
       "in one piece, or wait a week"},
      {"BlobArchived", "; bring it back from the archive tier first"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(code, known[i][0]) == 0) return known[i][1];
  return "";
}

void az_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                    const az_error *error) {
  char clock[OBJECTS_CLOCK_SIZE] = "";
  if (az_error_is(error, "AuthenticationFailed")) objects_clock_advice(answer, clock);
  const objects_failure failure = {.code = code_of_error(error->code),
                                   .reason = error->code,
                                   .message = error->message,
                                   .request_id = error->request_id,
                                   .advice = *clock ? clock : advice(error->code)};
  objects_fail_answer(status, action, answer, &failure);
}
