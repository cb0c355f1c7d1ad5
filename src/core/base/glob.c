/* Pattern matching. It backtracks to the last "*" of a segment and to the last "**" only: linear
 * for real patterns, and never worse than length of name times length of pattern. */
#include "glob.h"

#include <stdlib.h>
#include <string.h>

#include "stars.h"

bool glob_has_magic(const char *pattern, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (strchr("*?[\\", pattern[i]) && pattern[i]) return true;
  return false;
}

/* Reads one character of a list; a backslash quotes the next one. */
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

/* Matches one character against the term at p. Returns the end of the term, or NULL for no match.
 */
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

static bool is_stars(const char *pattern, const char *p) {
  return strncmp(p, "**", 2) == 0 && (p == pattern || p[-1] == '/') && (!p[2] || p[2] == '/');
}

bool modfs_glob_match(const char *name, const char *pattern) {
  star_place at = {name, pattern}, star = {NULL, NULL}, stars = {NULL, NULL};
  if (!name || !pattern) return false;
  for (;;) {
    const char *next, *p = at.pattern;
    if (is_stars(pattern, p)) {
      if (!p[2]) return true;
      at.pattern = p + 3;
      stars = at;
      star.text = NULL;
    } else if (!*at.text) {
      break;
    } else if (*p == '*') {
      at.pattern = p + 1;
      star = at;
    } else if (*p && (next = term_match(p, (unsigned char)*at.text))) {
      at = (star_place){at.text + 1, next};
    } else if (!stars_take_more(&star, &stars, &at)) {
      return false;
    }
  }
  const char *rest = at.pattern;
  return rest[strspn(rest, "*")] == '\0';
}

char *modfs_glob_escape(const char *s) {
  char *out = s ? malloc(2 * strlen(s) + 1) : NULL, *end = out;
  if (!out) return NULL;
  for (; *s; s++) {
    if (strchr("*?[]\\", *s)) *end++ = '\\';
    *end++ = *s;
  }
  *end = '\0';
  return out;
}
