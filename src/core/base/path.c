/* Paths and URIs as text, by the rules of TensorFlow's io::ParseURI and CleanPath. */
#include "path.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "status.h"

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

/* The length of the scheme at the start, without what a "+" joins to it. */
static size_t part_span(const char *uri, size_t length) {
  size_t n = 0;
  if (length == 0 || !is_letter(uri[0])) return 0;
  while (n < length && is_scheme_character(uri[n]))
    n++;
  return n;
}

/* The length of "scheme" in "scheme://", 0 when there is none. Joined schemes have two characters or
 * more each: to TensorFlow no name with a "+" is a scheme. */
static size_t scheme_span(const char *uri, size_t length) {
  size_t n = part_span(uri, length), part = n;
  while (part > 1 && n < length && uri[n] == '+') {
    part = part_span(uri + n + 1, length - n - 1);
    n = part > 1 ? n + 1 + part : 0;
  }
  return length - n >= 3 && memcmp(uri + n, "://", 3) == 0 ? n : 0;
}

modfs_path modfs_path_parse(const char *uri, size_t length) {
  if (!uri) return (modfs_path){"", 0, "", 0, "", 0};
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

/* Whether a slash precedes another slash or a dot, which differ in their last bit. Most paths are short:
 * a search of the C library for either pair takes longer to begin than this takes for the whole. */
static bool has_odd_slash(const char *path, size_t length) {
  enum { STEP = sizeof(uint64_t) };
  const uint64_t ones = UINT64_MAX / UINT8_MAX, slashes = ones * '/', tops = ones * 0x80;
  size_t i = 0;
  for (uint64_t here, next; i + STEP < length; i += STEP) {
    memcpy(&here, path + i, STEP);
    memcpy(&next, path + i + 1, STEP);
    uint64_t other = (here ^ slashes) | ((next | ones) ^ slashes);
    if ((other - ones) & ~other & tops) return true; /* one of its bytes is zero */
  }
  for (; i + 1 < length; i++)
    if (path[i] == '/' && (path[i + 1] | 1) == '/') return true;
  return false;
}

/* Any segment that begins with a dot counts as unclean: such names are rare. */
bool path_is_clean(const char *path) {
  size_t length = strlen(path);
  if (length == 0 || *path == '.' || (path[length - 1] == '/' && length > 1)) return false;
  return !has_odd_slash(path, length);
}

char *modfs_path_clean(const char *path) {
  if (!path) return NULL;
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
  if (!left || !right) return NULL;
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
  if (!uri) return NULL;
  modfs_path parts = modfs_path_parse(uri, strlen(uri));
  const char *slash = last_slash(&parts);
  if (!slash) return copy_span(uri, (size_t)(parts.path - uri));
  return copy_span(uri, (size_t)(slash - uri) + (slash == parts.path));
}

char *modfs_path_basename(const char *uri) {
  if (!uri) return NULL;
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

/* Leading dots belong to the stem, as in Python's splitext. */
char *modfs_path_stem(const char *uri) {
  char *name = modfs_path_basename(uri);
  if (!name) return NULL;
  char *dot = strrchr(name, '.');
  if (dot && strspn(name, ".") < (size_t)(dot - name)) *dot = '\0';
  return name;
}

/* The path of a URI begins with a slash and does not become longer. */
char *modfs_path_clean_uri(const char *uri) {
  if (!uri) return NULL;
  modfs_path parts = modfs_path_parse(uri, strlen(uri));
  if (parts.scheme_length == 0) return modfs_path_clean(uri);
  if (parts.path_length == 0) return strdup(uri);
  char *clean = modfs_path_clean(parts.path), *out = clean ? strdup(uri) : NULL;
  if (out) stpcpy(out + (parts.path - uri), clean);
  free(clean);
  return out;
}

/* Segments ------------------------------------------------------------------- */

/* A cleaned path: its root ("", "/" or "scheme://host/"), followed by its segments. */
typedef struct segmented {
  char *text; /* Owns: free() */
  size_t root;
  char *segments;
} segmented;

/* False, with RESOURCE_EXHAUSTED, when memory is short. */
static bool segmented_init(segmented *self, const char *uri, TF_Status *status) {
  self->text = NULL;
  if (!status_takes(status, "the path", uri)) return false;
  char *clean = modfs_path_clean_uri(uri);
  size_t length = clean ? strlen(clean) : 0;
  self->text = clean ? malloc(length + 2) : NULL;
  if (self->text) {
    stpcpy(self->text, clean);
    modfs_path parts = modfs_path_parse(self->text, length);
    self->root = (size_t)(parts.path - self->text) + (*parts.path == '/');
    if (parts.scheme_length > 0 && parts.path_length == 0) stpcpy(self->text + self->root++, "/");
    if (strcmp(clean, ".") == 0) *self->text = '\0';
    self->segments = self->text + self->root;
  } else {
    status_no_memory(status);
  }
  free(clean);
  return self->text != NULL;
}

/* False, with INVALID_ARGUMENT, when two paths have different roots; shown is the text of b. */
static bool check_same_root(const segmented *a, const segmented *b, const char *shown,
                            TF_Status *status) {
  if (a->root == b->root && memcmp(a->text, b->text, a->root) == 0) return true;
  bool plain = a->root <= 1 && b->root <= 1;
  modfs_set_status(status, TF_INVALID_ARGUMENT, "'%s' %s", shown,
                   plain ? "has another root: one path is absolute, the other relative"
                         : "has another scheme or host");
  return false;
}

static char *next_segment(char *segment) {
  segment += strcspn(segment, "/");
  return segment + (*segment == '/');
}

static bool same_segment(const char *a, const char *b) {
  size_t length = strcspn(a, "/");
  return length > 0 && length == strcspn(b, "/") && memcmp(a, b, length) == 0;
}

static bool is_parent(const char *segment) {
  return same_segment(segment, "..");
}

/* The path up from one place and down to another, both below one root; NULL when memory is short.
 */
static char *path_between(char *from, const char *to) {
  size_t up = 0;
  for (char *segment = from; *segment; segment = next_segment(segment))
    up++;
  char *out = malloc(3 * up + strlen(to) + 2), *end = out;
  if (!out) return NULL;
  for (size_t i = 0; i < up; i++)
    end = stpcpy(end, "../");
  end = stpcpy(end, to);
  if (end == out) stpcpy(out, ".");
  if (*to == '\0' && up > 0) end[-1] = '\0';
  return out;
}

/* The name of a directory that ".." leaves depends on the working directory. */
static char *way_between(segmented *from, segmented *to, TF_Status *status) {
  char *p = from->segments, *q = to->segments;
  for (; same_segment(p, q); q = next_segment(q))
    p = next_segment(p);
  if (is_parent(p)) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT,
                 "the result depends on the working directory; make both paths absolute");
    return NULL;
  }
  char *way = path_between(p, q);
  if (!way) status_no_memory(status);
  return way;
}

