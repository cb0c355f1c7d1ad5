#include "endpoint.h"

#include <stdio.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

size_t net_host_length(const char *text) {
  size_t n = *text == '[' ? strspn(text, "[" DIGITS "abcdefABCDEF:.") : 0;
  if (n > 0 && text[n] != ']') return 0;
  n = n > 0 ? n + 1 : strspn(text, LETTERS DIGITS ".-");
  if (n == 0 || text[n] != ':') return n;
  size_t port = strspn(text + n + 1, DIGITS);
  return port > 0 && port < 6 ? n + 1 + port : 0;
}

static void drop_end(char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  if (n >= m && strcmp(text + n - m, end) == 0) text[n - m] = '\0';
}

bool net_endpoint_parse(const char *text, net_endpoint *made) {
  *made = (net_endpoint){.secure = strncmp(text, "https://", 8) == 0};
  if (!made->secure && strncmp(text, "http://", 7) != 0) return false;
  const char *host = text + (made->secure ? 8 : 7);
  size_t n = net_host_length(host);
  size_t rest = n > 0 && host[n] == '/' ? strspn(host + n, LETTERS DIGITS "-_.~/") : 0;
  if (n == 0 || host[n + rest] || strlen(text) >= NET_ENDPOINT_SIZE) return false;
  memcpy(made->host, host, n);
  snprintf(made->path, sizeof made->path, "%s", host + n);
  drop_end(made->host, made->secure ? ":443" : ":80");
  for (n = strlen(made->path); n > 0 && made->path[n - 1] == '/'; n--)
    made->path[n - 1] = '\0';
  return true;
}
