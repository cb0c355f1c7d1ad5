/* Failures that a server describes, in its own form of XML or JSON. */
#ifndef OBJECTS_FAILURE_H
#define OBJECTS_FAILURE_H

#include "../net/net.h"
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

/* The server's word for a failure, and the code that it means. */
typedef struct objects_reason {
  const char *name;
  TF_Code code;
} objects_reason;

/* TF_OK: it is none of these. */
TF_Code objects_reason_code(const objects_reason *known, size_t count, const char *name);

/* Keeps n bytes of a server's text, or as many as have room, without control characters. */
void objects_keep_text(char *place, size_t size, const char *text, size_t n);

#endif
