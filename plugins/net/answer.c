#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "net.h"

void net_answer_end(net_answer *answer) {
  free(answer->head);
  *answer = (net_answer){0};
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

int64_t net_time(const char *date) {
  time_t time = *date ? curl_getdate(date, NULL) : -1;
  return time > 0 && time < INT64_MAX / 1000000000 ? time : 0;
}
