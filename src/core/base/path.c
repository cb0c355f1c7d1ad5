/* Paths and URIs as text, by the rules of TensorFlow's io::ParseURI and CleanPath. */
#include "path.h"

#include <stdlib.h>
#include <string.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_scheme_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '.';
}

bool path_scheme_valid(const char *scheme, size_t length) {
  if (length == 0) return true;
  if (!is_letter(scheme[0])) return false;
  for (size_t i = 1; i < length; i++)
    if (!is_scheme_character(scheme[i])) return false;
  return true;
}

/* The length of "scheme" in "scheme://", 0 when there is none. */
static size_t scheme_span(const char *uri, size_t length) {
  size_t n = 0;
  if (length < 4 || !is_letter(uri[0])) return 0;
  while (n < length && is_scheme_character(uri[n]))
    n++;
  return length - n >= 3 && memcmp(uri + n, "://", 3) == 0 ? n : 0;
}

modfs_path modfs_path_parse(const char *uri, size_t length) {
  size_t scheme = scheme_span(uri, length);
  modfs_path parts = {uri, scheme, uri, 0, uri, length};
  if (scheme == 0) return parts;
  parts.host = uri + scheme + 3;
  size_t rest = length - scheme - 3;
  const char *slash = memchr(parts.host, '/', rest);
  parts.host_length = slash ? (size_t)(slash - parts.host) : rest;
  parts.path = parts.host + parts.host_length;
  parts.path_length = rest - parts.host_length;
  return parts;
}

static char *copy_span(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

/* Drops the last segment kept, unless that is "..", which cannot be resolved. */
static bool drop_segment(char *out, size_t root, size_t *used) {
  size_t start = *used;
  while (start > root && out[start - 1] != '/')
    start--;
  if (*used == root || (*used - start == 2 && memcmp(out + start, "..", 2) == 0)) return false;
  *used = start > root ? start - 1 : root;
  return true;
}

/* Adds a segment: "" and "." are nothing, and ".." drops the one before it. */
static void take_segment(char *out, size_t root, size_t *used, const char *segment, size_t length) {
  if (length == 0 || (length == 1 && *segment == '.')) return;
  if (length == 2 && memcmp(segment, "..", 2) == 0 && (drop_segment(out, root, used) || root))
    return;
  if (*used > root) out[(*used)++] = '/';
  memmove(out + *used, segment, length);
  *used += length;
}

/* Any segment that begins with a dot counts as unclean: such names are rare. */
bool path_is_clean(const char *path) {
  if (*path == '\0' || *path == '.') return false;
  for (const char *p = path; *p; p++)
    if (*p == '/' && (p[1] == '/' || p[1] == '.' || (p[1] == '\0' && p > path))) return false;
  return true;
}

char *modfs_path_clean(const char *path) {
  size_t length = strlen(path), root = path[0] == '/', used = root;
  char *out = copy_span(path, length > 0 ? length : 1);
  if (!out || path_is_clean(path)) return out;
  for (const char *p = path; *p;) {
    size_t n = strcspn(p, "/");
    take_segment(out, root, &used, p, n);
    p += n + (p[n] == '/');
  }
  if (used == 0) out[used++] = '.';
  out[used] = '\0';
  return out;
}

bool path_wants_slash(const char *directory, size_t length) {
  static const char root[] = "file://";
  if (length == sizeof root - 1 && memcmp(directory, root, length) == 0) return true;
  return length > 0 && directory[length - 1] != '/';
}

char *modfs_path_join(const char *left, const char *right) {
  size_t left_length = strlen(left);
  if (left_length == 0 || *right == '\0')
    return copy_span(left_length ? left : right, left_length ? left_length : strlen(right));
  right += *right == '/';
  bool slash = path_wants_slash(left, left_length);
  size_t right_length = strlen(right);
  char *out = malloc(left_length + slash + right_length + 1);
  if (!out) return NULL;
  memcpy(out, left, left_length);
  if (slash) out[left_length] = '/';
  memcpy(out + left_length + slash, right, right_length + 1);
  return out;
}

/* The last slash of the path part, or NULL. */
static const char *last_slash(const modfs_path *parts) {
  return parts->path_length ? memrchr(parts->path, '/', parts->path_length) : NULL;
}

char *modfs_path_dirname(const char *uri) {
  modfs_path parts = modfs_path_parse(uri, strlen(uri));
  const char *slash = last_slash(&parts);
  if (!slash) return copy_span(uri, (size_t)(parts.path - uri));
  return copy_span(uri, (size_t)(slash - uri) + (slash == parts.path));
}

char *modfs_path_basename(const char *uri) {
  modfs_path parts = modfs_path_parse(uri, strlen(uri));
  const char *slash = last_slash(&parts);
  const char *name = slash ? slash + 1 : parts.path;
  return copy_span(name, (size_t)(parts.path + parts.path_length - name));
}

char *modfs_path_extension(const char *uri) {
  char *name = modfs_path_basename(uri);
  if (!name) return NULL;
  const char *dot = strrchr(name, '.');
  char *extension = copy_span(dot ? dot + 1 : "", dot ? strlen(dot + 1) : 0);
  free(name);
  return extension;
}
