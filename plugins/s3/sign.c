#include "sign.h"

#include <ctype.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../common/wiped/wiped.h"

enum { MOST_HEADERS = 272, DIGEST_SIZE = 32, DAY = 8, MOST_SECRET = 8200 };

static const char algorithm[] = "Authorization: AWS4-HMAC-SHA256 Credential=",
                  signed_names[] = ", SignedHeaders=", signature_word[] = ", Signature=";

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
  static const char digits[] = "0123456789abcdef";
  for (int i = 0; i < DIGEST_SIZE; i++) {
    *hex++ = digits[digest[i] >> 4];
    *hex++ = digits[digest[i] & 15];
  }
  *hex = '\0';
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

/* One context for all of a signature: to find SHA-256 takes OpenSSL longer than to hash a few words. NULL without
 * memory. Owns: the caller, EVP_MAC_CTX_free, which wipes it. */
static EVP_MAC_CTX *context_new(void) {
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 6),
                                   OSSL_PARAM_END};
  EVP_MAC *hmac = EVP_MAC_fetch(NULL, "HMAC", NULL);
  EVP_MAC_CTX *made = hmac ? EVP_MAC_CTX_new(hmac) : NULL;
  EVP_MAC_free(hmac);
  if (made && EVP_MAC_CTX_set_params(made, parameters) == 1) return made;
  EVP_MAC_CTX_free(made);
  return NULL;
}

/* The digest may be the key. */
static bool hmac(EVP_MAC_CTX *context, const void *key, size_t size, const char *text,
                 unsigned char digest[DIGEST_SIZE]) {
  size_t length;
  return EVP_MAC_init(context, key, size, NULL) == 1 &&
         EVP_MAC_update(context, (const unsigned char *)text, strlen(text)) == 1 &&
         EVP_MAC_final(context, digest, &length, DIGEST_SIZE) == 1;
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

/* What writes returns where it has come to; its caller has made room. */
static char *put_name(char *to, const header *named) {
  for (size_t i = 0; i < named->name; i++)
    *to++ = (char)tolower((unsigned char)named->line[i]);
  return to;
}

/* Appends the value trimmed, with each run of blanks as one blank. */
static char *put_value(char *to, const header *named) {
  const char *c = named->line + named->name + 1;
  bool gap = false, begun = false;
  for (; *c; c++) {
    if (*c == ' ' || *c == '\t') {
      gap = begun;
    } else {
      if (gap) *to++ = ' ';
      *to++ = *c;
      gap = false;
      begun = true;
    }
  }
  return to;
}

static char *put_headers(char *to, const header_list *headers) {
  for (size_t i = 0; i < headers->count; i++) {
    bool more = is_again(headers, i);
    if (i > 0) *to++ = more ? ',' : '\n';
    if (!more) {
      to = put_name(to, &headers->items[i]);
      *to++ = ':';
    }
    to = put_value(to, &headers->items[i]);
  }
  *to++ = '\n';
  return to;
}

static char *put_names(char *to, const header_list *headers) {
  for (size_t i = 0; i < headers->count; i++) {
    if (is_again(headers, i)) continue;
    if (i > 0) *to++ = ';';
    to = put_name(to, &headers->items[i]);
  }
  return to;
}

/* An upper bound for the length of a canonical request, with its NUL. */
static size_t room_for(const s3_signing *signing, const header_list *headers) {
  size_t room = strlen(signing->method) + strlen(signing->path) + strlen(signing->query) +
                strlen(signing->payload) + 8;
  for (size_t i = 0; i < headers->count; i++)
    room += strlen(headers->items[i].line) + headers->items[i].name + 4;
  return room;
}

static char *put_line(char *to, const char *text) {
  to = stpcpy(to, text);
  *to++ = '\n';
  return to;
}

static void write_request(char *to, const s3_signing *signing, const header_list *headers) {
  to = put_line(to, signing->method);
  to = put_line(to, signing->path);
  to = put_line(to, signing->query);
  to = put_headers(to, headers);
  *to++ = '\n';
  to = put_names(to, headers);
  *to++ = '\n';
  stpcpy(to, signing->payload);
}

/* Contains a session token, so it never grows, which would leave copies. NULL without memory. Owns: the caller
 * wipes and frees it. */
static char *canonical_request(const s3_signing *signing, const header_list *headers) {
  char *text = malloc(room_for(signing, headers));
  if (text) write_request(text, signing, headers);
  return text;
}

/* The derived key is valid for one day, region and service only. */
static bool derive_key(EVP_MAC_CTX *context, const s3_signing *signing,
                       unsigned char key[DIGEST_SIZE]) {
  char first[MOST_SECRET], day[DAY + 1];
  int n = snprintf(first, sizeof first, "AWS4%s", signing->secret);
  snprintf(day, sizeof day, "%.8s", signing->time);
  bool good = n > 0 && n < MOST_SECRET && hmac(context, first, (size_t)n, day, key) &&
              hmac(context, key, DIGEST_SIZE, signing->region, key) &&
              hmac(context, key, DIGEST_SIZE, signing->service, key) &&
              hmac(context, key, DIGEST_SIZE, "aws4_request", key);
  explicit_bzero(first, sizeof first);
  return good;
}

static bool digest_all(EVP_MAC_CTX *context, const s3_signing *signing, const char *scope,
                       const char *request, unsigned char digest[DIGEST_SIZE]) {
  unsigned char key[DIGEST_SIZE];
  char hash[S3_HASH_SIZE], text[S3_SCOPE_SIZE + 160];
  if (!s3_hash(request, strlen(request), hash)) return false;
  snprintf(text, sizeof text, "AWS4-HMAC-SHA256\n%s\n%s\n%s", signing->time, scope, hash);
  bool good = derive_key(context, signing, key) && hmac(context, key, DIGEST_SIZE, text, digest);
  explicit_bzero(key, sizeof key);
  return good;
}

static bool make_signature(const s3_signing *signing, const char *scope, const char *request,
                           char signature[S3_HASH_SIZE]) {
  unsigned char digest[DIGEST_SIZE];
  ERR_set_mark();
  EVP_MAC_CTX *context = context_new();
  bool good = context && digest_all(context, signing, scope, request, digest);
  EVP_MAC_CTX_free(context);
  ERR_pop_to_mark();
  if (good) to_hex(digest, signature);
  return good;
}

/* False where it is too long. */
static bool write_header(const s3_signing *signing, const char *scope, const header_list *headers,
                         const char *signature, char authorization[S3_AUTHORIZATION_SIZE]) {
  size_t room = sizeof algorithm + sizeof signed_names + sizeof signature_word +
                strlen(signing->key_id) + strlen(scope) + S3_HASH_SIZE;
  for (size_t i = 0; i < headers->count; i++)
    room += headers->items[i].name + 1;
  if (room >= S3_AUTHORIZATION_SIZE) return false;
  char *to = stpcpy(stpcpy(authorization, algorithm), signing->key_id);
  *to++ = '/';
  to = put_names(stpcpy(stpcpy(to, scope), signed_names), headers);
  stpcpy(stpcpy(to, signature_word), signature);
  return true;
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
