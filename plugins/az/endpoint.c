#include "endpoint.h"

#include <stdio.h>
#include <string.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define LETTERS LOWER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* The length of "host", "host:port" or "[address]:port"; 0 when it is malformed. */
static size_t host_length(const char *text) {
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

bool az_endpoint_parse(const char *text, az_endpoint *made) {
  *made = (az_endpoint){.secure = strncmp(text, "https://", 8) == 0};
  if (!made->secure && strncmp(text, "http://", 7) != 0) return false;
  const char *host = text + (made->secure ? 8 : 7);
  size_t n = host_length(host);
  size_t rest = n > 0 && host[n] == '/' ? strspn(host + n, LETTERS DIGITS "-_.~/") : 0;
  if (n == 0 || host[n + rest] || strlen(text) >= AZ_ENDPOINT_SIZE) return false;
  memcpy(made->host, host, n);
  snprintf(made->path, sizeof made->path, "%s", host + n);
  drop_end(made->host, made->secure ? ":443" : ":80");
  for (n = strlen(made->path); n > 0 && made->path[n - 1] == '/'; n--)
    made->path[n - 1] = '\0';
  return true;
}

bool az_endpoint_is_loopback(const az_endpoint *endpoint) {
  size_t n = host_length(endpoint->host);
  const char *port = strrchr(endpoint->host, ':');
  if (port && port[1] && endpoint->host[n - 1] != ']') n = (size_t)(port - endpoint->host);
  return (n == 9 && strncmp(endpoint->host, "localhost", n) == 0) ||
         (n == 5 && strncmp(endpoint->host, "[::1]", n) == 0) ||
         (strncmp(endpoint->host, "127.", 4) == 0 && strspn(endpoint->host, DIGITS ".") == n);
}

bool az_endpoint_is_valid(const char *text) {
  az_endpoint made;
  return *text == '\0' || az_endpoint_parse(text, &made);
}

bool az_account_is_name(const char *text, size_t n) {
  return n >= 3 && n < AZ_ACCOUNT_SIZE && strspn(text, LOWER DIGITS "-") >= n && text[0] != '-';
}

bool az_account_is_valid(const char *text) {
  return *text == '\0' || az_account_is_name(text, strlen(text));
}

bool az_suffix_is_valid(const char *text) {
  size_t n = strlen(text);
  return n > 0 && n < AZ_ENDPOINT_SIZE / 2 && strspn(text, LOWER DIGITS ".-:") == n &&
         strspn(text, LOWER DIGITS) > 0;
}

bool az_authority_parse(const char *text, az_endpoint *made) {
  char url[AZ_ENDPOINT_SIZE];
  int n = snprintf(url, sizeof url, "%s%s", strstr(text, "://") ? "" : "https://", text);
  return n > 0 && n < AZ_ENDPOINT_SIZE && az_endpoint_parse(url, made);
}

/* A secret is sent there, so it has TLS. */
bool az_authority_is_valid(const char *text) {
  az_endpoint made;
  return az_authority_parse(text, &made) && (made.secure || az_endpoint_is_loopback(&made));
}
