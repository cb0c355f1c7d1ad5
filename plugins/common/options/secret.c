/* The memory of secrets.
 *
 * Each filesystem has its own pages for its secrets, OPTION_SECRET_SIZE bytes for each option, mapped
 * apart from the heap and excluded from core dumps. A secret is a NUL-terminated string, "" if not set.
 *
 * Locks: one mutex for all secrets of the process; it is a leaf, and is held for copies alone. A reader
 * copies under it, so it never sees half a secret or a mix of two changes.
 *
 * Who frees: secret_close wipes and unmaps. Setting a secret wipes the whole old one. Copies are their
 * readers' to wipe.
 *
 * Fork: the mutex is taken before and released on both sides, so a child finds it free. The child has a
 * copy of all secrets, as of its parent's other memory. */
#include "secret.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "options.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void secret_lock(void) {
  pthread_mutex_lock(&mutex);
}

void secret_unlock(void) {
  pthread_mutex_unlock(&mutex);
}

/* Otherwise a child could inherit the lock from a thread that it does not have. */
static void watch_forks(void) {
  pthread_atfork(secret_lock, secret_unlock, secret_unlock);
}

static size_t size_of(int count) {
  return (size_t)count * OPTION_SECRET_SIZE;
}

char *secret_open(int count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  void *made =
      mmap(NULL, size_of(count), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED) return NULL;
  madvise(made, size_of(count), MADV_DONTDUMP);
  return made;
}

void secret_close(char *secrets, int count) {
  if (!secrets) return;
  explicit_bzero(secrets, size_of(count));
  munmap(secrets, size_of(count));
}

void secret_place(char *secrets, int which, const char *text, size_t n) {
  char *place = secrets + size_of(which);
  explicit_bzero(place, OPTION_SECRET_SIZE);
  memcpy(place, text, n);
}

void secret_put(char *secrets, int which, const char *text, size_t n) {
  secret_lock();
  secret_place(secrets, which, text, n);
  secret_unlock();
}

void secret_take(const char *secrets, int first, int count, char *copy) {
  memcpy(copy, secrets + size_of(first), size_of(count));
}

void secret_copy(const char *secrets, int first, int count, char *copy) {
  secret_lock();
  secret_take(secrets, first, count, copy);
  secret_unlock();
}

bool secret_is_set(const char *secrets, int which) {
  secret_lock();
  bool set = secrets[size_of(which)] != '\0';
  secret_unlock();
  return set;
}
