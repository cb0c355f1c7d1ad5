#include "glob.h"

#include <string.h>

static const char magic[] = {'*', '?', '[', '\\'};

bool glob_is_pattern(const char *text, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (memchr(magic, text[i], sizeof(magic))) return true;
  return false;
}

/* Reads one byte of a list; a backslash quotes the next one. */
static const char *list_byte(const char *at, const char *end, unsigned char *byte) {
  if (*at == '\\' && at + 1 < end) ++at;
  *byte = (unsigned char)*at;
  return at + 1;
}

/* Matches a byte against the list after '['; returns the end of the list, NULL if it has none. */
static const char *list_match(const char *at, const char *end, unsigned char byte, bool *matches) {
  bool negated = at < end && (*at == '^' || *at == '!'), found = false;
  at += negated;
  for (bool first = true;; first = false) {
    unsigned char low, high;
    if (at >= end) return NULL;
    if (*at == ']' && !first) break;
    at = list_byte(at, end, &low);
    high = low;
    if (end - at >= 2 && at[0] == '-' && at[1] != ']') at = list_byte(at + 1, end, &high);
    found = found || (low <= byte && byte <= high);
  }
  *matches = found != negated;
  return at + 1;
}

/* Matches a byte against the next element of the pattern; returns what follows it, NULL for no match. */
static const char *term_match(const char *at, const char *end, unsigned char byte) {
  bool matches = false;
  if (at == end) return NULL;
  if (*at == '?') return at + 1;
  if (*at == '[') {
    const char *stop = list_match(at + 1, end, byte, &matches);
    if (stop) return matches ? stop : NULL;
  }
  if (*at == '\\' && at + 1 < end) ++at;
  return (unsigned char)*at == byte ? at + 1 : NULL;
}

bool glob_match(const char *pattern, size_t length, const char *name) {
  const char *at = pattern, *end = at + length;
  const char *star = NULL, *star_name = NULL;
  while (*name) {
    const char *next;
    if (at < end && *at == '*') {
      star = ++at;
      star_name = name;
    } else if ((next = term_match(at, end, (unsigned char)*name))) {
      at = next;
      ++name;
    } else if (star) {
      at = star;
      name = ++star_name;
    } else {
      return false;
    }
  }
  while (at < end && *at == '*')
    ++at;
  return at == end;
}
