#include "log.h"

#include <stdarg.h>
#include <stdio.h>

/* A weak reference: NULL where no library of the process exports it. */
#pragma weak TF_Log

void reference_log(TF_LogLevel level, const char *format, ...) {
  static const char letters[] = "IWEF";
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (TF_Log)
    TF_Log(level, "%s", message);
  else
    fprintf(stderr, "%c reference: %s\n", letters[level], message);
}
