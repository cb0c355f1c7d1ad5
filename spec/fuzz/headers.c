/* sources: plugins/common/net/answer.c plugins/common/net/url.c
 * libraries: -lcurl
 *
 * What an answer's head says: lengths, ranges, dates, and where a redirect leads. */
#include <string.h>

#include "../../plugins/common/net/net.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"Content-Range: bytes ",
                                  "Content-Length: ",
                                  "ETag: ",
                                  "Location: ",
                                  "Retry-After: ",
                                  "Last-Modified: ",
                                  "\r\n",
                                  "0-15/16",
                                  "0-15/*",
                                  "9223372036854775807",
                                  "18446744073709551616",
                                  "-1",
                                  "http://",
                                  "//user:pass@",
                                  "../",
                                  "%0d%0a",
                                  "?X-Amz-Signature=",
                                  NULL};

static void follow(const char *location) {
  char *url = net_url_resolve("https://host.example/a/b?c=d", location), shown[64];
  if (url && !net_url_problem(url)) MUST(strncmp(url, "http", 4) == 0 && !strpbrk(url, "\r\n "));
  free(url);
  net_url_show(location, shown, sizeof shown);
  MUST(strlen(shown) < sizeof shown && !strpbrk(shown, "\r\n"));
  const char *query = strchr(location, '?');
  if (query && strstr(query, "Signature="))
    MUST(!strstr(shown, "Signature=") || strstr(location, "Signature=") < query);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  static const char *const names[] = {"ETag", "Location", "Last-Modified", "Retry-After",
                                      "x-amz-request-id"};
  net_answer answer = {.status = 206, .head = malloc(n + 1), .length = n};
  net_range range = {0};
  uint64_t length = 0;
  MUST(answer.head);
  memcpy(answer.head, bytes, n);
  answer.head[n] = '\0';
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char value[48] = "";
    if (!net_answer_header(&answer, names[i], value, sizeof value)) continue;
    MUST(strlen(value) < sizeof value && !strpbrk(value, "\n"));
    MUST(net_time(value) >= 0);
    follow(value);
  }
  if (net_answer_range(&answer, &range))
    MUST(range.first <= range.last && range.last <= INT64_MAX &&
         (range.total == 0 || range.last < range.total) && range.total <= INT64_MAX);
  if (net_answer_length(&answer, &length)) MUST(length <= INT64_MAX);
  net_answer_end(&answer);
  return 0;
}
