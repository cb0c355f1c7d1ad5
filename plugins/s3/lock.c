#include "lock.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { LOCKS = 64 };

typedef struct s3_locks {
  pid_t pid;
  struct s3_locks *inherited; /* of the parent; held for ever, perhaps */
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
