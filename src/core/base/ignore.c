/* Patterns of gitignore(5), matched as git 2.39 matches them.
 *
 * A pattern is compiled into a row of terms, one for each byte of a name that it takes, and one for
 * each run of "*". Matching backtracks to the last "*" and to the last "**" only: where the part in
 * front of them matched first, no later place can do better.
 *
 * A pattern without a slash, but at its end, is matched against the name alone, others against the
 * whole path. A list is not changed once it is used, so several threads may match with it. */
#include "ignore.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "stars.h"

typedef enum term_kind {
  TERM_BYTE,
  TERM_ANY,         /* "?": any byte but a slash */
  TERM_SET,         /* "[…]": never a slash */
  TERM_STAR,        /* "*": any number of bytes, no slash */
  TERM_DIRECTORIES, /* "**" and its slash: nothing, or all up to a slash and with it */
  TERM_REST,        /* "**" at the end */
  TERM_END
} term_kind;

typedef struct term {
  uint8_t kind;
  uint8_t byte; /* of TERM_BYTE; TERM_DIRECTORIES: 1 if it may not be nothing */
  uint32_t set; /* index of TERM_SET */
} term;

/* The bytes of a "[…]". */
typedef struct byte_set {
  uint8_t bits[32];
} byte_set;

typedef struct ignore_pattern {
  term *terms;
  byte_set *sets;
  bool negated, directories_only;
  bool whole; /* matched against the path, not the name */
} ignore_pattern;

/* Sets of bytes ----------------------------------------------------------------------- */

static void set_add(byte_set *set, uint8_t low, uint8_t high) {
  for (unsigned c = low; c <= high; c++)
    set->bits[c / 8] |= (uint8_t)(1u << c % 8);
}

static bool set_has(const byte_set *set, uint8_t c) {
  return (set->bits[c / 8] >> c % 8 & 1) != 0;
}

/* Classes as ranges of ASCII; git's "space" has neither form feed nor vertical tab. */
static const struct {
  const char *name, *ranges;
} classes[] = {
    {"alnum", "09AZaz"},   {"alpha", "AZaz"},       {"blank", "  \t\t"}, {"cntrl", "\1\37\177\177"},
    {"digit", "09"},       {"graph", "!~"},         {"lower", "az"},     {"print", " ~"},
    {"punct", "!/:@[`{~"}, {"space", "  \t\n\r\r"}, {"upper", "AZ"},     {"xdigit", "09AFaf"},
};

static bool set_add_class(byte_set *set, const char *name, size_t length) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    if (strlen(classes[i].name) != length || memcmp(classes[i].name, name, length) != 0) continue;
    for (const char *range = classes[i].ranges; *range; range += 2)
      set_add(set, (uint8_t)range[0], (uint8_t)range[1]);
    return true;
  }
  return false;
}

/* Reads "[:name:]" at p, which points behind its "[:". Returns its last byte; p - 2, where the text
 * is no class but begins with a plain "["; NULL for a class that does not exist, or without an end.
 */
static const char *read_class(const char *p, byte_set *set) {
  const char *end = strchr(p, ']');
  if (!end) return NULL;
  if (end == p || end[-1] != ':') {
    set_add(set, '[', '[');
    return p - 2;
  }
  return set_add_class(set, p, (size_t)(end - 1 - p)) ? end : NULL;
}

/* Reads one byte, or a backslash and the byte that it quotes; NULL at the end of the text. */
static const char *read_byte(const char *p, uint8_t *c) {
  if (*p == '\\') p++;
  *c = (uint8_t)*p;
  return *c ? p : NULL;
}

/* Reads the item of a set at p. *before: the byte that may begin a range, 0 for none; becomes that
 * for the next item. Returns the last byte read, or NULL for a set that matches nothing. */
