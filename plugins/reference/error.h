/* Reasons for failures, before they become a status. */
#ifndef REFERENCE_ERROR_H
#define REFERENCE_ERROR_H

#include <modfs/status.h>

typedef enum reference_error {
  REFERENCE_OK = 0,
  REFERENCE_NO_MEMORY,
  REFERENCE_NO_THREAD,
  REFERENCE_NO_DEVICE,
  REFERENCE_HOST_TOO_OLD,
  REFERENCE_PARENTS_STREAM,
  REFERENCE_PARENTS_EVENT,
  REFERENCE_OTHER_STREAM,
  REFERENCE_OTHER_EVENT,
  REFERENCE_OWN_STREAM,
  REFERENCE_NOT_RECORDED,
  REFERENCE_NOT_MEMORY,
  REFERENCE_FREED,
  REFERENCE_ODD_SIZE,
  REFERENCE_ORDERED
} reference_error;

/* Sets code and message; leaves the status as it is when there is no error. */
void reference_error_report(reference_error error, TF_Status *status);

TF_Code reference_error_code(reference_error error);
const char *reference_error_message(reference_error error);

#endif
