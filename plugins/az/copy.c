/* Copies. The service may answer before it has copied: its status is asked for until it has ended. A copy
 * that is interrupted meanwhile is called off. Within an account the service reads the source with the rights
 * of the request; with a SAS the source is named with the same SAS. All state is on the stack. */
#include "copy.h"

#include <stdio.h>
#include <string.h>

#include "blob.h"

enum { ID_SIZE = 80, STATE_SIZE = 32, FIRST_PAUSE_MS = 50, MOST_PAUSE_MS = 2000 };

typedef struct copied {
  char id[ID_SIZE];
  char state[STATE_SIZE]; /* "success", "pending", "failed", "aborted" */
} copied;

static void read_state(const net_answer *answer, copied *made) {
  *made = (copied){.id = ""};
  net_answer_header(answer, "x-ms-copy-id", made->id, sizeof made->id);
  if (!net_answer_header(answer, "x-ms-copy-status", made->state, sizeof made->state))
    snprintf(made->state, sizeof made->state, "success"); /* a copy that is made at once */
}

/* Ends a copy under way; what is left is an empty blob. Failures are silent. */
static void call_off(const TF_Filesystem *filesystem, const objects_name *name, const char *id) {
  static const char *const headers[] = {"x-ms-copy-action: abort", NULL};
  const az_pair query[] = {{"comp", "copy"}, {"copyid", id}, {NULL, NULL}};
  const az_request request = {
      "AbortCopyBlob",  "PUT", name, .query = query, .headers = headers, .source = &az_no_body,
      .cleans_up = true};
  TF_Status *status = TF_NewStatus();
  if (status) az_request_do(filesystem, &request, status);
  TF_DeleteStatus(status);
}

static bool look(const TF_Filesystem *filesystem, const objects_name *name, copied *now,
                 TF_Status *status) {
  az_answer answer;
  const az_request request = {.operation = "GetBlobProperties", .method = "HEAD", .name = name};
  bool good = az_request_run(filesystem, &request, &answer, status);
  if (good) read_state(&answer.head, now);
  az_answer_end(&answer);
  return good;
}

static bool wait(const TF_Filesystem *filesystem, const objects_name *name, copied *made,
                 TF_Status *status) {
  char id[ID_SIZE];
  int64_t pause = FIRST_PAUSE_MS;
  memcpy(id, made->id, sizeof id);
  while (strcmp(made->state, "pending") == 0) {
    if (!net_wait_until(remote_of(filesystem)->client, net_now() + pause)) {
      TF_SetStatus(status, TF_CANCELLED, "interrupted");
      call_off(filesystem, name, id);
      return false;
    }
    if (pause < MOST_PAUSE_MS) pause *= 2;
    if (!look(filesystem, name, made, status)) return false;
    if (strcmp(made->id, id) != 0) {
      objects_fail(status, TF_ABORTED, (objects_action){"CopyBlob", name},
                   "another writer has replaced the copy");
      return false;
    }
  }
  return true;
}

/* The service reads another account's blob with credentials of its own only. */
static bool is_one_account(const objects_copying *copying, TF_Status *status) {
  az_place from, to;
  az_place_of(copying->from, &from);
  az_place_of(copying->to, &to);
  if (strcmp(from.account, to.account) == 0 || !from.account[0] || !to.account[0]) return true;
  TF_SetStatus(status, TF_UNIMPLEMENTED,
               "the service copies within one account only; read and write the file instead");
  return false;
}

static bool start(const TF_Filesystem *filesystem, const objects_copying *copying, copied *made,
                  TF_Status *status) {
  char match[OBJECTS_TAG_SIZE + 32];
  snprintf(match, sizeof match, "x-ms-source-if-match: %s", copying->match ? copying->match : "");
  const char *const headers[] = {copying->match && *copying->match ? match : NULL, NULL};
  az_answer answer;
  const az_request request = {
      "CopyBlob",           "PUT", copying->to, .headers = headers, .copied = copying->from,
      .source = &az_no_body};
  bool good = az_request_run(filesystem, &request, &answer, status);
  if (good) read_state(&answer.head, made);
  if (!good && answer.head.status == 412 && copying->match)
    objects_fail(status, TF_ABORTED, (objects_action){"CopyBlob", copying->from},
                 "the object has changed since it was opened; open it again");
  az_answer_end(&answer);
  return good;
}

bool az_copy(const TF_Filesystem *filesystem, const objects_copying *copying, TF_Status *status) {
  copied made;
  if (!is_one_account(copying, status) || !start(filesystem, copying, &made, status) ||
      !wait(filesystem, copying->to, &made, status))
    return false;
  if (strcmp(made.state, "success") == 0) return true;
  objects_fail(status, TF_UNAVAILABLE, (objects_action){"CopyBlob", copying->to},
               "the service reports the copy as %s", made.state);
  return false;
}
