#include <curl/curl.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net.h"

void net_answer_end(net_answer *answer) {
  if (answer->head) explicit_bzero(answer->head, answer->room);
  free(answer->head);
  *answer = (net_answer){0};
}

void net_answer_tries(const net_answer *answer, char text[static NET_TRIES_SIZE]) {
  int length = 0;
  *text = '\0';
  if (answer->attempts > 1)
    length = snprintf(text, NET_TRIES_SIZE, ", %d attempts", answer->attempts);
  if (answer->too_late && answer->retry_after > 0)
    snprintf(text + length, NET_TRIES_SIZE - (size_t)length,
             "; the server asks for a pause of %" PRId64 " s, beyond the timeout",
             answer->retry_after);
}

static void copy_value(const char *from, size_t n, char *value, size_t size) {
  while (n > 0 && (*from == ' ' || *from == '\t')) {
    from++;
    n--;
  }
  while (n > 0 && (from[n - 1] == ' ' || from[n - 1] == '\t' || from[n - 1] == '\r'))
    n--;
  if (n >= size) n = size - 1;
  memcpy(value, from, n);
  value[n] = '\0';
}

bool net_answer_header(const net_answer *answer, const char *name, char *value, size_t size) {
  size_t wanted = strlen(name);
  const char *line = answer->length > 0 ? answer->head : "";
  while (*line) {
    size_t n = strcspn(line, "\n");
    if (n > wanted && line[wanted] == ':' && strncasecmp(line, name, wanted) == 0) {
      copy_value(line + wanted + 1, n - wanted - 1, value, size);
      return true;
    }
    line += n + (line[n] == '\n');
  }
  return false;
}

/* Parses decimal digits only, no sign or space; moves *text behind them. */
static bool take_number(const char **text, uint64_t *number) {
  char *end = NULL;
  if (**text < '0' || **text > '9') return false;
  errno = 0;
  unsigned long long taken = strtoull(*text, &end, 10);
  *text = end;
  *number = taken;
  return errno == 0 && taken <= INT64_MAX;
}

static bool take(const char **text, char c) {
  return *(*text)++ == c;
}

static bool take_total(const char **text, uint64_t *total) {
  *total = 0;
  if (**text == '*') return take(text, '*');
  return take_number(text, total) && *total > 0;
}

bool net_answer_range(const net_answer *answer, net_range *range) {
  char value[96];
  const char *text = value + 6;
  return net_answer_header(answer, "Content-Range", value, sizeof value) &&
         strncmp(value, "bytes ", 6) == 0 && take_number(&text, &range->first) &&
         take(&text, '-') && take_number(&text, &range->last) && take(&text, '/') &&
         take_total(&text, &range->total) && *text == '\0' && range->first <= range->last &&
         (range->total == 0 || range->last < range->total);
}

const char *net_range_problem(const net_answer *answer, const net_range *range, uint64_t offset,
                              uint64_t n) {
  uint64_t length = 0;
  if (range->first != offset || range->last - range->first >= n)
    return "the server sent a different range than requested";
  if (net_answer_length(answer, &length) && length != range->last + 1 - range->first)
    return "Content-Length and Content-Range contradict each other";
  return NULL;
}

bool net_answer_length(const net_answer *answer, uint64_t *length) {
  char value[32];
  const char *text = value;
  return net_answer_header(answer, "Content-Length", value, sizeof value) &&
         take_number(&text, length) && *text == '\0';
}

int64_t net_time(const char *date) {
  time_t time = *date ? curl_getdate(date, NULL) : -1;
  return time > 0 && time < INT64_MAX / 1000000000 ? time : 0;
}
