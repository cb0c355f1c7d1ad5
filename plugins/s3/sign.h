/* AWS Signature Version 4: proves that the sender of a request has the secret key. */
#ifndef S3_SIGN_H
#define S3_SIGN_H

#include <stdbool.h>
#include <stddef.h>

enum { S3_HASH_SIZE = 65, S3_AUTHORIZATION_SIZE = 8192, S3_SCOPE_SIZE = 256 };

/* The SHA-256 of no bytes. */
#define S3_EMPTY_HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define S3_UNSIGNED "UNSIGNED-PAYLOAD"

typedef struct s3_signing {
  const char *method;
  const char *path;  /* percent-encoded, as it is sent */
  const char *query; /* percent-encoded, sorted, "name=value&name=" */
  const char *const
      *headers; /* "Name: value", those to sign: Host and X-Amz-Date at least; ends in NULL */
  const char *payload; /* hash of the body, or S3_UNSIGNED */
  const char *time;    /* 20130524T000000Z, as in X-Amz-Date */
  const char *region;
  const char *service; /* "s3" */
  const char *key_id;
  const char *secret;
} s3_signing;

/* Writes "Authorization: AWS4-HMAC-SHA256 ..."; false without memory or for a malformed header. */
bool s3_sign(const s3_signing *signing, char authorization[S3_AUTHORIZATION_SIZE]);

/* Writes the signature alone, for a query that has the other words of it already. */
bool s3_sign_bare(const s3_signing *signing, char signature[S3_HASH_SIZE]);

/* Writes "20130524/region/service/aws4_request", within which a signature holds; false if it is too long. */
bool s3_sign_scope(const s3_signing *signing, char scope[S3_SCOPE_SIZE]);

/* SHA-256 in hexadecimal digits. */
bool s3_hash(const void *bytes, size_t n, char hash[S3_HASH_SIZE]);

#endif
