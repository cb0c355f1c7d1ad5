/* The locks of plugins/common/remote: they exclude other threads also where memory is short, and a child finds
 * them free. The source is a part of this program, with an allocator that has nothing. */
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *no_memory(size_t count, size_t size) {
  (void)count, (void)size;
  return NULL;
}

static void *(*volatile allocator)(size_t, size_t) = no_memory;
#define calloc(count, size) allocator(count, size)
#define malloc(size) allocator(1, size)
#include "../../plugins/common/remote/lock.c"
#undef calloc
#undef malloc

#include "check.h"

static atomic_bool came;

static void *take_name(void *unused) {
  pthread_mutex_t *taken = remote_lock_take("bucket", "key");
  atomic_store(&came, true);
  remote_lock_give(taken);
  return unused;
}

static void *take_all(void *unused) {
  pthread_mutex_t *taken = remote_lock_take_all();
  atomic_store(&came, true);
  remote_lock_give(taken);
  return unused;
}

static void test_excludes(pthread_mutex_t *taken, void *(*other)(void *), const char *what) {
  pthread_t thread;
  atomic_store(&came, false);
  pthread_create(&thread, NULL, other, NULL);
  nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
  CHECK(!atomic_load(&came), "%s: another thread waits, although memory is short", what);
  remote_lock_give(taken);
  pthread_join(thread, NULL);
  CHECK(atomic_load(&came), "%s: and goes on once it is free", what);
}

static void test_fork(void) {
  pthread_mutex_t *of_name = remote_lock_take("bucket", "key");
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    remote_lock_give(remote_lock_take("bucket", "key"));
    remote_lock_give(remote_lock_take_all());
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_INT(status, 0, "a child finds a lock free that its parent holds");
  remote_lock_give(of_name);
}

int main(void) {
  CHECK(remote_lock_init() && remote_lock_init(), "the locks are there, and again");
  test_excludes(remote_lock_take("bucket", "key"), take_name, "a name");
  test_excludes(remote_lock_take_all(), take_all, "no name");
  test_fork();
  return check_end();
}
