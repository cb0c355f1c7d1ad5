/* Locks on names.
 *
 * A process has LOCKS mutexes for all filesystems of the plugin, and a name uses the one that its hash
 * selects; so different names may share a mutex, and a thread must not take a second one while it holds
 * one. `all` guards what belongs to no name: the transactions of stores, the configuration of hdfs. It is a
 * leaf: who holds it makes no request and takes no name.
 *
 * A lock on a name is held during requests: it makes "check, then change" one operation among the
 * threads of this process. It does not keep out other processes or clients.
 *
 * Nothing is allocated, so taking a lock cannot fail. Who frees: nobody, plugins are never unloaded.
 *
 * Fork: a child has one thread, which holds no lock here, but mutexes that threads of the parent may
 * have held. renew, which runs in the child before fork returns, makes all of them free. */
#include "lock.h"

#include <stdint.h>

enum { LOCKS = 64 };

static pthread_mutex_t mutexes[LOCKS], all;

static void renew(void) {
  for (int i = 0; i < LOCKS; i++)
    pthread_mutex_init(&mutexes[i], NULL);
  pthread_mutex_init(&all, NULL);
}

/* Two threads that come here at once may both watch forks, which does no harm. */
bool remote_lock_init(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static atomic_bool watches_forks;
  pthread_once(&once, renew);
  if (!atomic_load(&watches_forks))
    atomic_store(&watches_forks, pthread_atfork(NULL, NULL, renew) == 0);
  return atomic_load(&watches_forks);
}

/* FNV-1a. */
static uint64_t add_text(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

pthread_mutex_t *remote_lock_take(const char *bucket, const char *key) {
  uint64_t hash = add_text(add_text(14695981039346656037u, bucket), key);
  pthread_mutex_t *mutex = &mutexes[hash % LOCKS];
  pthread_mutex_lock(mutex);
  return mutex;
}

pthread_mutex_t *remote_lock_take_all(void) {
  pthread_mutex_lock(&all);
  return &all;
}

void remote_lock_give(pthread_mutex_t *taken) {
  pthread_mutex_unlock(taken);
}
