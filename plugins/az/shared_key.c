#include "shared_key.h"

#include <ctype.h>
#include <inttypes.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../common/wiped/wiped.h"

enum { MOST_HEADERS = 272, MOST_PAIRS = 16, MOST_KEY = 4096, DIGEST_SIZE = 32 };

/* Text in a block that never grows, which would leave copies of a secret. */
typedef struct writing {
  char *at;
  char *end;
} writing;

static void put(writing *out, const char *bytes, size_t n) {
  size_t room = (size_t)(out->end - out->at);
  if (n > room) n = room;
  memcpy(out->at, bytes, n);
  out->at += n;
}

static void put_text(writing *out, const char *words) {
  put(out, words, strlen(words));
}

static void put_lower(writing *out, const char *name, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char c = (char)tolower((unsigned char)name[i]);
    put(out, &c, 1);
  }
}

/* The value behind the colon, without blanks at its ends. */
static void put_value(writing *out, const char *line) {
  const char *value = strchr(line, ':') + 1;
  value += strspn(value, " \t");
  size_t n = strlen(value);
  while (n > 0 && (value[n - 1] == ' ' || value[n - 1] == '\t'))
    n--;
  put(out, value, n);
}

static size_t name_length(const char *line) {
  return strcspn(line, ":");
}

static bool has_name(const char *line, const char *name) {
  size_t n = name_length(line);
  return n == strlen(name) && strncasecmp(line, name, n) == 0;
}

/* The service sorts an underscore before digits and letters. */
static int weight(char c) {
  return c == '_' ? '!' : tolower((unsigned char)c);
}

static int compare_names(const char *a, size_t n, const char *b, size_t m) {
  for (size_t i = 0; i < n && i < m; i++)
    if (weight(a[i]) != weight(b[i])) return weight(a[i]) - weight(b[i]);
  return (n > m) - (n < m);
}

static int compare_lines(const void *a, const void *b) {
  const char *const *one = a, *const *other = b;
  return compare_names(*one, name_length(*one), *other, name_length(*other));
}

static int compare_pairs(const void *a, const void *b) {
  const az_pair *one = a, *other = b;
  return strcmp(one->name, other->name);
}

static void put_standard(writing *out, const az_signing *signing) {
  static const char *const names[] = {"Content-Encoding",
                                      "Content-Language",
                                      "Content-Length",
                                      "Content-MD5",
                                      "Content-Type",
                                      "Date",
                                      "If-Modified-Since",
                                      "If-Match",
                                      "If-None-Match",
                                      "If-Unmodified-Since",
                                      "Range"};
  char length[24];
  snprintf(length, sizeof length, "%" PRIu64, signing->length);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (i == 2 && signing->length > 0) put_text(out, length);
    for (const char *const *line = signing->headers; *line; line++)
      if (has_name(*line, names[i])) put_value(out, *line);
    put_text(out, "\n");
  }
}

static void put_own(writing *out, const az_signing *signing) {
  const char *lines[MOST_HEADERS];
  size_t count = 0;
  for (const char *const *line = signing->headers; *line && count < MOST_HEADERS; line++)
    if (strncasecmp(*line, "x-ms-", 5) == 0) lines[count++] = *line;
  qsort(lines, count, sizeof *lines, compare_lines);
  for (size_t i = 0; i < count; i++) {
    put_lower(out, lines[i], name_length(lines[i]));
    put_text(out, ":");
    put_value(out, lines[i]);
    put_text(out, "\n");
  }
}

static void put_resource(writing *out, const az_signing *signing) {
  az_pair pairs[MOST_PAIRS];
  size_t count = 0;
  for (const az_pair *pair = signing->query; pair && pair->name && count < MOST_PAIRS; pair++)
    pairs[count++] = *pair;
  qsort(pairs, count, sizeof *pairs, compare_pairs);
  put_text(out, "/");
  put_text(out, signing->account);
  put_text(out, signing->path);
  for (size_t i = 0; i < count; i++) {
    put_text(out, "\n");
    put_text(out, pairs[i].name);
    put_text(out, ":");
    put_text(out, pairs[i].value);
  }
}

/* An upper bound for the length of the text. */
static size_t room_for(const az_signing *signing) {
  size_t room = strlen(signing->method) + strlen(signing->account) + strlen(signing->path) + 64;
  for (const char *const *line = signing->headers; *line; line++)
    room += strlen(*line) + 2;
  for (const az_pair *pair = signing->query; pair && pair->name; pair++)
    room += strlen(pair->name) + strlen(pair->value) + 2;
  return room;
}

char *az_string_to_sign(const az_signing *signing) {
  size_t room = room_for(signing);
  char *bytes = calloc(1, room + 1);
  if (!bytes) return NULL;
  writing out = {.at = bytes, .end = bytes + room};
  put_text(&out, signing->method);
  put_text(&out, "\n");
  put_standard(&out, signing);
  put_own(&out, signing);
  put_resource(&out, signing);
  return bytes;
}

/* OpenSSL takes blanks at the ends, and '=' everywhere. Returns -1 for what is not base64. */
static int decode(const char *text, unsigned char bytes[MOST_KEY]) {
  static const char digits[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/";
  size_t n = strlen(text), padding = 0;
  if (n == 0 || n % 4 != 0 || n / 4 * 3 > MOST_KEY) return -1;
  while (padding < 2 && text[n - 1 - padding] == '=')
    padding++;
  if (strspn(text, digits) != n - padding) return -1;
  ERR_set_mark();
  int length = EVP_DecodeBlock(bytes, (const unsigned char *)text, (int)n);
  ERR_pop_to_mark();
  return length < 0 ? -1 : length - (int)padding;
}

bool az_is_key(const char *key) {
  unsigned char bytes[MOST_KEY];
  bool good = decode(key, bytes) > 0;
  explicit_bzero(bytes, sizeof bytes);
  return good;
}

/* No error stays in OpenSSL's queue. */
bool az_hmac(const char *key, const char *text, char signature[AZ_SIGNATURE_SIZE]) {
  unsigned char bytes[MOST_KEY], digest[EVP_MAX_MD_SIZE];
  int size = decode(key, bytes);
  ERR_set_mark();
  bool good = size > 0 && HMAC(EVP_sha256(), bytes, size, (const unsigned char *)text, strlen(text),
                               digest, NULL) != NULL;
  ERR_pop_to_mark();
  explicit_bzero(bytes, sizeof bytes);
  if (good) EVP_EncodeBlock((unsigned char *)signature, digest, DIGEST_SIZE);
  return good;
}

bool az_sign(const az_signing *signing, const char *key,
             char authorization[AZ_AUTHORIZATION_SIZE]) {
  char signature[AZ_SIGNATURE_SIZE];
  char *text = az_string_to_sign(signing);
  bool good = text && az_hmac(key, text, signature);
  wiped_free_text(text);
  if (good)
    snprintf(authorization, AZ_AUTHORIZATION_SIZE, "Authorization: SharedKey %s:%s",
             signing->account, signature);
  return good;
}
