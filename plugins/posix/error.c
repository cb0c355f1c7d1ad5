#include "error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../common/located/located.h"

static const struct {
  TF_Code code;
  const char *text;
} own_errors[] = {
    [-POSIX_FOREIGN_HOST] = {TF_INVALID_ARGUMENT, "the host in this URI is not this machine"},
    [-POSIX_NOT_A_FILE] = {TF_FAILED_PRECONDITION, "not a regular file"},
    [-POSIX_EMPTY_FILE] = {TF_INVALID_ARGUMENT, "the file is empty"},
    [-POSIX_BROKEN_LINK] = {TF_FAILED_PRECONDITION, "the path is a dangling symbolic link"},
    [-POSIX_CLOSED] = {TF_FAILED_PRECONDITION, "the file is closed"},
    [-POSIX_NO_SYNC] = {TF_UNIMPLEMENTED, "the storage does not support making this durable"},
    [-POSIX_LINK] = {TF_FAILED_PRECONDITION, "symbolic link, which is not followed"},
    [-POSIX_NO_LINK] = {TF_FAILED_PRECONDITION, "not a symbolic link"},
};

TF_Code posix_error_code(int error, TF_Status *status) {
  if (error < 0) return own_errors[-error].code;
  switch (error) {
  case EFBIG:
    return TF_RESOURCE_EXHAUSTED;
  case ELOOP:
  case ESPIPE:
  case ENXIO: /* a socket or device without a driver or peer: the name itself exists */
  case ENODEV:
    return TF_FAILED_PRECONDITION;
  default:
    TF_SetStatusFromIOError(status, error, "");
    return TF_GetCode(status);
  }
}

/* Lowers the first letter ("no such file"), except in words like "RPC". */
static void lower_first(char *text) {
  char second = text[0] != '\0' ? text[1] : '\0';
  if (text[0] >= 'A' && text[0] <= 'Z' && !(second >= 'A' && second <= 'Z')) {
    text[0] = (char)(text[0] - 'A' + 'a');
  }
}

void posix_error_text(int error, char text[POSIX_ERROR_TEXT]) {
  char room[POSIX_ERROR_TEXT];
  const char *found = error < 0 ? own_errors[-error].text : strerror_r(error, room, sizeof room);
  snprintf(text, POSIX_ERROR_TEXT, "%s", found);
  lower_first(text);
}

void posix_report_error(TF_Status *status, int error) {
  /* These two are common, and often no failures: the fast paths. */
  if (error == ENOENT) {
    TF_SetStatus(status, TF_NOT_FOUND, "no such file or directory");
  } else if (error == ENOTDIR) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "not a directory");
  } else {
    char text[POSIX_ERROR_TEXT];
    posix_error_text(error, text);
    TF_SetStatus(status, posix_error_code(error, status), text);
  }
}

void posix_report_error_at(TF_Status *status, int error, const char *path) {
  posix_report_error(status, error);
  located_fail(status, path);
}
