/* Failures of requests: "GetObject of bucket/key: HTTP status 403, AccessDenied: ..." */
#ifndef OBJECTS_ERROR_H
#define OBJECTS_ERROR_H

#include "../fail/fail.h"
#include "name.h"

/* What was asked of the server. */
typedef struct objects_action {
  const char *operation; /* "GetObject" */
  const objects_name *name;
} objects_action;

/* Sets the code and the message "operation of bucket/key: " with the formatted text. */
__attribute__((format(printf, 4, 5))) void
objects_fail(TF_Status *status, TF_Code code, objects_action action, const char *format, ...);

#endif
