#include "name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_INVALID_ARGUMENT, why);
  return false;
}

/* The length of the UTF-8 character that begins here; 0 when it is invalid. The first byte and the range of
 * the second exclude overlong forms, surrogates, and what lies beyond U+10FFFF. */
static size_t character(const unsigned char *c) {
  static const struct {
    unsigned char least, most, second_least, second_most;
    size_t length;
  } forms[] = {
      {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
  size_t form = 0, count = sizeof forms / sizeof *forms;
  while (form < count && (c[0] < forms[form].least || c[0] > forms[form].most))
    form++;
  if (form == count) return 0;
  size_t length = forms[form].length;
  if (length > 1 && (c[1] < forms[form].second_least || c[1] > forms[form].second_most)) return 0;
  for (size_t i = 2; i < length; i++)
    if ((c[i] & 0xc0) != 0x80) return 0;
  return length;
}

static bool is_utf8(const char *text) {
  while (*text) {
    size_t n = character((const unsigned char *)text);
    if (n == 0) return false;
    text += n;
  }
  return true;
}

static bool take_key(const char *key, objects_name *name, TF_Status *status) {
  size_t n = strlen(key);
  name->is_directory = n == 0 || key[n - 1] == '/';
  if (n > 0 && name->is_directory) n--;
  if (n > OBJECTS_MOST_KEY) return refuse("the key is longer than 1,024 bytes", status);
  if (strpbrk(key, "\r\n")) return refuse("the key contains a line break", status);
  if (!is_utf8(key)) return refuse("the key is not valid UTF-8", status);
  memcpy(name->key, key, n);
  name->key[n] = '\0';
  snprintf(name->prefix, sizeof name->prefix, *key ? "%s/" : "%s", name->key);
  return true;
}

bool objects_name_read(objects_take_bucket *take, const char *path, objects_name *name,
                       TF_Status *status) {
  const char *end = strstr(path, "://"), *rest = end ? end + 3 : path;
  char scheme[16];
  snprintf(scheme, sizeof scheme, "%.*s", end ? (int)(end - path) : 0, path);
  while (!end && *rest == '/')
    rest++;
  name->is_root = false;
  return take(scheme, &rest, name, status) && take_key(rest, name, status);
}

bool objects_name_is_same(const objects_name *a, const objects_name *b) {
  return strcmp(a->bucket, b->bucket) == 0 && strcmp(a->key, b->key) == 0;
}

static bool has_bucket(const objects_name *root, const objects_name *name) {
  size_t n = strlen(root->bucket);
  return n == 0 || (strncmp(name->bucket, root->bucket, n) == 0 && name->bucket[n] == '/');
}

bool objects_name_covers(const objects_name *above, const objects_name *name) {
  if (objects_name_is_same(above, name) || (above->is_root && has_bucket(above, name))) return true;
  return strcmp(above->bucket, name->bucket) == 0 &&
         strncmp(name->key, above->prefix, strlen(above->prefix)) == 0;
}

bool objects_name_to_parent(objects_name *name) {
  if (name->key[0] == '\0') return false;
  const char *slash = strrchr(name->key, '/');
  size_t n = slash ? (size_t)(slash - name->key) : 0;
  name->prefix[slash ? n + 1 : 0] = '\0';
  name->key[n] = '\0';
  name->is_directory = true;
  return true;
}

bool objects_name_is_marker(const objects_name *name) {
  size_t n = strlen(name->key);
  return n > 0 && name->key[n - 1] == '/';
}

size_t objects_name_encode(const char *text, bool keep_slashes, char *encoded, size_t size) {
  static const char digits[] = "0123456789ABCDEF";
  size_t n = 0;
  for (; *text && n + 4 <= size; text++) {
    unsigned char c = (unsigned char)*text;
    bool stays = c < 0x80 && (isalnum(c) || strchr("-_.~", c) || (keep_slashes && c == '/'));
    if (stays) {
      encoded[n++] = *text;
    } else {
      encoded[n++] = '%';
      encoded[n++] = digits[c >> 4];
      encoded[n++] = digits[c & 15];
    }
  }
  encoded[n] = '\0';
  return n;
}
