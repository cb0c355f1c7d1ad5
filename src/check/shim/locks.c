/* Interposed locks: each is a point at which a thread can be held, and a lock that another thread has
 * counts its waiting thread. C++'s mutexes are these, too; C11's mtx_t, condition variables, semaphores
 * and file locks are not interposed.
 *
 * Each thread notes the locks that it has taken inside of the present call. One that the call releases
 * without having taken it, or still has when it returns, is a fault: the next call of a host may come from
 * another thread. A call that has more than MOST_HELD at once is not judged.
 *
 * No locks of its own, nothing to free, nothing to do at a fork. */
#include "locks.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "memory.h"
#include "stops.h"

#define EXPORT __attribute__((visibility("default")))
/* Initial-exec: as in table.c. */
#define THREAD_LOCAL static __thread __attribute__((tls_model("initial-exec")))

/* The locks of the present call */

enum { MOST_HELD = 32 };

THREAD_LOCAL const void *held[MOST_HELD];
THREAD_LOCAL size_t held_count; /* more than MOST_HELD: not judged */

static void note_taken(const void *lock) {
  if (held_count < MOST_HELD) held[held_count] = lock;
  if (held_count <= MOST_HELD) held_count++;
}

static void note_released(const void *lock) {
  size_t i = held_count;
  if (held_count > MOST_HELD) return;
  while (i > 0 && held[i - 1] != lock)
    i--;
  if (i == 0) {
    memory_note_fault("a call releases a lock that it has not taken", lock);
    return;
  }
  memmove(&held[i - 1], &held[i], (held_count - i) * sizeof *held);
  held_count--;
}

void locks_leave(void) {
  if (held_count > 0 && held_count <= MOST_HELD)
    memory_note_fault("a call returns and keeps a lock", held[0]);
  held_count = 0;
}

/* Interposing */

typedef int (*lock_call)(void *lock);
typedef int (*timed_call)(void *lock, const struct timespec *until);
typedef int (*clock_call)(void *lock, clockid_t clock, const struct timespec *until);

static lock_call call_of(_Atomic uintptr_t *place, const char *name) {
  lock_call call;
  shim_next(place, name, &call);
  return call;
}

/* EOWNERDEAD: taken from a thread that has ended. */
static int taken(int error, const void *lock) {
  if ((error == 0 || error == EOWNERDEAD) && shim_is_inside()) note_taken(lock);
  return error;
}

/* Asks without waiting first, so that a thread that must wait is counted. */
static int lock_by(lock_call attempt, lock_call wait, void *lock) {
  stops_meet();
  if (!shim_is_inside()) return wait(lock);
  int error = attempt(lock);
  if (error != EBUSY) return taken(error, lock);
  stops_wait(1);
  error = wait(lock);
  stops_wait(-1);
  return taken(error, lock);
}

static int unlock_by(lock_call release, void *lock) {
  int error = release(lock);
  if (shim_is_inside()) note_released(lock);
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

/* Those that do not wait for long are no points, but noted. */
#define TRY(name, type)                                                                            \
  EXPORT int name(type *lock) {                                                                    \
    return taken(FOUND(name)(lock), lock);                                                         \
  }
#define TIMED(name, type)                                                                          \
  static _Atomic uintptr_t found_##name;                                                           \
  EXPORT int name(type *restrict lock, const struct timespec *restrict until) {                    \
    timed_call call;                                                                               \
    shim_next(&found_##name, #name, &call);                                                        \
    return taken(call(lock, until), lock);                                                         \
  }
#define CLOCK(name, type)                                                                          \
  static _Atomic uintptr_t found_##name;                                                           \
  EXPORT int name(type *restrict lock, clockid_t clock, const struct timespec *restrict until) {   \
    clock_call call;                                                                               \
    shim_next(&found_##name, #name, &call);                                                        \
    return taken(call(lock, clock, until), lock);                                                  \
  }

/* The names of parameters are the C library's in its headers, and reserved:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
LOCK(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t)
LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)
UNLOCK(pthread_mutex_unlock, pthread_mutex_t)
UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)
TRY(pthread_mutex_trylock, pthread_mutex_t)
TRY(pthread_rwlock_tryrdlock, pthread_rwlock_t)
TRY(pthread_rwlock_trywrlock, pthread_rwlock_t)
TIMED(pthread_mutex_timedlock, pthread_mutex_t)
TIMED(pthread_rwlock_timedrdlock, pthread_rwlock_t)
TIMED(pthread_rwlock_timedwrlock, pthread_rwlock_t)
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 30)
CLOCK(pthread_mutex_clocklock, pthread_mutex_t)
CLOCK(pthread_rwlock_clockrdlock, pthread_rwlock_t)
CLOCK(pthread_rwlock_clockwrlock, pthread_rwlock_t)
#endif
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
