#include "format.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

char *remote_format_list(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text) vsnprintf(text, (size_t)length + 1, format, arguments);
  return text;
}

char *remote_format(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = remote_format_list(format, arguments);
  va_end(arguments);
  return text;
}

char *remote_format_end(FILE *stream, char **text) {
  bool good = stream && !ferror(stream);
  if (stream && fclose(stream) == 0 && good) return *text;
  free(*text);
  return *text = NULL;
}
