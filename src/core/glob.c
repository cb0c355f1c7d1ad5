/* Matching without backtracking further than the last star of a segment: linear for real patterns,
 * and never worse than name times pattern. */
#include "glob.h"

#include <stdlib.h>
#include <string.h>

bool glob_has_magic(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (strchr("*?[\\", pattern[i]) && pattern[i]) return true;
  return false;
}

/* Reads one character of a list, a backslash quoting the next one. */
static const char *list_character(const char *p, unsigned char *c) {
  if (*p == '\\' && p[1]) p++;
  *c = (unsigned char)*p;
  return p + 1;
}

/* Matches c against the list after '['; NULL when the list has no end. */
static const char *list_match(const char *p, unsigned char c, bool *matches) {
  bool negated = *p == '^' || *p == '!', found = false;
  p += negated;
  for (bool first = true; first || *p != ']'; first = false) {
    unsigned char low, high;
    if (!*p) return NULL;
    p = list_character(p, &low);
    high = low;
    if (*p == '-' && p[1] && p[1] != ']') p = list_character(p + 1, &high);
    found = found || (low <= c && c <= high);
  }
  *matches = found != negated;
  return p + 1;
}

/* Matches one character of name against the term at p; NULL: no match, else where p goes on. */
static const char *term_match(const char *p, unsigned char c) {
  if (*p == '?') return c != '/' ? p + 1 : NULL;
  if (*p == '[') {
    bool matches = false;
    const char *end = list_match(p + 1, c, &matches);
    if (end) return matches && c != '/' ? end : NULL;
  }
  if (*p == '\\' && p[1]) p++;
  return (unsigned char)*p == c ? p + 1 : NULL;
}

bool modfs_glob_match(const char *name, const char *pattern) {
  const char *star = NULL, *star_name = NULL;
  while (*name) {
    const char *next;
    if (*pattern == '*') {
      star = ++pattern;
      star_name = name;
    } else if (*pattern && (next = term_match(pattern, (unsigned char)*name))) {
      pattern = next;
      name++;
    } else if (star && *star_name != '/') {
      name = ++star_name;
      pattern = star;
    } else {
      return false;
    }
  }
  while (*pattern == '*')
    pattern++;
  return *pattern == '\0';
}

char *modfs_glob_escape(const char *s) {
  char *out = malloc(2 * strlen(s) + 1), *end = out;
  if (!out) return NULL;
  for (; *s; s++) {
    if (strchr("*?[]\\", *s)) *end++ = '\\';
    *end++ = *s;
  }
  *end = '\0';
  return out;
}
