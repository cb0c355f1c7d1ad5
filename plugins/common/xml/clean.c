#include "clean.h"

#include <stdlib.h>
#include <string.h>

static bool is_good(unsigned long character) {
  return character >= ' ' ? character != 0xfffe && character != 0xffff
                          : character == '\t' || character == '\n' || character == '\r';
}

/* Whether this is a reference, "&#x7;" or "&#7;", to a character that XML does not allow. */
static bool is_bad_reference(const char *held) {
  if (strncmp(held, "&#", 2) != 0) return false;
  char *end = NULL;
  bool hexadecimal = held[2] == 'x';
  unsigned long character = strtoul(held + (hexadecimal ? 3 : 2), &end, hexadecimal ? 16 : 10);
  return *end == ';' && !is_good(character);
}

/* U+FFFE and U+FFFF as bytes. */
static bool is_bad_character(const char *held) {
  return memcmp(held, "\xef\xbf", 2) == 0 && (unsigned char)held[2] >= 0xbe;
}

static bool is_whole(const xml_clean *self) {
  if (self->held[0] == '&') return self->held[self->length - 1] == ';' || self->length == 10;
  return self->length == 3;
}

static size_t replace(xml_clean *self, char *passed) {
  self->altered = true;
  passed[0] = '?';
  return 1;
}

/* Whether the byte passes as it is, and begins nothing that is held back. */
static bool is_plain(char c) {
  return ((unsigned char)c >= ' ' || c == '\n' || c == '\t' || c == '\r') && c != '&' &&
         c != '\xef';
}

size_t xml_clean_pass(const xml_clean *self, const char *bytes, size_t n) {
  size_t passed = 0;
  while (self->length == 0 && passed < n && is_plain(bytes[passed]))
    passed++;
  return passed;
}

size_t xml_clean_take(xml_clean *self, char c, char passed[XML_CLEAN_MOST]) {
  if (self->length == 0 && c != '&' && c != '\xef') {
    passed[0] = c;
    return is_good((unsigned char)c) ? 1 : replace(self, passed);
  }
  self->held[self->length++] = c;
  if (!is_whole(self)) return 0;
  size_t n = self->length;
  self->held[n] = '\0';
  self->length = 0;
  if (is_bad_reference(self->held) || is_bad_character(self->held)) return replace(self, passed);
  memcpy(passed, self->held, n);
  return n;
}
