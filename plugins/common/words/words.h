/* Lists of words in one text, with a space between two of them. */
#ifndef WORDS_WORDS_H
#define WORDS_WORDS_H

#include <stdbool.h>
#include <string.h>

/* Whether n bytes of text are one of the words. A list that begins with a space has "", too. */
static inline bool words_have(const char *words, const char *text, size_t n) {
  while (*words) {
    size_t length = strcspn(words, " ");
    if (length == n && memcmp(words, text, n) == 0) return true;
    words += length + (words[length] == ' ');
  }
  return false;
}

#endif