static const char *read_item(const char *p, uint8_t *before, byte_set *set) {
  uint8_t c = 0;
  if (*p == '-' && *before && p[1] && p[1] != ']') {
    p = read_byte(p + 1, &c);
    if (p) set_add(set, *before, c);
    *before = 0;
  } else if (*p == '[' && p[1] == ':') {
    p = read_class(p + 2, set);
    *before = p && *p == '[' ? '[' : 0;
  } else {
    p = read_byte(p, &c);
    if (p) set_add(set, c, c);
    *before = c;
  }
  return p;
}

/* Reads the set behind '[' at p. Returns what follows its ']', or NULL for one that has no end or
 * is malformed, with which git matches nothing. */
static const char *read_set(const char *p, byte_set *set) {
  bool negated = *p == '!' || *p == '^';
  uint8_t before = 0;
  p += negated;
  do {
    p = read_item(p, &before, set);
    if (!p) return NULL;
    p++;
  } while (*p != ']');
  for (size_t i = 0; negated && i < sizeof set->bits; i++)
    set->bits[i] = (uint8_t)~set->bits[i];
  set->bits[0] &= 0xfe; /* the end of a path */
  set->bits['/' / 8] &= (uint8_t) ~(1u << '/' % 8);
  return p + 1;
}

/* Compiling --------------------------------------------------------------------------- */

typedef struct compiler {
  const char *start; /* where a "**" need not follow a slash: behind what is literal */
  ignore_pattern *pattern;
  size_t terms, sets;
} compiler;

static void emit(compiler *to, term_kind kind, uint8_t byte) {
  to->pattern->terms[to->terms++] =
      (term){.kind = (uint8_t)kind, .byte = byte, .set = (uint32_t)to->sets};
}

/* Reads a run of stars; returns what follows. */
static const char *compile_stars(compiler *to, const char *p) {
  const char *end = p + strspn(p, "*");
  bool segment = end - p > 1 && to->pattern->whole && (p == to->start || p[-1] == '/');
  if (segment && !*end) {
    emit(to, TERM_REST, 0);
  } else if (segment && *end == '/') {
    emit(to, TERM_DIRECTORIES, 0);
    end++;
  } else if (segment && end[0] == '\\' && end[1] == '/') {
    emit(to, TERM_DIRECTORIES, 1);
    end += 2;
  } else {
    emit(to, TERM_STAR, 0);
  }
  return end;
}

/* False for a pattern that matches nothing. */
static bool compile(compiler *to, const char *p) {
  while (p && *p) {
    if (*p == '*') {
      p = compile_stars(to, p);
    } else if (*p == '[') {
      p = read_set(p + 1, &to->pattern->sets[to->sets]);
      if (p) emit(to, TERM_SET, 0);
      to->sets++;
    } else if (*p == '?') {
      emit(to, TERM_ANY, 0);
      p++;
    } else {
      uint8_t c;
      p = read_byte(p, &c);
      if (p) emit(to, TERM_BYTE, c);
      if (p) p++;
    }
  }
  emit(to, TERM_END, 0);
  return p != NULL;
}

static void pattern_fini(ignore_pattern *pattern) {
  free(pattern->terms);
  free(pattern->sets);
}

static size_t count_sets(const char *text) {
  size_t count = 0;
  for (; *text; text++)
    count += *text == '[';
  return count;
}

static bool list_take(ignore_list *list, const ignore_pattern *pattern) {
  bool full = (list->count & (list->count - 1)) == 0;
  ignore_pattern *patterns = list->patterns;
  if (full) patterns = realloc(patterns, (list->count ? 2 * list->count : 1) * sizeof *patterns);
  if (!patterns) return false;
  list->patterns = patterns;
  patterns[list->count++] = *pattern;
  return true;
}

