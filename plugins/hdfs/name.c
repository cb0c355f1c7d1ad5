#include "name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "text.h"

/* Where the path of the URI begins, at a slash or at the end; NULL where it is no URI. */
static const char *find_path(const char *uri) {
  const char *colon = strstr(uri, "://");
  return colon && colon > uri ? colon + 3 + strcspn(colon + 3, "/") : NULL;
}

/* Removes empty segments and ".", and resolves ".." no higher than the root. The result begins with a
 * slash, and is at most one byte longer than the path. */
static void clean(const char *path, char *out) {
  char *end = out;
  while (*path) {
    size_t n = strcspn(path, "/");
    bool up = n == 2 && memcmp(path, "..", 2) == 0;
    if (up) {
      while (end > out && *--end != '/') {
      }
    } else if (n > 0 && !(n == 1 && *path == '.')) {
      *end++ = '/';
      end = mempcpy(end, path, n);
    }
    path += n + (path[n] == '/');
  }
  if (end == out) *end++ = '/';
  *end = '\0';
}

char *hdfs_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  const char *path = find_path(uri);
  size_t before = path ? (size_t)(path - uri) : 0;
  char *made = malloc(strlen(uri) + 2);
  if (!made) return NULL;
  if (!path) return memcpy(made, uri, strlen(uri) + 1);
  memcpy(made, uri, before);
  clean(path, made + before);
  return made;
}

static bool is_authority(const char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]", text[i]))
      return false;
  return n <= HDFS_MOST_AUTHORITY;
}

static bool fail_long(TF_Status *status) {
  return fail_with(status, TF_INVALID_ARGUMENT,
                   "the path is longer than the 3,600 bytes that data nodes take, percent-encoded");
}

bool hdfs_name_parse(const char *uri, hdfs_name *name, TF_Status *status) {
  const char *path = find_path(uri), *colon = strstr(uri, "://");
  if (!path || (size_t)(colon - uri) >= sizeof name->scheme)
    return fail_with(status, TF_INVALID_ARGUMENT, "is not a URI such as hdfs://host:port/path");
  const char *authority = colon + 3;
  size_t n = (size_t)(path - authority);
  if (!is_authority(authority, n))
    return fail_with(status, TF_INVALID_ARGUMENT,
                     memchr(authority, '@', n)
                         ? "has a user; set the option user instead"
                         : "has no valid host, host:port or name of a nameservice");
  if (hdfs_text_encoded_length(path) >= HDFS_MOST_PATH) return fail_long(status);
  snprintf(name->scheme, sizeof name->scheme, "%.*s", (int)(colon - uri), uri);
  snprintf(name->authority, sizeof name->authority, "%.*s", (int)n, authority);
  clean(path, name->path);
  return true;
}

bool hdfs_name_is_beside(const hdfs_name *a, const hdfs_name *b) {
  return strcmp(a->scheme, b->scheme) == 0 && strcmp(a->authority, b->authority) == 0;
}

void hdfs_name_to_parent(hdfs_name *name) {
  char *slash = strrchr(name->path, '/');
  slash[slash == name->path ? 1 : 0] = '\0';
}

const char *hdfs_name_last(const hdfs_name *name) {
  return strrchr(name->path, '/') + 1;
}

bool hdfs_name_child(const hdfs_name *name, const char *last, hdfs_name *child, TF_Status *status) {
  size_t n = strlen(name->path), more = strlen(last);
  if (hdfs_text_encoded_length(name->path) + 1 + hdfs_text_encoded_length(last) > HDFS_MOST_PATH)
    return fail_long(status);
  if (child != name) *child = *name;
  if (n > 1) child->path[n++] = '/';
  memcpy(child->path + n, last, more + 1);
  return true;
}
