/* Digests when memory is short: they fail as they say, and leave nothing in the queue of errors that
 * libcrypto has for each thread, which belongs to the host. */
#include <dlfcn.h>
#include <stdlib.h>

#include "check.h"
#include "core/base/digest.h"
#include "core/base/status.h"

static _Thread_local volatile long until_failure;

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

/* From the k-th allocation of this thread on, all fail. */
static bool fails_now(void) {
  if (until_failure > 1)
    until_failure--;
  else
    return until_failure == 1;
  return false;
}

__attribute__((visibility("default"))) void *malloc(size_t size) {
  return fails_now() ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
  return fails_now() ? NULL : __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *block, size_t size) {
  return fails_now() ? NULL : __libc_realloc(block, size);
}
#endif

static bool can_fail(void) {
  until_failure = 1;
  void *volatile block = malloc(1);
  until_failure = 0;
  free(block);
  return block == NULL;
}

typedef unsigned long peek_error(void);

static peek_error *find_peek(void *library) {
  void *address = library ? dlsym(library, "ERR_peek_error") : NULL;
  peek_error *peek = NULL;
  memcpy(&peek, &address, sizeof peek);
  return peek;
}

/* The digest of "x" while the k-th allocation and all behind it fail. */
static bool digest_short(const char *algorithm, long k, TF_Status *status) {
  char text[DIGEST_TEXT];
  bool done = false;
  TF_SetStatus(status, TF_OK, "");
  until_failure = k;
  digest *self = digest_new(algorithm, status);
  if (self) digest_add(self, "x", 1);
  if (self) done = digest_finish(self, text, status);
  until_failure = 0;
  digest_free(self);
  return done;
}

static void test_shortage(const char *algorithm, peek_error *peek, TF_Status *status) {
  long k = 1, failures = 0, queued = 0;
  while (!digest_short(algorithm, k, status) && k < 1000) {
    failures++;
    queued += peek() != 0;
    k++;
  }
  CHECK(failures > 0, "%s fails without memory (%ld times)", algorithm, failures);
  CHECK(queued == 0, "%s leaves no error in the queue (%ld times it does)", algorithm, queued);
}

int main(void) {
  static const char *const algorithms[] = {"md5", "sha256"};
  TF_Status *status = TF_NewStatus();
  digest_free(digest_new("sha256", status)); /* loads the library */
  void *library = dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_NOLOAD);
  if (!library) library = dlopen("libcrypto.so.1.1", RTLD_LAZY | RTLD_NOLOAD);
  peek_error *peek = find_peek(library);
  if (can_fail() && peek)
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
      test_shortage(algorithms[i], peek, status);
  else
    CHECK(true, "digests # SKIP no allocation can fail here, or there is no libcrypto");
  TF_DeleteStatus(status);
  return check_end();
}
