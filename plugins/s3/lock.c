/* Locks on names.
 *
 * A process has LOCKS mutexes, and a name uses the one that its hash selects; so different names may
 * share a mutex, and a thread must not take a second one while it holds one. `all` guards what belongs
 * to no name, the transactions. A lock on a name and `all` are never held together.
 *
 * A lock on a name is held during requests: it makes "check, then change" one operation among the
 * threads of this process. It does not keep out other processes or clients.
 *
 * Who frees: the filesystem, in s3_lock_free, when no lock is held.
 *
 * Fork: locks belong to the process whose pid they have. A child makes its own on first use; those of
 * the parent, which may be locked for ever, stay linked as `inherited` and are never touched. */
#include "lock.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { LOCKS = 64 };

typedef struct s3_locks {
  pid_t pid;
  struct s3_locks *inherited; /* the parent's; never touched, they may be locked for ever */
  pthread_mutex_t mutexes[LOCKS];
  pthread_mutex_t all;
} s3_locks;

static s3_locks *locks_new(s3_locks *inherited) {
  s3_locks *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  for (int i = 0; i < LOCKS; i++)
    pthread_mutex_init(&made->mutexes[i], NULL);
  pthread_mutex_init(&made->all, NULL);
  made->pid = getpid();
  made->inherited = inherited;
  return made;
}

/* The locks of this process. Of two threads that make them at once, the second frees its own. */
static s3_locks *locks_here(s3_lock_place *place) {
  s3_locks *locks = atomic_load(&place->here);
  while (!locks || locks->pid != getpid()) {
    s3_locks *made = locks_new(locks);
    if (!made) return NULL;
    if (atomic_compare_exchange_strong(&place->here, &locks, made)) return made;
    free(made);
  }
  return locks;
}

/* FNV-1a. */
static uint64_t add_text(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash;
}

pthread_mutex_t *s3_lock_take(s3_lock_place *place, const s3_name *name) {
  s3_locks *locks = locks_here(place);
  uint64_t hash = add_text(add_text(14695981039346656037u, name->bucket), name->key);
  if (!locks) return NULL;
  pthread_mutex_t *mutex = &locks->mutexes[hash % LOCKS];
  pthread_mutex_lock(mutex);
  return mutex;
}

void s3_lock_give(pthread_mutex_t *taken) {
  if (taken) pthread_mutex_unlock(taken);
}

pthread_mutex_t *s3_lock_take_all(s3_lock_place *place) {
  s3_locks *locks = locks_here(place);
  if (!locks) return NULL;
  pthread_mutex_lock(&locks->all);
  return &locks->all;
}

void s3_lock_free(s3_lock_place *place) {
  s3_locks *locks = atomic_load(&place->here);
  while (locks) {
    s3_locks *inherited = locks->inherited;
    free(locks);
    locks = inherited;
  }
}
