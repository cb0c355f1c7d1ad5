/* Faulty on purpose: whoever runs the targets must find out. */
#include <string.h>

#include "fuzz.h"

const char *const fuzz_words[] = {"key=", NULL};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  if (n < 4 || memcmp(bytes, "key=", 4) != 0) return 0;
  char *place = malloc(16);
  MUST(place);
  for (size_t i = 4; i < n; i++)
    place[i - 4] = (char)bytes[i]; /* no look at its size */
  MUST(place[0] != 'K');
  free(place);
  return 0;
}
