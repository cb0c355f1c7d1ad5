/* Hadoop's own form of har, har://BASE-HOST:PORT/x.har/y, has no "!/": the first segment that ends in ".har"
 * ends the name of the archive. har:///x.har/y is a local one.
 *
 * "!/" ends the archive's part of a URI. Where an archive lies in an archive there is one for each:
 * in zip+tar://a.tar!/b.zip!/x the second ends the name of the archive, tar://a.tar!/b.zip. A "!" at
 * the very end counts, too: it is what the parent of a member is called. */
#include "name.h"

#include <string.h>
#include <stdlib.h>

#include "error.h"

static const char *const own[] = {"zip", "tar", "package", "har"};

static bool is_own(const char *scheme, size_t length) {
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strlen(own[i]) == length && memcmp(own[i], scheme, length) == 0) return true;
  return false;
}

/* How many archives the URI names: one for each of our schemes, and one for a plain path. */
static size_t depth_of(const char *scheme, size_t length) {
  size_t depth = 0;
  for (size_t at = 0; at < length;) {
    size_t part = 0;
    while (at + part < length && scheme[at + part] != '+')
      part++;
    depth += is_own(scheme + at, part);
    at += part + 1;
  }
  return depth > 0 ? depth : 1;
}

/* The "!" that ends the archive's name, or NULL. */
static const char *find_end(const char *rest, size_t depth) {
  for (const char *at = rest; (at = strchr(at, '!')); at++)
    if ((at[1] == '/' || at[1] == '\0') && --depth == 0) return at > rest ? at : NULL;
  return NULL;
}

typedef struct parts {
  const char *base_scheme; /* behind the first "+" */
  size_t base_scheme_length;
  const char *archive;
  const char *end;   /* of the archive's name; NULL: there is none */
  const char *inner; /* the member's name */
} parts;

/* The form that Hadoop has. */
static void split_har(parts *found) {
  static const char suffix[] = ".har";
  for (const char *at = strchr(found->archive, '/'); at && !found->end; at = strchr(at + 1, '/')) {
    size_t n = strcspn(at + 1, "/"), k = sizeof suffix - 1;
    if (n > k && memcmp(at + 1 + n - k, suffix, k) == 0) found->end = at + 1 + n;
  }
  if (!found->end) return;
  found->inner = found->end + (*found->end == '/');
  size_t scheme = strcspn(found->archive, "-/:.");
  if (scheme == 0 || found->archive[scheme] != '-') return;
  found->base_scheme = found->archive;
  found->base_scheme_length = scheme;
  found->archive += scheme + 1;
}

static parts split(const char *uri) {
  const char *colon = strstr(uri, "://"), *slash = strchr(uri, '/');
  bool is_uri = colon && colon + 1 == slash;
  size_t length = is_uri ? (size_t)(colon - uri) : 0;
  const char *plus = memchr(uri, '+', length);
  parts found = {.archive = is_uri ? colon + 3 : uri};
  if (plus) {
    found.base_scheme = plus + 1;
    found.base_scheme_length = (size_t)(colon - plus - 1);
  }
  found.end = find_end(found.archive, depth_of(uri, length));
  if (found.end)
    found.inner = found.end + 1;
  else if (length == 3 && memcmp(uri, "har", 3) == 0)
    split_har(&found);
  return found;
}

void archive_inner_clean(char *inner) {
  char *end = inner;
  for (const char *segment = inner; *segment;) {
    size_t n = strcspn(segment, "/");
    const char *next = segment + n + (segment[n] == '/');
    bool up = n == 2 && memcmp(segment, "..", 2) == 0;
    if (up) {
      while (end > inner && *--end != '/') {
      }
    } else if (n > 0 && !(n == 1 && *segment == '.')) {
      if (end > inner) *end++ = '/';
      memmove(end, segment, n);
      end += n;
    }
    segment = next;
  }
  *end = '\0';
}

bool archive_name_init(archive_name *self, const char *uri, TF_Status *status) {
  parts found = split(uri);
  if (!found.end)
    return fail_with(status, TF_FAILED_PRECONDITION, "names no archive: write zip://ARCHIVE!/NAME");
  size_t length = (size_t)(found.end - found.archive), scheme = found.base_scheme_length;
  self->base = malloc(scheme + 3 + length + 1);
  self->inner = strdup(found.inner);
  if (!self->base || !self->inner) {
    archive_name_fini(self);
    return fail_no_memory(status);
  }
  char *end = self->base;
  if (scheme > 0) end = stpcpy(mempcpy(end, found.base_scheme, scheme), "://");
  *(char *)mempcpy(end, found.archive, length) = '\0';
  archive_inner_clean(self->inner);
  return true;
}

void archive_name_fini(archive_name *self) {
  free(self->base);
  free(self->inner);
  *self = (archive_name){NULL, NULL};
}

char *archive_name_clean(const char *uri) {
  parts found = split(uri);
  char *copy = malloc(strlen(uri) + 2);
  if (!copy) return NULL;
  stpcpy(copy, uri);
  if (!found.end) return copy;
  char *inner = copy + (found.end - uri) + (*found.end == '!');
  size_t n = strlen(found.inner) + 1;
  memmove(inner, copy + (found.inner - uri), n);
  archive_inner_clean(inner);
  memmove(inner + 1, inner, strlen(inner) + 1);
  *inner = '/';
  return copy;
}
