#include "error.h"

#include <stdarg.h>
#include <stdio.h>

bool archive_fail(TF_Status *status, TF_Code code, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  TF_SetStatus(status, code, text);
  return false;
}

bool archive_no_memory(TF_Status *status) {
  return archive_fail(status, TF_RESOURCE_EXHAUSTED, "out of memory");
}
