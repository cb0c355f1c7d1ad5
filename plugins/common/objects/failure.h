/* Failures that a server describes, in its own form of XML or JSON. */
#ifndef OBJECTS_FAILURE_H
#define OBJECTS_FAILURE_H

#include "../net/net.h"
#include "../remote/failure.h"
#include "error.h"

/* What is known of a failure; "" where the server told nothing. */
typedef struct objects_failure {
  TF_Code code; /* TF_OK: that of the HTTP status */
  const char *reason;
  const char *message;
  const char *request_id;
  const char *advice; /* a hint for the user, which begins with "; " */
} objects_failure;

/* Sets the status of a request that failed: what the server said or, without a response, why the transfer
 * failed. A success with a reason counts as a response. */
void objects_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                         const objects_failure *failure);

#endif
