/* URLs of servers, as options name them. */
#ifndef NET_ENDPOINT_H
#define NET_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>

enum { NET_ENDPOINT_SIZE = 400 };

typedef struct net_endpoint {
  bool secure;
  char host[NET_ENDPOINT_SIZE]; /* with the port, unless it is the scheme's default */
  char path[NET_ENDPOINT_SIZE]; /* "" or "/base" */
} net_endpoint;

/* Parses http(s)://host[:port][/base]; false for anything else, a user or a query among it. */
bool net_endpoint_parse(const char *text, net_endpoint *made);

/* The length of "host", "host:port" or "[address]:port", with which the text begins; 0: it is malformed. */
size_t net_host_length(const char *text);

#endif
