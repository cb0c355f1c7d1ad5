/* Failures, as a code and one line. */
#ifndef ARCHIVE_ERROR_H
#define ARCHIVE_ERROR_H

#include <modfs/status.h>
#include <stdbool.h>

/* Returns false, for callers that fail with it. */
bool archive_fail(TF_Status *status, TF_Code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool archive_no_memory(TF_Status *status);

static inline bool archive_ok(const TF_Status *status) {
  return TF_GetCode(status) == TF_OK;
}

#endif
