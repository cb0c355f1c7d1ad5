#include "hash.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <string.h>

enum { MD5_SIZE = 16 };

/* Here and below, no error stays in OpenSSL's queue. */
static bool md5(const char *bytes, size_t n, unsigned char digest[MD5_SIZE]) {
  ERR_set_mark();
  bool done = EVP_Digest(bytes, n, digest, NULL, EVP_md5(), NULL) == 1;
  ERR_pop_to_mark();
  return done;
}

static void write_tag(const unsigned char digest[MD5_SIZE], int parts, char tag[S3_TAG_SIZE]) {
  char *at = tag;
  *at++ = '"';
  for (int i = 0; i < MD5_SIZE; i++, at += 2)
    snprintf(at, 3, "%02x", digest[i]);
  if (parts > 0)
    snprintf(at, 16, "-%d\"", parts);
  else
    memcpy(at, "\"", 2);
}

bool s3_hash_tag(const char *bytes, size_t n, char tag[S3_TAG_SIZE]) {
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

bool s3_hash_tag_of_parts(const char *list, char tag[S3_TAG_SIZE]) {
  static const char opening[] = "<ETag>\"";
  unsigned char digest[MD5_SIZE];
  int parts = 0;
  ERR_set_mark();
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  bool good = context && EVP_DigestInit_ex(context, EVP_md5(), NULL) == 1;
  for (const char *at = strstr(list, opening); good && at; at = strstr(at + 1, opening)) {
    good = read_md5(at + sizeof opening - 1, digest) &&
           EVP_DigestUpdate(context, digest, MD5_SIZE) == 1;
    parts++;
  }
  good = good && parts > 0 && EVP_DigestFinal_ex(context, digest, NULL) == 1;
  EVP_MD_CTX_free(context);
  ERR_pop_to_mark();
  if (good) write_tag(digest, parts, tag);
  return good;
}

bool s3_hash_md5(const char *bytes, size_t n, char text[S3_MD5_BASE64_SIZE]) {
  unsigned char digest[MD5_SIZE];
  return md5(bytes, n, digest) &&
         EVP_EncodeBlock((unsigned char *)text, digest, MD5_SIZE) == S3_MD5_BASE64_SIZE - 1;
}
