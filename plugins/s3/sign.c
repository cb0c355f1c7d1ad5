#include "sign.h"

#include <ctype.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../common/wiped/wiped.h"

enum { MOST_HEADERS = 272, DIGEST_SIZE = 32, DAY = 8, MOST_SECRET = 8200 };

typedef struct header {
  const char *line;
  size_t name; /* its length */
} header;

/* The headers of a request, sorted by name. */
typedef struct header_list {
  header items[MOST_HEADERS];
  size_t count;
} header_list;

static void to_hex(const unsigned char digest[DIGEST_SIZE], char hex[S3_HASH_SIZE]) {
  for (int i = 0; i < DIGEST_SIZE; i++)
    snprintf(hex + (size_t)i * 2, 3, "%02x", digest[i]);
}

/* OpenSSL queues the errors of a thread, with blocks of memory, until somebody asks for them: what
 * is queued by a call here is removed, and what the host has queued stays. */
bool s3_hash(const void *bytes, size_t n, char hash[S3_HASH_SIZE]) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  ERR_set_mark();
  bool done = EVP_Digest(bytes, n, digest, NULL, EVP_sha256(), NULL) == 1;
  ERR_pop_to_mark();
  if (done) to_hex(digest, hash);
  return done;
}

static bool hmac(const void *key, size_t size, const char *text, unsigned char *digest) {
  const unsigned char *bytes = (const unsigned char *)text;
  ERR_set_mark();
  bool done = HMAC(EVP_sha256(), key, (int)size, bytes, strlen(text), digest, NULL) != NULL;
  ERR_pop_to_mark();
  return done;
}

/* Compares header names without case. */
static int compare(const header *a, const header *b) {
  size_t n = a->name < b->name ? a->name : b->name;
  int less = strncasecmp(a->line, b->line, n);
  if (less != 0 || a->name == b->name) return less;
  return a->name < b->name ? -1 : 1;
}

/* A stable sort: headers of one name must keep their order, which qsort does not guarantee. */
static void sort(header_list *headers) {
  header *items = headers->items;
  for (size_t i = 1; i < headers->count; i++)
    for (size_t j = i; j > 0 && compare(&items[j - 1], &items[j]) > 0; j--) {
      header swapped = items[j];
      items[j] = items[j - 1];
      items[j - 1] = swapped;
    }
}

static bool take_headers(const char *const *lines, header_list *headers) {
  for (headers->count = 0; lines[headers->count]; headers->count++) {
    const char *line = lines[headers->count], *colon = strchr(line, ':');
    if (!colon || headers->count == MOST_HEADERS) return false;
    headers->items[headers->count] = (header){line, (size_t)(colon - line)};
  }
  sort(headers);
  return true;
}

/* Whether the header has the name of the one before it. */
static bool is_again(const header_list *headers, size_t i) {
  return i > 0 && compare(&headers->items[i - 1], &headers->items[i]) == 0;
}

static void put_name(FILE *out, const header *named) {
  for (size_t i = 0; i < named->name; i++)
    fputc(tolower((unsigned char)named->line[i]), out);
}

/* Appends the value trimmed, with each run of blanks as one blank. */
static void put_value(FILE *out, const header *named) {
  const char *c = named->line + named->name + 1;
  bool gap = false, begun = false;
  for (; *c; c++) {
    if (*c == ' ' || *c == '\t') {
      gap = begun;
    } else {
      if (gap) fputc(' ', out);
      fputc(*c, out);
      gap = false;
      begun = true;
    }
  }
}

static void put_headers(FILE *out, const header_list *headers) {
  for (size_t i = 0; i < headers->count; i++) {
    bool more = is_again(headers, i);
    if (i > 0) fputc(more ? ',' : '\n', out);
    if (!more) {
      put_name(out, &headers->items[i]);
      fputc(':', out);
    }
    put_value(out, &headers->items[i]);
  }
  fputc('\n', out);
}

static void put_names(FILE *out, const header_list *headers) {
  for (size_t i = 0; i < headers->count; i++) {
    if (is_again(headers, i)) continue;
    if (i > 0) fputc(';', out);
    put_name(out, &headers->items[i]);
  }
}

/* An upper bound for the length of a canonical request, with its NUL. */
static size_t room_for(const s3_signing *signing, const header_list *headers) {
  size_t room = strlen(signing->method) + strlen(signing->path) + strlen(signing->query) +
                strlen(signing->payload) + 8;
  for (size_t i = 0; i < headers->count; i++)
    room += strlen(headers->items[i].line) + headers->items[i].name + 4;
  return room;
}

