#include "failure.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../words/words.h"

void remote_fail(TF_Status *status, TF_Code code, const char *what, const char *format,
                 va_list arguments) {
  char words[800], text[1400];
  vsnprintf(words, sizeof words, format, arguments);
  snprintf(text, sizeof text, "%s: %s", what, words);
  TF_SetStatus(status, code, text);
}

TF_Code remote_reason_code(const remote_reason *known, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (words_have(known[i].words, word, strlen(word))) return known[i].code;
  return TF_OK;
}

void remote_keep_text(char *place, size_t size, const char *text, size_t n) {
  snprintf(place, size, "%.*s", (int)n, text);
  for (char *c = place; *c; c++)
    if (iscntrl((unsigned char)*c)) *c = ' ';
}
