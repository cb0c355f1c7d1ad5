/* Idle curl handles, each with its open connections. */
#ifndef NET_POOL_H
#define NET_POOL_H

#include <curl/curl.h>

#include "net.h"

/* A handle with the options of a new one; NULL when memory is short. */
CURL *pool_take(net_client *client);
void pool_give(net_client *client, CURL *handle);

#endif
