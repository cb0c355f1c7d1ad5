/* The locks of the plugin.
 *
 * One tree lock guards all that has names: the trees of all filesystems, their directories, scopes
 * and transactions. A row of bytes locks guards the length and content of nodes: a node uses the one
 * that its number selects. A transaction's version of a node keeps the number, so both versions of a
 * file share one lock.
 *
 * Order: the tree lock, then one bytes lock. Nobody takes the tree lock, or a second bytes lock,
 * while holding a bytes lock, for two nodes may share one. Nothing calls the host under a lock.
 *
 * The locks are static and never destroyed. memory_lock_init runs its work once for the process.
 *
 * Fork: pthread_atfork takes all locks in their order before the fork and releases them on both
 * sides in reverse. So a child finds every tree whole and every lock free, and its copy is its own:
 * later changes of one process are not seen by the other. Without that hook no filesystem starts. */
#include "lock.h"

#include <pthread.h>

/* Fork holds all of them, and the thread sanitizer supports at most 64 locks held at once. */
enum { STRIPES = 32 };

/* Each lock has a cache line of its own, so that locks do not slow each other down. */
struct stripe {
  _Alignas(64) pthread_mutex_t mutex;
};

static pthread_mutex_t tree = PTHREAD_MUTEX_INITIALIZER;
static struct stripe stripes[STRIPES];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool hooked;

static void lock_all(void) {
  pthread_mutex_lock(&tree);
  for (int i = 0; i < STRIPES; ++i)
    pthread_mutex_lock(&stripes[i].mutex);
}

static void unlock_all(void) {
  for (int i = STRIPES; i-- > 0;)
    pthread_mutex_unlock(&stripes[i].mutex);
  pthread_mutex_unlock(&tree);
}

static void lock_start(void) {
  for (int i = 0; i < STRIPES; ++i)
    pthread_mutex_init(&stripes[i].mutex, NULL);
  hooked = pthread_atfork(lock_all, unlock_all, unlock_all) == 0;
}

bool memory_lock_init(void) {
  pthread_once(&once, lock_start);
  return hooked;
}

void memory_lock_tree(void) {
  pthread_mutex_lock(&tree);
}

void memory_unlock_tree(void) {
  pthread_mutex_unlock(&tree);
}

void memory_lock_bytes(uint64_t number) {
  pthread_mutex_lock(&stripes[number % STRIPES].mutex);
}

void memory_unlock_bytes(uint64_t number) {
  pthread_mutex_unlock(&stripes[number % STRIPES].mutex);
}