static bool write_request(FILE *out, const s3_signing *signing, const header_list *headers) {
  char buffer[1024]; /* instead of stdio's own, so that it can be wiped */
  setvbuf(out, buffer, _IOFBF, sizeof buffer);
  fprintf(out, "%s\n%s\n%s\n", signing->method, signing->path, signing->query);
  put_headers(out, headers);
  fputc('\n', out);
  put_names(out, headers);
  fprintf(out, "\n%s", signing->payload);
  bool bad = ferror(out) != 0;
  bad = fclose(out) != 0 || bad;
  explicit_bzero(buffer, sizeof buffer);
  return !bad;
}

/* Contains a session token, so it never grows, which would leave copies. Owns: the caller wipes and frees
 * it. */
static char *canonical_request(const s3_signing *signing, const header_list *headers) {
  size_t room = room_for(signing, headers);
  char *text = calloc(1, room);
  FILE *out = text ? fmemopen(text, room, "w") : NULL;
  if (out && write_request(out, signing, headers)) return text;
  if (text) explicit_bzero(text, room);
  free(text);
  return NULL;
}

/* The derived key is valid for one day, region and service only. */
static bool derive_key(const s3_signing *signing, unsigned char key[EVP_MAX_MD_SIZE]) {
  char first[MOST_SECRET], day[DAY + 1];
  int n = snprintf(first, sizeof first, "AWS4%s", signing->secret);
  snprintf(day, sizeof day, "%.8s", signing->time);
  bool good = n > 0 && n < MOST_SECRET && hmac(first, (size_t)n, day, key) &&
              hmac(key, DIGEST_SIZE, signing->region, key) &&
              hmac(key, DIGEST_SIZE, signing->service, key) &&
              hmac(key, DIGEST_SIZE, "aws4_request", key);
  explicit_bzero(first, sizeof first);
  return good;
}

static bool make_signature(const s3_signing *signing, const char *scope, const char *request,
                           char signature[S3_HASH_SIZE]) {
  unsigned char key[EVP_MAX_MD_SIZE], digest[EVP_MAX_MD_SIZE];
  char hash[S3_HASH_SIZE], text[S3_SCOPE_SIZE + 160];
  if (!s3_hash(request, strlen(request), hash)) return false;
  snprintf(text, sizeof text, "AWS4-HMAC-SHA256\n%s\n%s\n%s", signing->time, scope, hash);
  bool good = derive_key(signing, key) && hmac(key, DIGEST_SIZE, text, digest);
  if (good) to_hex(digest, signature);
  explicit_bzero(key, sizeof key);
  return good;
}

static bool write_header(const s3_signing *signing, const char *scope, const header_list *headers,
                         const char *signature, char *authorization) {
  FILE *out = fmemopen(authorization, S3_AUTHORIZATION_SIZE, "w");
  if (!out) return false;
  fprintf(out, "Authorization: AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=", signing->key_id,
          scope);
  put_names(out, headers);
  fprintf(out, ", Signature=%s", signature);
  bool bad = ferror(out) != 0;
  return fclose(out) == 0 && !bad && strlen(authorization) < S3_AUTHORIZATION_SIZE - 1;
}

bool s3_sign_scope(const s3_signing *signing, char scope[S3_SCOPE_SIZE]) {
  int n = snprintf(scope, S3_SCOPE_SIZE, "%.8s/%s/%s/aws4_request", signing->time, signing->region,
                   signing->service);
  return n > 0 && n < S3_SCOPE_SIZE;
}

static bool sign_headers(const s3_signing *signing, const header_list *headers, const char *scope,
                         char signature[S3_HASH_SIZE]) {
  char *request = canonical_request(signing, headers);
  bool good = request && make_signature(signing, scope, request, signature);
  wiped_free_text(request);
  return good;
}

bool s3_sign_bare(const s3_signing *signing, char signature[S3_HASH_SIZE]) {
  header_list headers;
  char scope[S3_SCOPE_SIZE];
  return take_headers(signing->headers, &headers) && s3_sign_scope(signing, scope) &&
         sign_headers(signing, &headers, scope, signature);
}

bool s3_sign(const s3_signing *signing, char authorization[S3_AUTHORIZATION_SIZE]) {
  header_list headers;
  char scope[S3_SCOPE_SIZE], signature[S3_HASH_SIZE];
  return take_headers(signing->headers, &headers) && s3_sign_scope(signing, scope) &&
         sign_headers(signing, &headers, scope, signature) &&
         write_header(signing, scope, &headers, signature, authorization);
}
