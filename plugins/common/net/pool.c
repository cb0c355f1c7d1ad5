/* The connection pool.
 *
 * A curl handle, with the connections that it keeps open, is either idle in `idle` or in use by the
 * one thread that took it, never both. A handle that is given back while MOST_IDLE are idle is
 * closed.
 *
 * The mutex guards `count` and `idle` and nothing else. It is a leaf, and curl is never called under
 * it: closing a connection may wait for the network.
 *
 * Who frees: the client owns its pools; net_client_free closes the idle handles. All handles must
 * have been given back by then.
 *
 * Fork: a pool belongs to the process whose pid it has. A child makes its own on first use and links
 * its parent's as `inherited`, which it never locks. It leaks the handles in there on purpose:
 * closing them would end TLS sessions that the parent still uses over the same sockets. */
#include "pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "memory.h"

enum { MOST_IDLE = 32 }; /* enough for eight files, each read by four requests in parallel */

struct pool {
  pid_t pid;
  pthread_mutex_t mutex;
  int count;
  pool_handle idle[MOST_IDLE];
  struct pool *inherited; /* the parent's; its connections stay open */
};

struct net_client {
  struct pool *_Atomic pool;
  bool (*interrupted)(void); /* NULL: the host does not say */
};

net_client *net_client_new(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, memory_start_curl);
  return calloc(1, sizeof(net_client));
}

void net_client_accept_interruption(net_client *client, bool (*interrupted)(void)) {
  client->interrupted = interrupted;
}

bool net_client_is_interrupted(const net_client *client) {
  return client->interrupted && client->interrupted();
}

static pool_handle handle_new(void) {
  pool_handle made = {curl_easy_init(), curl_multi_init()};
  if (made.easy && made.multi) return made;
  curl_easy_cleanup(made.easy);
  curl_multi_cleanup(made.multi);
  return (pool_handle){NULL, NULL};
}

/* Closes its connections. */
static void handle_free(pool_handle handle) {
  curl_easy_cleanup(handle.easy);
  curl_multi_cleanup(handle.multi);
}

static struct pool *pool_new(struct pool *inherited) {
  struct pool *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  pthread_mutex_init(&made->mutex, NULL);
  made->pid = getpid();
  made->inherited = inherited;
  return made;
}

/* The pool of this process. Of two threads that make one at once, the second frees its own. */
static struct pool *pool_here(net_client *client) {
  struct pool *pool = atomic_load(&client->pool);
  while (!pool || pool->pid != getpid()) {
    struct pool *made = pool_new(pool);
    if (!made) return NULL;
    if (atomic_compare_exchange_strong(&client->pool, &pool, made)) return made;
    free(made);
  }
  return pool;
}

/* An idle handle; both members are NULL when there is none. */
static pool_handle pool_pop(struct pool *pool) {
  pool_handle handle = {NULL, NULL};
  pthread_mutex_lock(&pool->mutex);
  if (pool->count > 0) handle = pool->idle[--pool->count];
  pthread_mutex_unlock(&pool->mutex);
  return handle;
}

void net_client_rest(net_client *client) {
  struct pool *pool = pool_here(client);
  /* One at a time, for nothing is closed under the mutex. */
  for (int i = 0; pool && i < MOST_IDLE; i++) {
    pool_handle handle = pool_pop(pool);
    if (handle.easy) handle_free(handle);
  }
}

void net_client_free(net_client *client) {
  struct pool *pool = client ? atomic_load(&client->pool) : NULL;
  while (pool) {
    struct pool *inherited = pool->inherited;
    for (int i = 0; pool->pid == getpid() && i < pool->count; i++)
      handle_free(pool->idle[i]);
    free(pool);
    pool = inherited;
  }
  free(client);
}

pool_handle pool_take(net_client *client) {
  struct pool *pool = pool_here(client);
  if (!pool) return (pool_handle){NULL, NULL};
  pool_handle handle = pool_pop(pool);
  if (!handle.easy) return handle_new();
  curl_easy_reset(handle.easy);
  return handle;
}

void pool_give(net_client *client, pool_handle handle, bool forgets) {
  struct pool *pool = pool_here(client);
  bool kept = false;
  if (forgets) { /* a reset leaves the parts of the URL */
    curl_easy_cleanup(handle.easy);
    handle.easy = curl_easy_init();
  }
  if (pool && handle.easy) {
    pthread_mutex_lock(&pool->mutex);
    kept = pool->count < MOST_IDLE;
    if (kept) pool->idle[pool->count++] = handle;
    pthread_mutex_unlock(&pool->mutex);
  }
  if (!kept) handle_free(handle);
}