/* Adds the pattern of a line, which it changes. False when memory is short. */
static bool add_pattern(ignore_list *list, char *text) {
  ignore_pattern pattern = {.negated = *text == '!'};
  text += pattern.negated;
  size_t length = strlen(text);
  pattern.directories_only = length > 0 && text[length - 1] == '/';
  if (pattern.directories_only) text[--length] = '\0';
  pattern.whole = strchr(text, '/') != NULL;
  text += *text == '/';
  if (!*text) return true; /* no name is empty */
  size_t sets = count_sets(text);
  pattern.terms = malloc((strlen(text) + 1) * sizeof *pattern.terms);
  pattern.sets = calloc(sets ? sets : 1, sizeof *pattern.sets);
  compiler to = {.start = text + strcspn(text, "*?[\\"), .pattern = &pattern};
  bool stored = pattern.terms && pattern.sets;
  if (stored && compile(&to, text)) {
    stored = list_take(list, &pattern);
    if (stored) return true;
  }
  pattern_fini(&pattern);
  return stored;
}

/* Lines -------------------------------------------------------------------------------- */

/* Cuts trailing spaces, but none that a backslash quotes. */
static void trim(char *line) {
  char *spaces = NULL;
  for (char *p = line; *p; p++) {
    if (*p == ' ') {
      if (!spaces) spaces = p;
      continue;
    }
    spaces = NULL;
    if (*p == '\\' && *++p == '\0') return;
  }
  if (spaces) *spaces = '\0';
}

static bool add_line(ignore_list *list, const char *text, size_t length) {
  if (length == 0 || *text == '#') return true;
  if (text[length - 1] == '\r') length--;
  char *line = strndup(text, length);
  if (!line) return false;
  trim(line);
  bool added = add_pattern(list, line);
  free(line);
  return added;
}

bool ignore_list_add(ignore_list *list, const char *text, size_t length) {
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  const char *end = text + length;
  if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) text += 3;
  while (text < end) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    const char *stop = newline ? newline : end;
    if (!add_line(list, text, (size_t)(stop - text))) return false;
    text = stop + 1;
  }
  return true;
}

void ignore_list_fini(ignore_list *list) {
  for (size_t i = 0; i < list->count; i++)
    pattern_fini(&list->patterns[i]);
  free(list->patterns);
  *list = (ignore_list){NULL, 0};
}

/* Matching ----------------------------------------------------------------------------- */

static bool takes(const ignore_pattern *pattern, const term *at, uint8_t c) {
  switch (at->kind) {
  case TERM_BYTE:
    return c == at->byte;
  case TERM_ANY:
    return c != '\0' && c != '/';
  case TERM_SET:
    return set_has(&pattern->sets[at->set], c);
  default:
    return false;
  }
}

/* At the end of the text neither helps: they leave less of it to the terms behind. */
static bool take_more(star_place *star, star_place *stars, star_place *now) {
  return *now->text && stars_take_more(star, stars, now);
}

static bool pattern_match(const ignore_pattern *pattern, const char *text) {
  star_place now = {text, pattern->terms}, star = {NULL, NULL}, stars = {NULL, NULL};
  for (;;) {
    const term *at = now.pattern;
    if (at->kind == TERM_REST || (at->kind == TERM_END && !*now.text)) return true;
    if (at->kind == TERM_STAR) {
      now.pattern = at + 1;
      star = now;
    } else if (at->kind == TERM_DIRECTORIES) {
      now.pattern = at + 1;
      stars = now;
      star.text = NULL;
      if (at->byte && !take_more(&star, &stars, &now)) return false;
    } else if (takes(pattern, at, (uint8_t)*now.text)) {
      now = (star_place){now.text + 1, at + 1};
    } else if (!take_more(&star, &stars, &now)) {
      return false;
    }
  }
}

ignore_verdict ignore_list_match(const ignore_list *list, const char *path, bool is_directory) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (size_t i = list->count; i-- > 0;) {
    const ignore_pattern *pattern = &list->patterns[i];
    if (pattern->directories_only && !is_directory) continue;
    if (pattern_match(pattern, pattern->whole ? path : name))
      return pattern->negated ? IGNORE_NEGATED : IGNORE_MATCHED;
  }
  return IGNORE_NOTHING;
}