char *modfs_path_relative(const char *path, const char *base, TF_Status *status) {
  segmented to = {0}, from = {0};
  char *way = NULL;
  status_clear(status);
  if (segmented_init(&to, path, status) && segmented_init(&from, base, status) &&
      check_same_root(&to, &from, base, status))
    way = way_between(&from, &to, status);
  free(to.text);
  free(from.text);
  status_locate(status, "relative", path);
  return way;
}

/* Cuts a off where it leaves b; may exchange them. What only one of them climbs by ".." is above
 * both. */
static void cut_to_common(segmented *a, segmented *b) {
  char *p = a->segments, *q = b->segments;
  for (; same_segment(p, q); q = next_segment(q))
    p = next_segment(p);
  if (is_parent(q)) {
    segmented other = *a;
    *a = *b;
    *b = other;
    p = q;
  }
  while (is_parent(p))
    p = next_segment(p);
  if (p > a->segments && p[-1] == '/') p--;
  *p = '\0';
}

char *modfs_path_common(const modfs_string_list *paths, TF_Status *status) {
  segmented common = {0};
  status_clear(status);
  if (paths->count == 0)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the list of paths is empty");
  else
    segmented_init(&common, paths->items[0], status);
  for (size_t i = 1; i < paths->count && status_ok(status); i++) {
    segmented next;
    if (!segmented_init(&next, paths->items[i], status)) break;
    if (check_same_root(&common, &next, paths->items[i], status)) cut_to_common(&common, &next);
    free(next.text);
  }
  if (status_ok(status)) return common.text;
  free(common.text);
  status_locate(status, "commonpath", paths->count > 0 ? paths->items[0] : NULL);
  return NULL;
}
