#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_MAX = 4096 };

static const char *const code_names[] = {
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
};

static bool code_known(TF_Code code) {
  return (int)code >= 0 && (size_t)code < sizeof code_names / sizeof *code_names;
}

const char *modfs_code_name(TF_Code code) {
  return code_names[code_known(code) ? code : TF_UNKNOWN];
}

void modfs_set_status(TF_Status *status, TF_Code code, const char *format, ...) {
  char message[MESSAGE_MAX];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  TF_SetStatus(status, code, message);
}

void status_clear(TF_Status *status) {
  TF_SetStatus(status, TF_OK, "");
}

bool status_ok(const TF_Status *status) {
  return TF_GetCode(status) == TF_OK;
}

void status_no_memory(TF_Status *status) {
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

/* Appends text at *used, writing control characters as \xNN; stops where the buffer ends. */
static void append_printable(char *out, size_t size, size_t *used, const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c && *used + 5 < size; c++) {
    if (*c < 0x20 || *c == 0x7f)
      *used += (size_t)snprintf(out + *used, size - *used, "\\x%02x", *c);
    else
      out[(*used)++] = (char)*c;
  }
  out[*used] = '\0';
}

void status_locate(TF_Status *status, const char *operation, const char *path) {
  TF_Code code = TF_GetCode(status);
  if (code == TF_OK) return;
  char message[MESSAGE_MAX];
  size_t used = 0;
  append_printable(message, sizeof message, &used, operation);
  if (path) {
    append_printable(message, sizeof message, &used, " ");
    append_printable(message, sizeof message / 2, &used, path);
  }
  append_printable(message, sizeof message, &used, ": ");
  if (!code_known(code)) {
    char number[40];
    snprintf(number, sizeof number, "(code %d, which is none) ", (int)code);
    append_printable(message, sizeof message, &used, number);
    code = TF_UNKNOWN;
  }
  append_printable(message, sizeof message, &used, TF_Message(status));
  TF_SetStatus(status, code, message);
}

void status_rename(TF_Status *status, const char *operation) {
  char message[MESSAGE_MAX];
  const char *rest = strchr(TF_Message(status), ' ');
  if (TF_GetCode(status) == TF_OK || !rest) return;
  snprintf(message, sizeof message, "%s%s", operation, rest);
  TF_SetStatus(status, TF_GetCode(status), message);
}
