/* Interposed locks: each is a point at which a thread can be held, and a lock that another thread has
 * counts its waiting thread. C++'s mutexes are these, too; C11's mtx_t, condition variables, semaphores
 * and file locks are not interposed.
 *
 * The C library's own functions are found by dlsym on first use, which allocates nothing when it succeeds.
 * Two threads may find them at once: both store the same address, in an atomic. No locks of its own,
 * nothing to free, nothing to do at a fork. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"
#include "stops.h"

#define EXPORT __attribute__((visibility("default")))

typedef int (*lock_call)(void *lock);

static lock_call call_of(_Atomic uintptr_t *place, const char *name) {
  uintptr_t address = *place;
  if (!address) *place = address = (uintptr_t)dlsym(RTLD_NEXT, name);
  lock_call call;
  memcpy(&call, &address, sizeof call);
  return call;
}

/* Asks without waiting first, so that a thread that must wait is counted. */
static int lock_by(lock_call attempt, lock_call wait, void *lock) {
  stops_meet();
  if (!shim_is_inside()) return wait(lock);
  int error = attempt(lock);
  if (error != EBUSY) return error;
  stops_wait(1);
  error = wait(lock);
  stops_wait(-1);
  return error;
}

static int unlock_by(lock_call release, void *lock) {
  int error = release(lock);
  stops_meet();
  return error;
}

#define FOUND(name) call_of(&found_##name, #name)
#define LOCK(name, attempt, type)                                                                  \
  static _Atomic uintptr_t found_##name, found_##attempt;                                          \
  EXPORT int name(type *lock) {                                                                    \
    return lock_by(FOUND(attempt), FOUND(name), lock);                                             \
  }
#define UNLOCK(name, type)                                                                         \
  static _Atomic uintptr_t found_##name;                                                           \
  EXPORT int name(type *lock) {                                                                    \
    return unlock_by(FOUND(name), lock);                                                           \
  }

LOCK(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)
UNLOCK(pthread_mutex_unlock, pthread_mutex_t)
UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)
