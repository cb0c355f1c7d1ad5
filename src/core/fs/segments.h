/* The segments of a glob's pattern, and which of them a name may match next.
 *
 * A state is the index of a segment that a name may match next; state "count" means that all have
 * matched. Entering a "**" also adds the state behind it, as it may match nothing. A set of states has
 * "words" words. "next", the set below an entry, is overwritten by the next entry. */
#ifndef MODFS_CORE_SEGMENTS_H
#define MODFS_CORE_SEGMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct glob_segment {
  char *text; /* literal: without its backslashes */
  bool magic;
  bool stars;    /* "**" */
  bool ending;   /* "*" and a literal, which names end with */
  size_t length; /* of the text */
} glob_segment;

typedef struct glob_segments {
  glob_segment *list;
  size_t count, words;
  uint64_t *next;
  /* In the current directory, from segments_prepare on: */
  size_t *tried, try_count; /* segments that names may match, without "**" */
  uint64_t *through;        /* states below each directory due to "**" */
  bool all_match;           /* due to a "**" at the end */
} glob_segments;

/* Splits what is behind the literal start of a pattern; false when memory is short. with_stars: "**" is
 * more than "*". */
bool segments_split(glob_segments *self, const char *rest, bool with_stars);
void segments_fini(glob_segments *self);

/* What the names in a directory with these states are matched with. */
void segments_prepare(glob_segments *self, const uint64_t *states);

/* Matches an entry's name: the states below it, but those due to "**", become the next ones. Returns
 * whether the entry itself is a result. */
bool segments_match(glob_segments *self, const char *name);

/* Makes this state, and what it leads to, the next ones. */
void segments_begin(glob_segments *self, size_t state);

/* Adds those due to "**" to the next states. */
void segments_go_through(glob_segments *self);

/* Whether there are next states, or would be behind segments_go_through. */
bool segments_go_on(const glob_segments *self);
bool segments_may_go_on(const glob_segments *self);

static inline bool segments_has(const uint64_t *states, size_t i) {
  return (states[i / 64] >> (i % 64) & 1) != 0;
}

#endif
