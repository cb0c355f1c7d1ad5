#include "exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/objects/send.h"
#include "../common/xml/xml.h"

enum { MOST_ANSWER = 64 * 1024, FIRST_PAUSE_MS = 100 };

typedef struct search {
  const s3_wanted *wanted;
  bool found;
} search;

static bool on_element(void *state, const char *path, const char *text) {
  search *self = state;
  if (strcmp(xml_below_root(path), self->wanted->path) != 0) return true;
  self->found = strlen(text) < self->wanted->size;
  if (self->found) snprintf(self->wanted->text, self->wanted->size, "%s", text);
  return self->found;
}

static bool is_momentary(const s3_error *error) {
  return strcmp(error->code, "InternalError") == 0 || strcmp(error->code, "SlowDown") == 0 ||
         strcmp(error->code, "ServiceUnavailable") == 0;
}

/* One attempt; sets answer->error where a success contains an error. */
static bool ask(const TF_Filesystem *filesystem, s3_request *request, const s3_wanted *wanted,
                s3_answer *answer, TF_Status *status) {
  search found = {.wanted = wanted};
  objects_document document = {.most = MOST_ANSWER};
  request->sink = objects_document_sink(&document);
  const objects_action action = {request->operation, request->name};
  bool good = s3_request_run(filesystem, request, answer, status);
  if (good && document.bytes && s3_error_parse(document.bytes, document.length, &answer->error)) {
    s3_fail_answer(status, action, &answer->head, &answer->error);
    good = false;
  } else if (good &&
             !(xml_read(on_element, &found, document.bytes, document.length) && found.found)) {
    objects_fail(status, TF_DATA_LOSS, action,
                 "HTTP status %d, but the response is not of the expected kind",
                 answer->head.status);
    good = false;
  }
  objects_document_end(&document);
  return good;
}

bool s3_exchange(const TF_Filesystem *filesystem, s3_request *request, const s3_wanted *wanted,
                 s3_answer *answer, TF_Status *status) {
  int64_t retries = remote_number(filesystem, OBJECTS_RETRIES), wait = FIRST_PAUSE_MS;
  request->deadline = net_now() + remote_number(filesystem, OBJECTS_TOTAL_TIMEOUT_MS);
  for (int64_t i = 0;; i++, wait *= 2) {
    if (ask(filesystem, request, wanted, answer, status)) return true;
    bool again = answer->head.status == 200 && is_momentary(&answer->error) && i < retries;
    if (!again || net_now() + wait >= request->deadline) return false;
    if (!net_wait_until(remote_of(filesystem)->client, net_now() + wait)) {
      TF_SetStatus(status, TF_CANCELLED, "interrupted");
      return false;
    }
    s3_answer_end(answer);
    TF_SetStatus(status, TF_OK, "");
  }
}
