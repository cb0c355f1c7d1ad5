/* Idle curl handles, each with its open connections. */
#ifndef NET_POOL_H
#define NET_POOL_H

#include <curl/curl.h>

#include "net.h"

/* Takes an idle handle, its options reset, or creates one; NULL without memory.
 * Owns: the caller, until pool_give. */
CURL *pool_take(net_client *client);
void pool_give(net_client *client, CURL *handle);

#endif
