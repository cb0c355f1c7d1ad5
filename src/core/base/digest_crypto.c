/* MD5, SHA-1, SHA-256 and SHA-512, through libcrypto.
 *
 * The library is opened by the first digest that needs it, and never closed: linked to the core, it
 * would have to be loaded by every program that requires modfs. The functions of the library are kept
 * in a table that is made once. Threads that make it at the same time find the same functions: the
 * first table is kept, and the others are freed. A forked child inherits table and digests.
 *
 * OpenSSL queues the errors of a thread until somebody asks for them: what is queued by a call here is
 * removed, and what the host has queued stays. */
#include "digest.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "dylib.h"
#include "status.h"

/* The package that brings the library, from the Makefile. */
#ifndef MODFS_PACKAGE_CRYPTO
#define MODFS_PACKAGE_CRYPTO "libcrypto"
#endif

#ifdef MODFS_WITH_CRYPTO
#include <openssl/evp.h>
#include <openssl/opensslv.h>

#define TEXT_OF(number) #number
#define SONAME_OF(version) "libcrypto.so." TEXT_OF(version)
#ifdef OPENSSL_SHLIB_VERSION
static const char soname[] = SONAME_OF(OPENSSL_SHLIB_VERSION);
#else
static const char soname[] = "libcrypto.so." SHLIB_VERSION_NUMBER; /* before OpenSSL 3 */
#endif

/* Functions of the library, whose names begin with "EVP_" there, or with "ERR_" the last two. */
typedef struct crypto {
  const EVP_MD *(*get_digestbyname)(const char *name);
  EVP_MD_CTX *(*MD_CTX_new)(void);
  void (*MD_CTX_free)(EVP_MD_CTX *context);
  int (*DigestInit_ex)(EVP_MD_CTX *context, const EVP_MD *type, ENGINE *engine);
  int (*DigestUpdate)(EVP_MD_CTX *context, const void *data, size_t n);
  int (*DigestFinal_ex)(EVP_MD_CTX *context, unsigned char *out, unsigned *length);
  int (*set_mark)(void);
  int (*pop_to_mark)(void);
} crypto;

#define FIND(name) dylib_function(library, "EVP_" #name, &self->name)
#define FIND_ERR(name) dylib_function(library, "ERR_" #name, &self->name)

static bool find_functions(void *library, crypto *self) {
  return FIND(get_digestbyname) && FIND(MD_CTX_new) && FIND(MD_CTX_free) && FIND(DigestInit_ex) &&
         FIND(DigestUpdate) && FIND(DigestFinal_ex) && FIND_ERR(set_mark) && FIND_ERR(pop_to_mark);
}

/* NULL with UNIMPLEMENTED when the library is missing. */
static const crypto *crypto_open(TF_Status *status) {
  static const crypto *_Atomic opened;
  const crypto *known = atomic_load(&opened);
  if (known) return known;
  crypto *self = calloc(1, sizeof *self);
  void *library = self ? dylib_open(soname, status) : NULL;
  if (!self)
    status_no_memory(status);
  else if (!library)
    modfs_set_status(status, TF_UNIMPLEMENTED, "%s is needed; %s", soname, TF_Message(status));
  else if (!find_functions(library, self))
    modfs_set_status(status, TF_UNIMPLEMENTED, "%s lacks a function", soname);
  else if (atomic_compare_exchange_strong(&opened, &known, self))
    return self;
  free(self);
  return known;
}

typedef struct crypto_digest {
  const crypto *library;
  EVP_MD_CTX *context;
} crypto_digest;

static void crypto_free(void *state) {
  crypto_digest *self = state;
  self->library->MD_CTX_free(self->context);
  free(self);
}

/* NULL when memory is short. */
static crypto_digest *crypto_new(const crypto *library) {
  crypto_digest *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  *self = (crypto_digest){library, library->MD_CTX_new()};
  if (self->context) return self;
  free(self);
  return NULL;
}

static crypto_digest *begin(const crypto *library, const char *name, TF_Status *status) {
  crypto_digest *self = crypto_new(library);
  if (!self) status_no_memory(status);
  if (!self) return NULL;
  const EVP_MD *type = library->get_digestbyname(name);
  if (type && library->DigestInit_ex(self->context, type, NULL)) return self;
  modfs_set_status(status, TF_UNIMPLEMENTED, "%s refuses the algorithm %s", soname, name);
  crypto_free(self);
  return NULL;
}

static void *crypto_begin(const char *name, TF_Status *status) {
  const crypto *library = crypto_open(status);
  if (!library) return NULL;
  library->set_mark();
  crypto_digest *self = begin(library, name, status);
  library->pop_to_mark();
  return self;
}

static bool crypto_add(void *state, const void *data, size_t n) {
  const crypto_digest *self = state;
  self->library->set_mark();
  bool done = self->library->DigestUpdate(self->context, data, n);
  self->library->pop_to_mark();
  return done;
}

static bool crypto_finish(void *state, char text[DIGEST_TEXT]) {
  static const char digits[] = "0123456789abcdef";
  const crypto_digest *self = state;
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned length = 0;
  self->library->set_mark();
  bool done = self->library->DigestFinal_ex(self->context, bytes, &length);
  self->library->pop_to_mark();
  if (!done) return false;
  for (unsigned i = 0; i < length; i++) {
    *text++ = digits[bytes[i] >> 4];
    *text++ = digits[bytes[i] & 0xf];
  }
  *text = '\0';
  return true;
}

_Static_assert(DIGEST_TEXT > 2 * EVP_MAX_MD_SIZE, "the result of every algorithm fits");

const digest_ops digest_crypto = {crypto_begin, crypto_add, crypto_finish, crypto_free};

#else
static void *crypto_refuse(const char *name, TF_Status *status) {
  modfs_set_status(status, TF_UNIMPLEMENTED,
                   "algorithm %s is not built in; install %s and rebuild modfs", name,
                   MODFS_PACKAGE_CRYPTO);
  return NULL;
}

const digest_ops digest_crypto = {.begin = crypto_refuse};
#endif
