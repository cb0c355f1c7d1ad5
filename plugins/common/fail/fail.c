#include "fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool fail_with(TF_Status *status, TF_Code code, const char *format, ...) {
  char text[1400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  TF_SetStatus(status, code, text);
  return false;
}

bool fail_no_memory(TF_Status *status) {
  return fail_with(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}

bool fail_without_credentials(TF_Status *status, const char *text) {
  int any = open("/", O_PATH | O_CLOEXEC);
  bool lacks = any < 0 && (errno == EMFILE || errno == ENFILE);
  if (any >= 0) close(any);
  if (!lacks) return fail_with(status, TF_UNAUTHENTICATED, "%s", text);
  return fail_with(status, TF_RESOURCE_EXHAUSTED,
                   "no file of credentials can be read: too many open files");
}

void *fail_or_allocate(size_t size, TF_Status *status) {
  void *made = calloc(1, size);
  if (!made) fail_no_memory(status);
  return made;
}
