#include "failure.h"

#include <stdio.h>

void remote_fail(TF_Status *status, TF_Code code, const char *what, const char *format,
                 va_list arguments) {
  char words[800], text[1400];
  vsnprintf(words, sizeof words, format, arguments);
  snprintf(text, sizeof text, "%s: %s", what, words);
  TF_SetStatus(status, code, text);
}
