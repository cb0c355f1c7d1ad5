#include "path.h"

#include <stdlib.h>
#include <string.h>

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

size_t memory_path_scheme_length(const char *uri) {
  const char *at = uri;
  if (!is_letter(*at)) return 0;
  while (is_letter(*at) || (*at >= '0' && *at <= '9') || *at == '.')
    ++at;
  return strncmp(at, "://", 3) == 0 ? (size_t)(at - uri) + 3 : 0;
}

bool memory_path_next(const char **at, const char *end, struct memory_name *name) {
  const char *start = *at;
  while (start < end && *start == '/')
    ++start;
  if (start == end) return false;
  const char *stop = memchr(start, '/', (size_t)(end - start));
  if (!stop) stop = end;
  *name = (struct memory_name){start, (size_t)(stop - start)};
  *at = stop;
  return true;
}

static bool is_dots(struct memory_name name, size_t count) {
  return name.length == count && memcmp(name.text, "..", count) == 0;
}

char *memory_path_translate(const char *uri) {
  const char *at = uri + memory_path_scheme_length(uri);
  const char *end = at + strlen(at);
  char *path = malloc((size_t)(end - at) + 2), *out = path;
  struct memory_name name;
  if (!path) return NULL;
  while (memory_path_next(&at, end, &name)) {
    if (is_dots(name, 1)) continue;
    if (is_dots(name, 2)) {
      while (out > path && *--out != '/')
        continue;
      continue;
    }
    *out++ = '/';
    memcpy(out, name.text, name.length);
    out += name.length;
  }
  if (out == path) *out++ = '/';
  *out = '\0';
  return path;
}

memory_error memory_path_check(const char *path, size_t *length) {
  const char *end = path + strlen(path);
  *length = (size_t)(end - path);
  if (*length > MEMORY_PATH_MAX) return MEMORY_TOO_LONG;
  if (*path != '/') return MEMORY_MALFORMED;
  for (const char *at = path + 1; *length > 1; ++at) {
    const char *stop = memchr(at, '/', (size_t)(end - at));
    struct memory_name name = {at, (size_t)((stop ? stop : end) - at)};
    if (name.length == 0 || is_dots(name, 1) || is_dots(name, 2)) return MEMORY_MALFORMED;
    if (name.length > MEMORY_NAME_MAX) return MEMORY_TOO_LONG;
    if (!stop) break;
    at = stop;
  }
  return MEMORY_OK;
}

static size_t last_slash(const char *path, size_t length) {
  const char *slash = memrchr(path, '/', length);
  return slash ? (size_t)(slash - path) : 0;
}

struct memory_name memory_path_base(const char *path, size_t length) {
  size_t start = last_slash(path, length) + 1;
  return (struct memory_name){path + start, length - start};
}

size_t memory_path_parent_length(const char *path, size_t length) {
  size_t parent = last_slash(path, length);
  return parent ? parent : 1;
}

bool memory_path_covers(const char *top, size_t top_length, const char *path, size_t length) {
  if (top_length == 1) return true;
  return length >= top_length && memcmp(top, path, top_length) == 0 &&
         (length == top_length || path[top_length] == '/');
}

static int rank(char c) {
  return c == '/' ? 0 : (unsigned char)c + 1;
}

int memory_path_compare(const char *a, size_t a_length, const char *b, size_t b_length) {
  size_t shorter = a_length < b_length ? a_length : b_length;
  for (size_t i = 0; i < shorter; ++i)
    if (a[i] != b[i]) return rank(a[i]) < rank(b[i]) ? -1 : 1;
  return (a_length > b_length) - (a_length < b_length);
}
