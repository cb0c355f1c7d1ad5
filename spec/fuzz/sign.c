/* sources: plugins/s3/sign.c
 * libraries: -lcrypto
 *
 * Signatures over any headers: one line, with 64 digits at its end, the same in any order of the headers. */
#include "../../plugins/s3/sign.h"

#include <string.h>

#include "fuzz.h"

const char *const fuzz_words[] = {"\n", "Host: a", "X-Amz-Date: b", "x-amz-meta-", ":",
                                  "  ", "\t",      "/bucket",       "list-type=2", NULL};

enum { MOST = 80 };

static void check(const char *authorization) {
  size_t n = strlen(authorization);
  MUST(n > 64 && n < S3_AUTHORIZATION_SIZE - 1);
  MUST(authorization[n - 64 + strspn(authorization + n - 64, "0123456789abcdef")] == '\0');
}

/* The same lines, the last one first. */
static void turn(const char **lines, size_t count, const char **turned) {
  for (size_t i = 0; i < count; i++)
    turned[i] = lines[count - 1 - i];
  turned[count] = NULL;
}

/* Lines of one name keep their order, so that turning them changes what is signed. */
static bool has_twins(const char **lines, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) {
      size_t n = strcspn(lines[i], ":");
      if (strcspn(lines[j], ":") == n && strncasecmp(lines[i], lines[j], n) == 0) return true;
    }
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  const char *lines[MOST + 1], *turned[MOST + 1];
  char *text = malloc(n + 1), one[S3_AUTHORIZATION_SIZE], two[S3_AUTHORIZATION_SIZE];
  MUST(text);
  memcpy(text, bytes, n);
  text[n] = '\0';
  char *rest = text, *path = strsep(&rest, "\n"), *query = rest ? strsep(&rest, "\n") : path;
  size_t count = 0;
  while (rest && count < MOST)
    lines[count++] = strsep(&rest, "\n");
  lines[count] = NULL;
  turn(lines, count, turned);
  s3_signing signing = {"GET",       path, query,  lines,   S3_UNSIGNED, "20130524T000000Z",
                        "us-east-1", "s3", "AKID", "secret"};
  bool good = s3_sign(&signing, one);
  signing.headers = turned;
  MUST(s3_sign(&signing, two) == good);
  if (good) check(one);
  if (good && !has_twins(lines, count)) MUST(strcmp(one, two) == 0);
  free(text);
  return 0;
}
