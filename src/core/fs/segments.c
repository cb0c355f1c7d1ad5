#include "segments.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/glob.h"

/* Removes the backslashes; false, with the text unchanged, when it has wildcards. */
static bool make_literal(char *text) {
  char *out = text;
  for (const char *p = text; *p; p++) {
    if (strchr("*?[", *p)) return false;
    p += *p == '\\' && p[1];
  }
  for (const char *p = text; *p; p++) {
    p += *p == '\\' && p[1];
    *out++ = *p;
  }
  *out = '\0';
  return true;
}

static bool add_segment(glob_segments *self, const char *text, size_t length, bool with_stars) {
  bool stars = with_stars && length == 2 && memcmp(text, "**", 2) == 0;
  if (stars && self->count > 0 && self->list[self->count - 1].stars) return true;
  glob_segment *list = realloc(self->list, (self->count + 1) * sizeof *list);
  if (!list) return false;
  self->list = list;
  glob_segment *segment = &list[self->count];
  *segment = (glob_segment){.text = strndup(text, length), .stars = stars};
  if (!segment->text) return false;
  segment->magic = !make_literal(segment->text);
  segment->length = strlen(segment->text);
  segment->ending = segment->magic && *segment->text == '*' &&
                    !glob_has_magic(segment->text + 1, segment->length - 1);
  self->count++;
  return true;
}

bool segments_split(glob_segments *self, const char *rest, bool with_stars) {
  while (*rest) {
    size_t n = strcspn(rest, "/");
    if (n > 0 && !add_segment(self, rest, n, with_stars)) return false;
    rest += n + (rest[n] == '/');
  }
  self->words = self->count / 64 + 1;
  self->next = calloc(self->words, sizeof *self->next);
  self->through = calloc(self->words, sizeof *self->through);
  self->tried = calloc(self->count + 1, sizeof *self->tried);
  return self->next && self->through && self->tried;
}

void segments_fini(glob_segments *self) {
  for (size_t i = 0; i < self->count; i++)
    free(self->list[i].text);
  free(self->list);
  free(self->next);
  free(self->through);
  free(self->tried);
}

/* States ----------------------------------------------------------------------------- */

static void clear(const glob_segments *self, uint64_t *states) {
  for (size_t i = 0; i < self->words; i++)
    states[i] = 0;
}

/* Adds the one behind "**", too, which may match nothing. */
static void add_state(const glob_segments *self, uint64_t *states, size_t i) {
  states[i / 64] |= UINT64_C(1) << (i % 64);
  if (i < self->count && self->list[i].stars) add_state(self, states, i + 1);
}

static bool is_empty(const glob_segments *self, const uint64_t *states) {
  for (size_t i = 0; i < self->words; i++)
    if (states[i]) return false;
  return true;
}

void segments_begin(glob_segments *self, size_t state) {
  clear(self, self->next);
  add_state(self, self->next, state);
}

void segments_prepare(glob_segments *self, const uint64_t *states) {
  clear(self, self->through);
  self->try_count = 0;
  self->all_match = false;
  for (size_t i = 0; i < self->count; i++) {
    if (!segments_has(states, i)) continue;
    if (!self->list[i].stars) {
      self->tried[self->try_count++] = i;
      continue;
    }
    add_state(self, self->through, i);
    self->all_match = self->all_match || i + 1 == self->count;
  }
}

void segments_go_through(glob_segments *self) {
  for (size_t i = 0; i < self->words; i++)
    self->next[i] |= self->through[i];
}

bool segments_go_on(const glob_segments *self) {
  return !is_empty(self, self->next);
}

bool segments_may_go_on(const glob_segments *self) {
  return !is_empty(self, self->next) || !is_empty(self, self->through);
}

/* Names ------------------------------------------------------------------------------ */

static bool match_segment(const glob_segment *segment, const char *name) {
  if (!segment->magic) return strcmp(name, segment->text) == 0;
  if (!segment->ending) return modfs_glob_match(name, segment->text);
  size_t length = strlen(name), ending = segment->length - 1;
  return length >= ending && memcmp(name + length - ending, segment->text + 1, ending) == 0;
}

bool segments_match(glob_segments *self, const char *name) {
  bool matches = self->all_match;
  clear(self, self->next);
  for (size_t n = 0; n < self->try_count; n++) {
    size_t i = self->tried[n];
    bool last = i + 1 == self->count;
    if (!match_segment(&self->list[i], name)) continue;
    if (!last) add_state(self, self->next, i + 1);
    matches = matches || last;
  }
  return matches;
}
