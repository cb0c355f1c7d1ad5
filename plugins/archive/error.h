/* Failures, as a code and one line. */
#ifndef ARCHIVE_ERROR_H
#define ARCHIVE_ERROR_H

#include "../common/fail/fail.h"

static inline bool archive_ok(const TF_Status *status) {
  return TF_GetCode(status) == TF_OK;
}

#endif
