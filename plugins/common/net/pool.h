/* Idle curl handles, each with its open connections. */
#ifndef NET_POOL_H
#define NET_POOL_H

#include <curl/curl.h>

#include "net.h"

/* A handle and the multi handle that performs it and keeps its connections; both NULL without
 * memory. */
typedef struct pool_handle {
  CURL *easy;
  CURLM *multi;
} pool_handle;

/* Takes an idle handle, its options reset, or creates one.
 * Owns: the caller, until pool_give. */
pool_handle pool_take(net_client *client);
/* forgets: what the handle knows of its request is wiped, its connections are kept. */
void pool_give(net_client *client, pool_handle handle, bool forgets);

#endif
