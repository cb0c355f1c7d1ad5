/* Signed assertions of a service account: JSON Web Tokens with RS256 (RFC 7515, RFC 7523). */
#ifndef GS_JWT_H
#define GS_JWT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gs_jwt {
  const char *key; /* the private key, PEM */
  const char *key_id;
  const char *issuer;
  const char *audience;
  const char *scope;
  int64_t issued; /* seconds since 1970 */
  int64_t expires;
} gs_jwt;

/* What went wrong; NULL: `token` is the token. The caller wipes it: until it expires it is as good as the
 * key. */
const char *gs_jwt_make(const gs_jwt *jwt, char *token, size_t size);

enum { GS_MOST_SIGNATURE = 1024 };

/* Signs a text with RS256. *n: the length of the signature. What went wrong, without the object; NULL:
 * nothing. */
const char *gs_jwt_sign(const char *key, const char *text,
                        unsigned char signature[GS_MOST_SIGNATURE], size_t *n);

#endif
