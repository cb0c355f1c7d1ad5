/* No shared state. The key is decoded into memory of the caller's stack, which is wiped, because what OpenSSL
 * reads PEM with leaves copies behind; the objects that it makes of a key are wiped when they are freed. Its
 * error queue is left as it was: the errors of reading a key may quote it. */
#include "jwt.h"

#include <inttypes.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <string.h>

enum { MOST_JSON = 2048, MOST_KEY = 6 * 1024, MOST_BASE64 = 8 * 1024 };

/* Whether the text can stand in a JSON string as it is. */
static bool is_plain(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == '"' || *text == '\\') return false;
  return true;
}

/* Appends bytes in base64 for URLs, without padding, and returns the new length; 0: no room. */
static size_t add_encoded(char *token, size_t size, size_t length, const void *bytes, size_t n) {
  char block[MOST_BASE64];
  if (length == 0 || n > sizeof block / 4 * 3 - 3) return 0;
  int encoded = EVP_EncodeBlock((unsigned char *)block, bytes, (int)n);
  size_t count = (size_t)encoded;
  while (count > 0 && block[count - 1] == '=')
    count--;
  for (size_t i = 0; i < count; i++)
    block[i] = (char)(block[i] == '+' ? '-' : block[i] == '/' ? '_' : block[i]);
  bool fits = count < size - length;
  if (fits) memcpy(token + length - 1, block, count);
  if (fits) token[length - 1 + count] = '\0';
  explicit_bzero(block, sizeof block);
  return fits ? length + count : 0;
}

/* The base64 between the two lines of a PEM, decoded; 0: there is none, or too much. */
static size_t decode_pem(const char *pem, unsigned char *der) {
  static const char begin[] = "-----BEGIN PRIVATE KEY-----", end[] = "-----END PRIVATE KEY-----";
  char block[MOST_KEY / 3 * 4];
  size_t n = 0, padding = 0;
  const char *at = strstr(pem, begin), *last = at ? strstr(at, end) : NULL;
  int decoded = -1;
  if (!last) return 0;
  for (at += sizeof begin - 1; at < last && n < sizeof block; at++)
    if (!strchr(" \t\r\n", *at)) block[n++] = *at;
  while (padding < n && block[n - 1 - padding] == '=')
    padding++;
  if (n > 0 && n % 4 == 0 && padding <= 2)
    decoded = EVP_DecodeBlock(der, (unsigned char *)block, (int)n);
  explicit_bzero(block, sizeof block);
  return decoded > 0 ? (size_t)decoded - padding : 0;
}

/* NULL: it is none. Owns: the caller, EVP_PKEY_free. */
static EVP_PKEY *read_key(const char *pem) {
  unsigned char der[MOST_KEY];
  const unsigned char *at = der;
  size_t n = decode_pem(pem, der);
  PKCS8_PRIV_KEY_INFO *info = n > 0 ? d2i_PKCS8_PRIV_KEY_INFO(NULL, &at, (long)n) : NULL;
  EVP_PKEY *key = info ? EVP_PKCS82PKEY(info) : NULL;
  PKCS8_PRIV_KEY_INFO_free(info);
  explicit_bzero(der, sizeof der);
  if (key && EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA) return key;
  EVP_PKEY_free(key);
  return NULL;
}

/* Returns the length of the signature; 0: it could not be made. */
static size_t sign(EVP_PKEY *key, const char *text, unsigned char *signature) {
  size_t n = GS_MOST_SIGNATURE;
  EVP_MD_CTX *context = EVP_MD_CTX_new();
  bool good =
      context && EVP_PKEY_get_size(key) <= GS_MOST_SIGNATURE &&
      EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
      EVP_DigestSign(context, signature, &n, (const unsigned char *)text, strlen(text)) == 1;
  EVP_MD_CTX_free(context);
  return good ? n : 0;
}

const char *gs_jwt_sign(const char *key, const char *text,
                        unsigned char signature[GS_MOST_SIGNATURE], size_t *n) {
  ERR_set_mark();
  EVP_PKEY *read = read_key(key);
  *n = read ? sign(read, text, signature) : 0;
  EVP_PKEY_free(read);
  ERR_pop_to_mark();
  if (!read) return "its private_key is not an RSA key in PKCS #8";
  return *n > 0 ? NULL : "its private_key cannot sign";
}

/* "header.claims"; returns its length with the NUL, 0: no room. */
static size_t write_claims(const gs_jwt *jwt, char *token, size_t size) {
  char json[MOST_JSON];
  int n = snprintf(json, sizeof json, "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"%s\"}",
                   jwt->key_id);
  token[0] = '\0';
  size_t length = n < MOST_JSON ? add_encoded(token, size, 1, json, (size_t)n) : 0;
  n = snprintf(json, sizeof json,
               "{\"iss\":\"%s\",\"scope\":\"%s\",\"aud\":\"%s\",\"iat\":%" PRId64
               ",\"exp\":%" PRId64 "}",
               jwt->issuer, jwt->scope, jwt->audience, jwt->issued, jwt->expires);
  if (length == 0 || length + 1 >= size || n >= MOST_JSON) return 0;
  memcpy(token + length - 1, ".", 2);
  return add_encoded(token, size, length + 1, json, (size_t)n);
}

const char *gs_jwt_make(const gs_jwt *jwt, char *token, size_t size) {
  unsigned char signature[GS_MOST_SIGNATURE];
  size_t n = 0;
  if (!is_plain(jwt->key_id) || !is_plain(jwt->issuer) || !is_plain(jwt->audience) ||
      !is_plain(jwt->scope))
    return "its names contain quotes or control characters";
  size_t length = write_claims(jwt, token, size);
  if (length == 0) return "its names are too long";
  const char *problem = gs_jwt_sign(jwt->key, token, signature, &n);
  if (problem) return problem;
  if (length + 1 >= size) return "its names are too long";
  memcpy(token + length - 1, ".", 2);
  return add_encoded(token, size, length + 1, signature, n) > 0 ? NULL
                                                                : "its private_key is too long";
}
