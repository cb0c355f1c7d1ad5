#include "endpoint.h"

#include <stdio.h>
#include <string.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

bool az_endpoint_is_loopback(const net_endpoint *endpoint) {
  size_t n = net_host_length(endpoint->host);
  const char *port = strrchr(endpoint->host, ':');
  if (port && port[1] && endpoint->host[n - 1] != ']') n = (size_t)(port - endpoint->host);
  return (n == 9 && strncmp(endpoint->host, "localhost", n) == 0) ||
         (n == 5 && strncmp(endpoint->host, "[::1]", n) == 0) ||
         (strncmp(endpoint->host, "127.", 4) == 0 && strspn(endpoint->host, DIGITS ".") == n);
}

bool az_endpoint_is_valid(const char *text) {
  net_endpoint made;
  return *text == '\0' || net_endpoint_parse(text, &made);
}

bool az_account_is_name(const char *text, size_t n) {
  return n >= 3 && n < AZ_ACCOUNT_SIZE && strspn(text, LOWER DIGITS "-") >= n && text[0] != '-';
}

bool az_account_is_valid(const char *text) {
  return *text == '\0' || az_account_is_name(text, strlen(text));
}

bool az_suffix_is_valid(const char *text) {
  size_t n = strlen(text);
  return n > 0 && n < NET_ENDPOINT_SIZE / 2 && strspn(text, LOWER DIGITS ".-:") == n &&
         strspn(text, LOWER DIGITS) > 0;
}

bool az_authority_parse(const char *text, net_endpoint *made) {
  char url[NET_ENDPOINT_SIZE];
  int n = snprintf(url, sizeof url, "%s%s", strstr(text, "://") ? "" : "https://", text);
  return n > 0 && n < NET_ENDPOINT_SIZE && net_endpoint_parse(url, made);
}

/* A secret is sent there, so it has TLS. */
bool az_authority_is_valid(const char *text) {
  net_endpoint made;
  return az_authority_parse(text, &made) && (made.secure || az_endpoint_is_loopback(&made));
}
