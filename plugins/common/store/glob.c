/* Expands a pattern name by name. Of a directory it lists only names with the pattern's literal prefix. */
#include "glob.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../glob/glob.h"
#include "../remote/format.h"
#include "../objects/error.h"
#include "listing.h"
#include "../objects/name.h"
#include "stat.h"
#include "../remote/strings.h"

typedef struct search {
  const TF_Filesystem *filesystem;
  remote_strings *found;
  TF_Status *status;
} search;

/* The literal bytes of a name of the pattern, up to its first special character. */
static size_t literal_start(const char *name, size_t length, char *text, size_t size) {
  size_t n = 0, i = 0;
  for (; i < length && n + 1 < size && !strchr("*?[", name[i]); i++) {
    if (name[i] == '\\' && i + 1 < length) i++;
    text[n++] = name[i];
  }
  text[n] = '\0';
  return i;
}

/* A missing path, or a file where the pattern needs a directory, is not a failure. */
static bool forgive(TF_Status *status) {
  TF_Code code = TF_GetCode(status);
  if (code == TF_NOT_FOUND || code == TF_FAILED_PRECONDITION) TF_SetStatus(status, TF_OK, "");
  return TF_GetCode(status) == TF_OK;
}

static bool add_if_there(const search *self, const char *path) {
  store_path_exists(self->filesystem, path, self->status);
  if (TF_GetCode(self->status) != TF_OK) return forgive(self->status);
  return remote_strings_add(self->found, path, self->status);
}

static char *join(const char *base, const char *name, const char *end, TF_Status *status) {
  char *path = remote_format("%s%s%s", base, name, end);
  if (!path) fail_no_memory(status);
  return path;
}

static bool descend(const search *self, const char *base, const char *pattern);

/* `name` has matched the first name of the pattern. */
static bool go_on(const search *self, const char *base, const char *name, const char *rest,
                  bool listed) {
  char *path = join(base, name, *rest ? "/" : "", self->status);
  if (!path) return false;
  bool good = *rest    ? descend(self, path, rest + 1)
              : listed ? remote_strings_add(self->found, path, self->status)
                       : add_if_there(self, path);
  free(path);
  return good;
}

/* Matches the names of a directory that begin with start against a pattern, which ends at rest. */
static bool match_listed(const search *self, const char *base, const char *pattern,
                         const char *start, const char *rest) {
  objects_name name;
  bool directory = false, good = true;
  store_listing *listing = objects_name_parse(self->filesystem, base, &name, self->status)
                               ? store_listing_open(self->filesystem, &name, start, self->status)
                               : NULL;
  if (!listing) return forgive(self->status);
  const char *next = NULL;
  while (good && (next = store_listing_next(listing, &directory, self->status)))
    if ((directory || !*rest) && glob_match(pattern, (size_t)(rest - pattern), next))
      good = go_on(self, base, next, rest, true);
  store_listing_close(listing);
  return good && TF_GetCode(self->status) == TF_OK;
}

static bool descend(const search *self, const char *base, const char *pattern) {
  char start[OBJECTS_MOST_KEY + 1];
  size_t length = strcspn(pattern, "/");
  const char *rest = pattern + length;
  if (!*pattern) return add_if_there(self, base);
  bool literal = literal_start(pattern, length, start, sizeof start) == length;
  return literal ? go_on(self, base, start, rest, false)
                 : match_listed(self, base, pattern, start, rest);
}

int store_get_matching_paths(const TF_Filesystem *filesystem, const char *glob, char ***entries,
                             TF_Status *status) {
  remote_strings found = {0};
  search self = {filesystem, &found, status};
  const char *scheme = strstr(glob, "://");
  size_t n = scheme ? (size_t)(scheme + 3 - glob) : strspn(glob, "/");
  char *base = strndup(glob, n);
  if (!base)
    fail_no_memory(status);
  else if (glob[n])
    descend(&self, base, glob + n);
  free(base);
  return remote_strings_give(&found, entries, status);
}
