/* A process has LOCKS mutexes for all names, and a name uses the one that its hash selects; a thread takes
 * one at a time, and holds it during requests. It does not keep out other processes. A child of a fork has
 * one thread, which holds none: renew makes all of them free. */
#include "locks.h"

#include <stdatomic.h>

enum { LOCKS = 64 };

static pthread_mutex_t mutexes[LOCKS];

static void renew(void) {
  for (int i = 0; i < LOCKS; i++)
    pthread_mutex_init(&mutexes[i], NULL);
}

bool hdfs_locks_init(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static atomic_bool watches_forks;
  pthread_once(&once, renew);
  if (!atomic_load(&watches_forks))
    atomic_store(&watches_forks, pthread_atfork(NULL, NULL, renew) == 0);
  return atomic_load(&watches_forks);
}

pthread_mutex_t *hdfs_locks_take(const hdfs_name *name) {
  unsigned hash = 2166136261u;
  for (const char *c = name->path; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 16777619u;
  pthread_mutex_t *mutex = &mutexes[hash % LOCKS];
  pthread_mutex_lock(mutex);
  return mutex;
}

void hdfs_locks_give(pthread_mutex_t *taken) {
  pthread_mutex_unlock(taken);
}
