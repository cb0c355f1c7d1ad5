#include "failure.h"

#include <stdio.h>

#include "../net/code.h"

static TF_Code code_of_status(int status) {
  if (status == 501) return TF_UNIMPLEMENTED;
  return status == 507 ? TF_RESOURCE_EXHAUSTED : net_code_of_status(status);
}

void objects_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                         const objects_failure *failure) {
  char tries[NET_TRIES_SIZE], id[160] = "";
  net_answer_tries(answer, tries);
  if (*failure->request_id) snprintf(id, sizeof id, ", request %s", failure->request_id);
  bool interrupted = answer->error == NET_INTERRUPTED; /* the page is an earlier attempt's */
  bool answered = answer->status >= (*failure->reason ? 200 : 300);
  if (interrupted || !answered) {
    objects_fail(status, net_code_of_error(answer->error), action, "%s%s", answer->text, tries);
    return;
  }
  TF_Code code = failure->code != TF_OK ? failure->code : code_of_status(answer->status);
  objects_fail(status, code, action, "HTTP status %d%s%s%s%s%s%s%s", answer->status,
               *failure->reason ? ", " : "", failure->reason, *failure->message ? ": " : "",
               failure->message, id, tries, failure->advice);
}
