#include "name.h"

#include <stdbool.h>
#include <string.h>

#define QUOTE "\xe2\x80\x9b"

enum { LENGTH = 3, DEL = 0x7f }; /* of each character below, in UTF-8 */

/* The byte that the character stands for; 0: it stands for itself. */
static char byte_of(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] == 0xe2 && c[1] == 0x90 && c[2] > 0x80 && c[2] < 0xa0) return (char)(c[2] - 0x80);
  if (c[0] == 0xe2 && c[1] == 0x90 && c[2] == 0xa1) return DEL;
  return c[0] == 0xef && c[1] == 0xbc && c[2] == 0xbc ? '\\' : '\0';
}

/* Whether a quote in front of the character means the character itself. */
static bool is_quoted(const char *text) {
  return byte_of(text) || strncmp(text, QUOTE, LENGTH) == 0;
}

/* Whether the service does not take this byte. */
static bool is_replaced(char c) {
  return (c > 0 && c < ' ') || c == DEL || c == '\\';
}

static char *write_byte(char byte, char *to) {
  const char character[] = {byte == '\\' ? '\xef' : '\xe2', byte == '\\' ? '\xbc' : '\x90',
                            (char)(byte == '\\'  ? 0xbc
                                   : byte == DEL ? 0xa1
                                                 : 0x80 + byte)};
  memcpy(to, character, LENGTH);
  return to + LENGTH;
}

void az_name_write(const char *key, char name[AZ_NAME_SIZE]) {
  char *to = name;
  for (; *key; key++) {
    bool is_quote =
        strncmp(key, QUOTE, LENGTH) == 0 && (is_quoted(key + LENGTH) || is_replaced(key[LENGTH]));
    if (to + 2 * LENGTH >= name + AZ_NAME_SIZE) break; /* never: a key is not that long */
    if (byte_of(key) || is_quote) to = stpcpy(to, QUOTE);
    if (is_replaced(*key))
      to = write_byte(*key, to);
    else
      *to++ = *key;
  }
  *to = '\0';
}

void az_name_read(char *name) {
  char *to = name;
  while (*name) {
    char byte = byte_of(name);
    if (byte) {
      *to++ = byte;
      name += LENGTH;
      continue;
    }
    size_t quote = strncmp(name, QUOTE, LENGTH) == 0 && is_quoted(name + LENGTH) ? LENGTH : 0;
    size_t n = quote ? LENGTH : 1;
    memmove(to, name + quote, n);
    to += n;
    name += quote + n;
  }
  *to = '\0';
}
