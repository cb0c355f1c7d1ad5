#include "hash.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

#include "protocol.h"

enum { MD5_SIZE = 16 };

/* Here and below, no error stays in OpenSSL's queue. */
static bool md5(const char *bytes, size_t n, unsigned char digest[MD5_SIZE]) {
  ERR_set_mark();
  bool done = EVP_Digest(bytes, n, digest, NULL, EVP_md5(), NULL) == 1;
  ERR_pop_to_mark();
  return done;
}

static void write_tag(const unsigned char digest[MD5_SIZE], int parts, char tag[OBJECTS_TAG_SIZE]) {
  char *at = tag;
  *at++ = '"';
  for (int i = 0; i < MD5_SIZE; i++, at += 2)
    snprintf(at, 3, "%02x", digest[i]);
  if (parts > 0)
    snprintf(at, 16, "-%d\"", parts);
  else
    memcpy(at, "\"", 2);
}

bool s3_hash_tag(const char *bytes, size_t n, char tag[OBJECTS_TAG_SIZE]) {
  unsigned char digest[MD5_SIZE];
  if (!md5(bytes, n, digest)) return false;
  write_tag(digest, 0, tag);
  return true;
}

/* Hexadecimal digits, then a quote. */
static bool read_md5(const char *text, unsigned char digest[MD5_SIZE]) {
  for (size_t i = 0; i < MD5_SIZE; i++, text += 2) {
    int high = OPENSSL_hexchar2int((unsigned char)text[0]);
    int low = high < 0 ? -1 : OPENSSL_hexchar2int((unsigned char)text[1]);
    if (low < 0) return false;
    digest[i] = (unsigned char)(high * 16 + low);
  }
  return *text == '"';
}

bool s3_hash_tag_of_parts(const char *tags, int count, char tag[OBJECTS_TAG_SIZE]) {
  unsigned char digest[MD5_SIZE];
  ERR_set_mark();
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  bool good = count > 0 && context && EVP_DigestInit_ex(context, EVP_md5(), NULL) == 1;
  for (int i = 0; good && i < count; i++, tags += strlen(tags) + 1)
    good = *tags == '"' && read_md5(tags + 1, digest) &&
           EVP_DigestUpdate(context, digest, MD5_SIZE) == 1;
  good = good && EVP_DigestFinal_ex(context, digest, NULL) == 1;
  EVP_MD_CTX_free(context);
  ERR_pop_to_mark();
  if (good) write_tag(digest, count, tag);
  return good;
}

bool s3_hash_md5(const char *bytes, size_t n, char text[S3_MD5_BASE64_SIZE]) {
  unsigned char digest[MD5_SIZE];
  return md5(bytes, n, digest) &&
         EVP_EncodeBlock((unsigned char *)text, digest, MD5_SIZE) == S3_MD5_BASE64_SIZE - 1;
}

/* An ETag in lower-case hexadecimal digits, with the number of parts behind a hyphen if there is one. One of
 * another kind is only freed of its quotes. Owns: the caller, free(). */
static char *bare_tag(const char *tag) {
  static const char digits[] = "0123456789abcdefABCDEF";
  size_t n = strlen(tag);
  bool quoted = n > 2 && tag[0] == '"' && tag[n - 1] == '"';
  char *bare = strndup(tag + quoted, n - 2 * (size_t)quoted);
  size_t hex = bare ? strspn(bare, digits) : 0;
  bool plain = hex > 0 && (bare[hex] == '\0' || bare[hex] == '-');
  for (size_t i = 0; plain && i < hex; i++)
    if (bare[i] >= 'A' && bare[i] <= 'F') bare[i] = (char)(bare[i] - 'A' + 'a');
  return bare;
}

char *s3_stored_hash(const objects_change *found, const char *algorithm, TF_Status *status) {
  char *tag = NULL;
  (void)algorithm;
  if (found->object->tag[0] == '\0')
    objects_fail(status, TF_DATA_LOSS, (objects_action){S3_HEAD, found->name},
                 "the response has no ETag");
  else if (!(tag = bare_tag(found->object->tag)))
    fail_no_memory(status);
  return tag;
}
