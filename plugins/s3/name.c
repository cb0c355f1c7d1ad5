#include "name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_INVALID_ARGUMENT, why);
  return false;
}

static bool is_plain(char c) {
  return islower((unsigned char)c) || isdigit((unsigned char)c);
}

static bool is_address(const char *bucket) {
  return bucket[strspn(bucket, "0123456789.")] == '\0';
}

/* Underscores are allowed for gs://, whose buckets may have them. */
static bool is_bucket(const char *bucket, size_t n, bool underscores) {
  if (n < 3 || !is_plain(bucket[0]) || !is_plain(bucket[n - 1])) return false;
  for (size_t i = 0; i < n; i++) {
    bool dotted = bucket[i] == '.' && bucket[i + 1] != '.';
    bool joined = bucket[i] == '-' || (underscores && bucket[i] == '_');
    if (!is_plain(bucket[i]) && !dotted && !joined) return false;
  }
  return !is_address(bucket);
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

static bool take_bucket(const char **rest, bool underscores, s3_name *name, TF_Status *status) {
  size_t n = strcspn(*rest, "/");
  if (n > S3_MOST_BUCKET) return refuse("the bucket name is longer than 63 characters", status);
  memcpy(name->bucket, *rest, n);
  name->bucket[n] = '\0';
  *rest += n + ((*rest)[n] == '/');
  if (n > 0 && !is_bucket(name->bucket, n, underscores))
    return refuse(
        "not a bucket name: expected 3 to 63 of a-z, 0-9, - and ., with a letter or digit at "
        "both ends",
        status);
  return n > 0 || **rest == '\0' || refuse("the bucket name is missing", status);
}

static bool take_key(const char *key, s3_name *name, TF_Status *status) {
  size_t n = strlen(key);
  name->is_directory = n == 0 || key[n - 1] == '/';
  if (n > 0 && name->is_directory) n--;
  if (n > S3_MOST_KEY) return refuse("the key is longer than 1,024 bytes", status);
  if (strpbrk(key, "\r\n")) return refuse("the key contains a line break", status);
  if (!is_utf8(key)) return refuse("the key is not valid UTF-8", status);
  memcpy(name->key, key, n);
  name->key[n] = '\0';
  snprintf(name->prefix, sizeof name->prefix, *key ? "%s/" : "%s", name->key);
  return true;
}

bool s3_name_parse(const char *path, s3_name *name, TF_Status *status) {
  const char *scheme = strstr(path, "://"), *rest = scheme ? scheme + 3 : path;
  while (!scheme && *rest == '/')
    rest++;
  bool google = scheme && strncmp(path, "gs:", 3) == 0;
  return take_bucket(&rest, google, name, status) && take_key(rest, name, status);
}

bool s3_name_parse_file(const char *path, s3_name *name, TF_Status *status) {
  if (!s3_name_parse(path, name, status)) return false;
  if (!name->is_directory) return true;
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  return false;
}

bool s3_name_is_same(const s3_name *a, const s3_name *b) {
  return strcmp(a->bucket, b->bucket) == 0 && strcmp(a->key, b->key) == 0;
}

bool s3_name_covers(const s3_name *above, const s3_name *name) {
  if (above->bucket[0] == '\0' || s3_name_is_same(above, name)) return true;
  return strcmp(above->bucket, name->bucket) == 0 &&
         strncmp(name->key, above->prefix, strlen(above->prefix)) == 0;
}

bool s3_name_to_parent(s3_name *name) {
  if (name->key[0] == '\0') return false;
  const char *slash = strrchr(name->key, '/');
  size_t n = slash ? (size_t)(slash - name->key) : 0;
  name->prefix[slash ? n + 1 : 0] = '\0';
  name->key[n] = '\0';
  name->is_directory = true;
  return true;
}

bool s3_name_is_marker(const s3_name *name) {
  size_t n = strlen(name->key);
  return n > 0 && name->key[n - 1] == '/';
}

size_t s3_name_encode(const char *text, bool keep_slashes, char *encoded, size_t size) {
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
