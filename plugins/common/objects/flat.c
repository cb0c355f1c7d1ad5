#include "flat.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* What is decoded, as much of it as has room. */
typedef struct text {
  char *bytes;
  size_t size;
  size_t length; /* also counts what had no room */
} text;

static void put(text *to, unsigned byte) {
  if (to->length + 1 < to->size) to->bytes[to->length] = (char)byte;
  to->length++;
}

static void put_character(text *to, uint32_t c) {
  if (c < 0x80) {
    put(to, c);
    return;
  }
  int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
  put(to, first[more] | (c >> (6 * more)));
  while (more-- > 0)
    put(to, 0x80 | ((c >> (6 * more)) & 0x3f));
}

/* Four hexadecimal digits; NULL: there are none. */
static const char *take_four(const char *at, uint32_t *c) {
  *c = 0;
  for (int i = 0; i < 4; i++, at++) {
    if (!isxdigit((unsigned char)*at)) return NULL;
    unsigned digit = (unsigned)(*at <= '9' ? *at - '0' : (*at | ' ') - 'a' + 10);
    *c = *c * 16 + digit;
  }
  return at;
}

/* Behind "\u". Half a pair stands for no character. */
static const char *take_unicode(const char *at, text *to) {
  uint32_t c = 0, low = 0;
  at = take_four(at, &c);
  if (!at || c == 0 || (c >= 0xdc00 && c < 0xe000)) return NULL;
  if (c >= 0xd800 && c < 0xdc00) {
    at = at[0] == '\\' && at[1] == 'u' ? take_four(at + 2, &low) : NULL;
    if (!at || low < 0xdc00 || low >= 0xe000) return NULL;
    c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
  }
  put_character(to, c);
  return at;
}

static const char *take_escape(const char *at, text *to) {
  static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  if (*at == 'u') return take_unicode(at + 1, to);
  const char *found = *at ? strchr(escapes, *at) : NULL;
  if (!found) return NULL;
  put(to, (unsigned char)meant[found - escapes]);
  return at + 1;
}

/* Behind the opening quote; returns what is behind the closing one, NULL if it is malformed. */
static const char *take_string(const char *at, text *to) {
  while (at && *at != '"') {
    if ((unsigned char)*at < ' ') return NULL;
    if (*at == '\\')
      at = take_escape(at + 1, to);
    else
      put(to, (unsigned char)*at++);
  }
  return at ? at + 1 : NULL;
}

static const char *skip_space(const char *at) {
  return at + strspn(at, " \t\r\n");
}

static const char *take_word(const char *at, text *to) {
  static const char in_words[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.";
  size_t n = strspn(at, in_words);
  for (size_t i = 0; i < n; i++)
    put(to, (unsigned char)at[i]);
  return n > 0 ? at + n : NULL;
}

/* An object or array: what is within is not looked at, but for strings, which may contain brackets. */
static const char *skip_nested(const char *at) {
  text nothing = {.size = 0};
  int depth = 0;
  do {
    if (*at == '\0') return NULL;
    depth += *at == '{' || *at == '[';
    depth -= *at == '}' || *at == ']';
    at = *at == '"' ? take_string(at + 1, &nothing) : at + 1;
  } while (at && depth > 0);
  return at;
}

/* A value; its text is "" if it is an object or an array. */
static const char *take_value(const char *at, text *to) {
  if (*at == '"') return take_string(at + 1, to);
  return *at == '{' || *at == '[' ? skip_nested(at) : take_word(at, to);
}

/* A name and its value; the value's text only counts if the name is the one that is searched. */
static const char *take_member(const char *at, const char *name, text *value, bool *found) {
  char here[64];
  text read = {.bytes = here, .size = sizeof here};
  at = *at == '"' ? take_string(at + 1, &read) : NULL;
  if (!at) return NULL;
  *found = read.length == strlen(name) && memcmp(here, name, read.length) == 0;
  at = skip_space(at);
  if (*at != ':') return NULL;
  value->length = 0;
  return take_value(skip_space(at + 1), value);
}

bool objects_flat_find(const char *json, const char *name, char *value, size_t size) {
  text to = {.bytes = value, .size = size};
  bool found = false;
  const char *at = skip_space(json);
  at = *at == '{' ? skip_space(at + 1) : NULL;
  while (at && *at != '}' && !found) {
    at = take_member(at, name, &to, &found);
    if (!at) break;
    at = skip_space(at);
    if (*at == ',')
      at = skip_space(at + 1);
    else if (*at != '}')
      at = NULL;
  }
  bool good = at && found && to.length > 0 && to.length < size;
  value[good ? to.length : 0] = '\0';
  return good;
}
