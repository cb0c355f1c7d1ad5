/* sources: plugins/s3/profile.c
 *
 * The shared credentials file: what is found stands in it, in one line. */
#include "../../plugins/s3/profile.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

const char *const fuzz_words[] = {"[default]",
                                  "[profile other]",
                                  "aws_access_key_id",
                                  "aws_secret_access_key",
                                  "aws_session_token",
                                  " = ",
                                  "\n",
                                  "\r\n",
                                  "#",
                                  "[",
                                  "]",
                                  NULL};

static bool stands_in(const char *text, const uint8_t *bytes, size_t n) {
  return *text == '\0' || memmem(bytes, n, text, strlen(text));
}

static void check(const char *file, const char *section, const uint8_t *bytes, size_t n) {
  s3_credentials *found = calloc(1, sizeof *found);
  MUST(found);
  bool good = s3_profile_read(file, section, found);
  MUST(!good || (*found->key_id && *found->secret));
  MUST(stands_in(found->key_id, bytes, n) && stands_in(found->secret, bytes, n) &&
       stands_in(found->token, bytes, n));
  MUST(!strchr(found->key_id, '\n') && !strchr(found->secret, '\n'));
  free(found);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  char file[64], line[100];
  int fd = memfd_create("profile", MFD_CLOEXEC);
  MUST(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
  snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
  check(file, "default", bytes, n);
  check(file, "other", bytes, n);
  if (s3_profile_read_line(file, line, sizeof line))
    MUST(*line && strlen(line) < sizeof line && stands_in(line, bytes, n));
  close(fd);
  return 0;
}
