/* Shared Key: proves that the sender of a request has the key of the account. */
#ifndef AZ_SHARED_KEY_H
#define AZ_SHARED_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { AZ_SIGNATURE_SIZE = 48, AZ_AUTHORIZATION_SIZE = 192 };

typedef struct az_pair {
  const char *name;
  const char *value; /* not encoded */
} az_pair;

typedef struct az_signing {
  const char *method;
  const char *account;
  const char *path; /* percent-encoded, as it is sent */
  const az_pair
      *query; /* with names in lower case, in any order; ends in a NULL name; NULL: none */
  const char *const *headers; /* "Name: value", x-ms-date among them; ends in NULL */
  uint64_t length;            /* of the body */
} az_signing;

/* The text that is signed; NULL without memory. Owns: the caller wipes and frees it. */
char *az_string_to_sign(const az_signing *signing);

/* HMAC-SHA256 in base64, with a key in base64. false: the key is not base64. */
bool az_hmac(const char *key, const char *text, char signature[AZ_SIGNATURE_SIZE]);

/* Whether the text is a key in base64. */
bool az_is_key(const char *key);

/* Writes "Authorization: SharedKey account:signature"; false without memory, or as az_hmac. */
bool az_sign(const az_signing *signing, const char *key, char authorization[AZ_AUTHORIZATION_SIZE]);

#endif
