#include "name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "../utf8/utf8.h"

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_INVALID_ARGUMENT, why);
  return false;
}

static bool take_key(const char *key, objects_name *name, TF_Status *status) {
  size_t n = strlen(key);
  name->is_directory = n == 0 || key[n - 1] == '/';
  if (n > 0 && name->is_directory) n--;
  if (n > OBJECTS_MOST_KEY) return refuse("the key is longer than 1,024 bytes", status);
  if (strpbrk(key, "\r\n")) return refuse("the key contains a line break", status);
  if (!utf8_is_valid(key)) return refuse("the key is not valid UTF-8", status);
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

static int digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                : -1;
}

bool objects_name_decode(char *text, bool plus) {
  char *to = text;
  for (; *text; text++) {
    char c = plus && *text == '+' ? ' ' : *text;
    if (c == '%') {
      int high = digit(text[1]), low = high < 0 ? -1 : digit(text[2]);
      if (low < 0 || high + low == 0) return false;
      c = (char)(high * 16 + low);
      text += 2;
    }
    *to++ = c;
  }
  *to = '\0';
  return true;
}
