/* Characters in UTF-8. */
#ifndef UTF8_UTF8_H
#define UTF8_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the character that begins here; 0 when it is invalid. The first byte and the range of the
 * second exclude overlong forms, surrogates, and what lies beyond U+10FFFF. An ASCII character must follow the
 * text, such as NUL: nothing behind it is read. */
static inline size_t utf8_character(const char *text) {
  static const struct {
    unsigned char least, most, second_least, second_most;
    size_t length;
  } forms[] = {
      {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  const unsigned char *c = (const unsigned char *)text;
  size_t form = 0, count = sizeof forms / sizeof *forms;
  while (form < count && (c[0] < forms[form].least || c[0] > forms[form].most))
    form++;
  if (form == count) return 0;
  size_t length = forms[form].length;
  if (length > 1 && (c[1] < forms[form].second_least || c[1] > forms[form].second_most)) return 0;
  for (size_t i = 2; i < length; i++)
    if ((c[i] & 0xc0) != 0x80) return 0;
  return length;
}

static inline bool utf8_is_valid(const char *text) {
  for (size_t n; *text; text += n)
    if ((n = utf8_character(text)) == 0) return false;
  return true;
}

#endif
