/* Digests: checksums of content that comes in pieces. */
#ifndef MODFS_CORE_DIGEST_H
#define MODFS_CORE_DIGEST_H

#include <modfs/modfs.h>

typedef struct digest digest;

/* The room for the longest result and its NUL: SHA-512 has 64 bytes. */
enum { DIGEST_TEXT = 2 * 64 + 1 };

/* Whether there is an algorithm of that name: "crc32c", "md5", "sha1", "sha256" or "sha512". */
bool digest_exists(const char *name);

/* Begins a digest of no content. NULL with UNIMPLEMENTED where libcrypto, which computes all but
 * crc32c, was missing at build time or is missing now. Owns: digest_free. */
digest *digest_new(const char *name, TF_Status *status);

/* Adds n bytes of content. */
void digest_add(digest *self, const void *data, size_t n);

/* Ends the digest and writes it in lower-case hexadecimal; false, with INTERNAL, if a call of the
 * library failed. status must be OK on entry. */
bool digest_finish(digest *self, char text[DIGEST_TEXT], TF_Status *status);

void digest_free(digest *self);

/* Who computes a digest. add and finish return false on failure. */
typedef struct digest_ops {
  void *(*begin)(const char *name, TF_Status *status);
  bool (*add)(void *state, const void *data, size_t n);
  bool (*finish)(void *state, char text[DIGEST_TEXT]);
  void (*free)(void *state);
} digest_ops;

extern const digest_ops digest_crypto; /* digest_crypto.c */

#endif
