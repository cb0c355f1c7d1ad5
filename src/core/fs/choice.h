/* Choosing entries: the functions that are not public.
 *
 * An entry is checked in two steps: by its place and its patterns, then, which may need attributes,
 * by limits and the filter. Patterns and limits may be checked on several threads at once; an
 * operation whose choice has a filter runs on one. */
#ifndef MODFS_CORE_CHOICE_H
#define MODFS_CORE_CHOICE_H

#include "directory.h"

/* An entry below the root of an operation. */
typedef struct choice_entry {
  const char *path;
  size_t depth; /* 1 in the root */
  int kind;
  bool below_included; /* whether its directory is included */
} choice_entry;

typedef enum choice_answer {
  CHOICE_NO,
  CHOICE_YES,
  CHOICE_UNKNOWN, /* the attributes cannot be determined: the reason is in the status */
  CHOICE_END      /* the filter has failed: the operation ends */
} choice_answer;

/* Every operation on a tree keeps its choice with it, and ends that with modfs_choice_free. NULL is
 * accepted. */
modfs_choice *choice_retain(modfs_choice *choice);

bool choice_has_filter(const modfs_choice *choice);

/* Whether entries of a directory at this depth, 0 for the root, may be chosen. */
bool choice_reaches(const modfs_choice *choice, size_t depth);

/* Whether a directory is included, and with it what no pattern matches below it. above: whether the
 * directory that it is in is. */
bool choice_includes(const modfs_choice *choice, const char *path, bool above);

/* Whether depth and patterns allow the entry. */
bool choice_matches(const modfs_choice *choice, const choice_entry *entry);

/* Whether choice_passes needs the attributes of an entry of this kind. */
bool choice_asks(const modfs_choice *choice, int kind);

/* The rest, for an entry that matches. attributes: NULL where they are not asked for. */
choice_answer choice_passes(modfs_choice *choice, const choice_entry *entry,
                            const modfs_attributes *attributes, TF_Status *status);

/* Both steps, for an entry of an open directory. An entry that no longer exists is not chosen. */
choice_answer choice_takes(modfs_choice *choice, const choice_entry *entry,
                           const fs_directory *self, TF_Status *status);

#endif
