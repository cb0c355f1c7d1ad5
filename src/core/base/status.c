#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

/* The signature of a presigned URL is a secret. Its parameter: Amazon's, Google's, Azure's, older ones. */
static size_t signature_name(const char *text) {
  static const char *const names[] = {
      "X-Amz-Signature=", "X-Goog-Signature=", "Signature=", "X-Amz-Security-Token=", "sig=", NULL};
  for (const char *const *name = names; *name; name++)
    if (strncasecmp(text, *name, strlen(*name)) == 0) return strlen(*name);
  return 0;
}

/* Replaces the values of such parameters by "***", in place. */
static void veil_signatures(char *message) {
  for (char *c = strpbrk(message, "?&"); c; c = strpbrk(c, "?&")) {
    char *value = c + 1 + signature_name(c + 1);
    size_t n = value > c + 1 ? strcspn(value, "&#: \t'\"") : 0;
    if (n > 0) memset(value, '*', n < 3 ? n : 3);
    if (n > 3) memmove(value + 3, value + n, strlen(value + n) + 1);
    c++;
  }
}

void modfs_set_status(TF_Status *status, TF_Code code, const char *format, ...) {
  char message[MESSAGE_MAX];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  veil_signatures(message);
  TF_SetStatus(status, code, message);
}

void status_no_memory(TF_Status *status) {
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

/* Appends text at *used, writing control characters as \xNN; stops where the buffer ends. */
static void append_printable(char *out, size_t size, size_t *used, const char *text) {
  size_t n = *used;
  for (const unsigned char *c = (const unsigned char *)text; *c && n + 5 < size; c++) {
    if (*c < 0x20 || *c == 0x7f)
      n += (size_t)snprintf(out + n, size - n, "\\x%02x", *c);
    else
      out[n++] = (char)*c;
  }
  out[n] = '\0';
  *used = n;
}

/* A cleaned path without its scheme, with or without its host. NULL when memory is short. Owns: the
 * caller frees it. */
static char *bare_path(const char *text, size_t length, bool host) {
  char *copy = strndup(text, length), *bare = NULL;
  if (copy) {
    modfs_path parts = modfs_path_parse(copy, length);
    bare = modfs_path_clean(parts.scheme_length == 0 ? copy : host ? parts.host - 1 : parts.path);
  }
  free(copy);
  return bare;
}

/* Whether told is a temporary file to which an atomic write of path goes first: it stands for path.
 */
static bool is_beside(const char *told, const char *path) {
  const char *name = strrchr(told, '/'), *last = strrchr(path, '/');
  size_t directory = name ? (size_t)(name + 1 - told) : 0;
  return strncmp(told + directory, ".modfs-", 7) == 0 &&
         directory == (last ? (size_t)(last + 1 - path) : 0) && strncmp(told, path, directory) == 0;
}

/* Whether the path in a plugin's message is the user's: with or without scheme, cleaned or not, and
 * possibly with "***" for an end that is kept secret. */
static bool is_same_path(const char *told, size_t length, const char *path) {
  if (length > 3 && memcmp(told + length - 3, "***", 3) == 0)
    return strncmp(told, path, length - 3) == 0;
  char *theirs = bare_path(told, length, true);
  bool same = false;
  for (int host = 0; theirs && host <= 1 && !same; host++) {
    char *ours = bare_path(path, strlen(path), host);
    same = ours && (strcmp(theirs, ours) == 0 || is_beside(theirs, ours));
    free(ours);
  }
  free(theirs);
  return same;
}

/* The same for a path of the form "source to target": told is both or one of them. */
static bool is_one_of_pair(const char *told, size_t length, const char *path) {
  const char *middle = strstr(path, " to "), *other = memmem(told, length, " to ", 4);
  char *src = middle ? strndup(path, (size_t)(middle - path)) : NULL;
  bool same = false;
  if (src && other)
    same = is_same_path(told, (size_t)(other - told), src) &&
           is_same_path(other + 4, length - (size_t)(other + 4 - told), middle + 4);
  else if (src)
    same = is_same_path(told, length, src) || is_same_path(told, length, middle + 4);
  free(src);
  return same;
}

/* The message without the path that a plugin may have put before it, for hosts that add none. */
static const char *without_path(const char *message, const char *path) {
  size_t length = strlen(path);
  if (strncmp(message, path, length) == 0 && strncmp(message + length, ": ", 2) == 0)
    return message + length + 2;
  for (const char *end = strstr(message, ": "); end; end = strstr(end + 2, ": ")) {
    size_t told = (size_t)(end - message);
    if (is_same_path(message, told, path) || is_one_of_pair(message, told, path)) return end + 2;
  }
  return message;
}

bool status_takes(TF_Status *status, const char *what, const void *string) {
  status_clear(status);
  if (!string) modfs_set_status(status, TF_INVALID_ARGUMENT, "%s is NULL", what);
  return string != NULL;
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
    snprintf(number, sizeof number, "(unknown status code %d) ", (int)code);
    append_printable(message, sizeof message, &used, number);
    code = TF_UNKNOWN;
  }
  append_printable(message, sizeof message, &used,
                   path ? without_path(TF_Message(status), path) : TF_Message(status));
  veil_signatures(message);
  TF_SetStatus(status, code, message);
}

void status_rename(TF_Status *status, const char *operation) {
  char message[MESSAGE_MAX];
  const char *rest = strchr(TF_Message(status), ' ');
  if (TF_GetCode(status) == TF_OK || !rest) return;
  snprintf(message, sizeof message, "%s%s", operation, rest);
  TF_SetStatus(status, TF_GetCode(status), message);
}
