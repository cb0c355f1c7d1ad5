/* sources: plugins/common/objects/name.c plugins/s3/bucket_name.c
 *
 * Paths, taken apart: what is taken for a bucket and a key is one, and is all of the path. */
#include "../../plugins/s3/protocol.h"

#include <ctype.h>
#include <string.h>

#include "fuzz.h"

const char *const fuzz_words[] = {"s3://", "gs://", "://", "bucket",      "/",
                                  "..",    ".-",    "//",  "%2F",         "\xc3\xbc",
                                  "\xff",  "\r\n",  "_",   "192.168.0.1", NULL};

static void check_bucket(const char *bucket) {
  size_t n = strlen(bucket);
  MUST(n == 0 || (n >= 3 && n <= 63));
  MUST(bucket[strspn(bucket, "abcdefghijklmnopqrstuvwxyz0123456789.-_")] == '\0');
  MUST(n == 0 || (isalnum((unsigned char)bucket[0]) && isalnum((unsigned char)bucket[n - 1])));
}

static void check_encoded(const char *key) {
  char encoded[OBJECTS_ENCODED_SIZE], *c = encoded;
  size_t n = objects_name_encode(key, true, encoded, sizeof encoded);
  MUST(n == strlen(encoded));
  MUST(encoded[strspn(encoded, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-_.~/%")] == '\0');
  for (const char *k = key; *k; k++) {
    char digits[3] = "";
    if (*c == '%') memcpy(digits, c + 1, 2);
    MUST(*k == (*c == '%' ? (char)strtol(digits, NULL, 16) : *c));
    c += *c == '%' ? 3 : 1;
  }
  MUST(*c == '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  char *path = malloc(n + 1);
  objects_name name;
  TF_Status *status = TF_NewStatus();
  MUST(path && status);
  memcpy(path, bytes, n);
  path[n] = '\0';
  if (objects_name_read(s3_take_bucket, path, &name, status)) {
    size_t whole = strlen(path), end = strlen(name.key) + (name.is_directory && *name.prefix);
    check_bucket(name.bucket);
    check_encoded(name.key);
    MUST(strlen(name.key) <= 1024 && !strpbrk(name.key, "\r\n"));
    MUST(end <= whole && strncmp(path + whole - end, name.key, strlen(name.key)) == 0);
  } else {
    MUST(TF_GetCode(status) == TF_INVALID_ARGUMENT);
  }
  TF_DeleteStatus(status);
  free(path);
  return 0;
}
