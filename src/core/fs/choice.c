/* Which entries of a tree an operation takes.
 *
 * A choice is counted: its maker and each operation hold it, and the last frees it. It does not
 * change once an operation uses it, but for "failed", which belongs to the one thread of an
 * operation with a filter. */
#include "choice.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/ignore.h"
#include "core/base/status.h"

struct modfs_choice {
  atomic_size_t users;
  modfs_choice_limits limits;
  ignore_list exclude, include;
  bool includes; /* even if none of the patterns can match */
  bool failed;   /* the filter has */
};

modfs_choice *modfs_choice_new(const modfs_choice_limits *limits, TF_Status *status) {
  modfs_choice *choice = calloc(1, sizeof *choice);
  status_clear(status);
  if (!choice) {
    status_no_memory(status);
    return NULL;
  }
  atomic_init(&choice->users, 1);
  choice->limits = limits ? *limits : (modfs_choice_limits)MODFS_NO_LIMITS;
  return choice;
}

modfs_choice *choice_retain(modfs_choice *choice) {
  if (choice) choice->users++;
  return choice;
}

void modfs_choice_free(modfs_choice *choice) {
  if (!choice || --choice->users > 0) return;
  ignore_list_fini(&choice->exclude);
  ignore_list_fini(&choice->include);
  free(choice);
}

static void add_patterns(ignore_list *list, const char *text, size_t length, const char *operation,
                         TF_Status *status) {
  if (status_takes(status, "the text", text) && !ignore_list_add(list, text, length))
    status_no_memory(status);
  status_locate(status, operation, NULL);
}

void modfs_choice_exclude(modfs_choice *choice, const char *text, size_t length,
                          TF_Status *status) {
  add_patterns(&choice->exclude, text, length, "exclude", status);
}

void modfs_choice_include(modfs_choice *choice, const char *text, size_t length,
                          TF_Status *status) {
  choice->includes = true;
  add_patterns(&choice->include, text, length, "include", status);
}

/* Questions ---------------------------------------------------------------------------- */

bool choice_has_filter(const modfs_choice *choice) {
  return choice && choice->limits.filter;
}

bool choice_reaches(const modfs_choice *choice, size_t depth) {
  return !choice || depth < choice->limits.max_depth;
}

static bool is_included(const modfs_choice *choice, const char *path, bool is_directory,
                        bool above) {
  ignore_verdict verdict = ignore_list_match(&choice->include, path, is_directory);
  return verdict == IGNORE_NOTHING ? above : verdict == IGNORE_MATCHED;
}

bool choice_includes(const modfs_choice *choice, const char *path, bool above) {
  return choice && choice->includes && is_included(choice, path, true, above);
}

bool choice_matches(const modfs_choice *choice, const choice_entry *entry) {
  bool is_directory = entry->kind == MODFS_KIND_DIRECTORY;
  if (entry->depth > choice->limits.max_depth) return false;
  if (ignore_list_match(&choice->exclude, entry->path, is_directory) == IGNORE_MATCHED)
    return false;
  return !choice->includes || is_directory ||
         is_included(choice, entry->path, false, entry->below_included);
}

bool choice_asks(const modfs_choice *choice, int kind) {
  const modfs_choice_limits *limits = &choice->limits;
  return kind != MODFS_KIND_DIRECTORY &&
         (limits->filter || limits->min_size > 0 || limits->max_size < INT64_MAX ||
          limits->newer_than > INT64_MIN);
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_within(const modfs_choice_limits *limits, const modfs_attributes *attributes) {
  return attributes->length >= limits->min_size && attributes->length <= limits->max_size &&
         (limits->newer_than == INT64_MIN || attributes->mtime_nsec > limits->newer_than);
}

static choice_answer call_filter(modfs_choice *choice, const choice_entry *entry,
                                 const modfs_attributes *attributes, TF_Status *status) {
  modfs_candidate candidate = {entry->path, name_of(entry->path), entry->kind, -1, 0};
  if (attributes) {
    candidate.length = attributes->length;
    candidate.mtime_nsec = attributes->mtime_nsec;
  }
  status_clear(status);
  bool taken = !choice->failed && choice->limits.filter(choice->limits.context, &candidate, status);
  if (choice->failed) TF_SetStatus(status, TF_CANCELLED, "the filter has failed before");
  choice->failed = !status_ok(status);
  if (choice->failed) return CHOICE_END;
  return taken ? CHOICE_YES : CHOICE_NO;
}

choice_answer choice_passes(modfs_choice *choice, const choice_entry *entry,
                            const modfs_attributes *attributes, TF_Status *status) {
  if (attributes && !is_within(&choice->limits, attributes)) return CHOICE_NO;
  if (!choice->limits.filter) return CHOICE_YES;
  return call_filter(choice, entry, attributes, status);
}

choice_answer choice_takes(modfs_choice *choice, const choice_entry *entry,
                           const fs_directory *self, TF_Status *status) {
  modfs_attributes attributes;
  if (!choice_matches(choice, entry)) return CHOICE_NO;
  bool asks = choice_asks(choice, entry->kind);
  if (asks) {
    directory_attributes(self, name_of(entry->path), &attributes, status);
    if (TF_GetCode(status) == TF_NOT_FOUND) {
      status_clear(status);
      return CHOICE_NO;
    }
    if (!status_ok(status)) return CHOICE_UNKNOWN;
  }
  return choice_passes(choice, entry, asks ? &attributes : NULL, status);
}
