/* Reasons for failures, before they become a status.
 *
 * Inner functions return one of these, so that no status is set while a lock is held;
 * each operation converts it into a status at its end. */
#ifndef MEMORY_ERROR_H
#define MEMORY_ERROR_H

#include <modfs/status.h>

typedef enum memory_error {
  MEMORY_OK = 0,
  MEMORY_MISSING,
  MEMORY_NO_PARENT,
  MEMORY_PARENT_IS_FILE,
  MEMORY_IS_DIRECTORY,
  MEMORY_IS_FILE,
  MEMORY_EXISTS,
  MEMORY_NOT_EMPTY,
  MEMORY_IS_ROOT,
  MEMORY_MALFORMED,
  MEMORY_TOO_LONG,
  MEMORY_EMPTY_FILE,
  MEMORY_END_OF_FILE,
  MEMORY_CLOSED,
  MEMORY_NO_MEMORY,
  MEMORY_LIMIT,
  MEMORY_TOO_MANY,
  MEMORY_ABORTED,
  MEMORY_COVERED_BELOW,
  MEMORY_CROSSES,
  MEMORY_OVERLAPS,
  MEMORY_NO_TRANSACTION,
  MEMORY_NOT_COVERED,
  MEMORY_NO_OPTION,
  MEMORY_BAD_OPTION,
  MEMORY_BAD_VALUE,
  MEMORY_BAD_ATTRIBUTES,
  MEMORY_NO_LINK,
  MEMORY_BAD_TARGET,
  MEMORY_VIA_LINK,
  MEMORY_BROKEN_LINK,
  MEMORY_LOOP,
  MEMORY_NO_ATTRIBUTE,
  MEMORY_NO_LIMIT,
  MEMORY_BY_PATH_ONLY
} memory_error;

/* Sets code and message; leaves the status as it is when there is no error. */
void memory_error_report(memory_error error, TF_Status *status);

/* The two halves, for statuses that are not fresh. */
TF_Code memory_error_code(memory_error error);
const char *memory_error_message(memory_error error);

#endif
