/* URLs of servers, and the names that stand in them. */
#ifndef AZ_ENDPOINT_H
#define AZ_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

enum { AZ_ENDPOINT_SIZE = 400, AZ_ACCOUNT_SIZE = 64 };

typedef struct az_endpoint {
  bool secure;
  char host[AZ_ENDPOINT_SIZE]; /* with the port, unless it is the scheme's default */
  char path[AZ_ENDPOINT_SIZE]; /* "" or "/base" */
} az_endpoint;

/* Parses http(s)://host[:port][/base]; false for anything else, a user or a query among it. */
bool az_endpoint_parse(const char *text, az_endpoint *made);

/* Whether it is this machine's loopback, to which tokens may go without TLS. */
bool az_endpoint_is_loopback(const az_endpoint *endpoint);

/* For options: whether the text is valid. "" is, except for an authority. */
bool az_endpoint_is_valid(const char *text);
bool az_account_is_valid(const char *text);
bool az_suffix_is_valid(const char *text);
bool az_authority_is_valid(const char *text);

/* The authority as a URL, which may lack "https://". */
bool az_authority_parse(const char *text, az_endpoint *made);

/* Whether n bytes are the name of an account: emulators have longer ones than Azure. */
bool az_account_is_name(const char *text, size_t n);

#endif
