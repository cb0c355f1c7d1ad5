/* Generation-checked handles: each is good once, whoever comes first, and never again after it was
 * used, or ended, however often its place is given out anew. Made for ThreadSanitizer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"
#include "core/device/checked_handle.h"

enum { THREADS = 4, SETS = 8, ROUNDS = 400 };

static void test_once(void) {
  int thing;
  unsigned number = HANDLES, wrong = 0;
  uintptr_t handles = checked_handles_new(&thing);
  void *handle = checked_handle(handles, 7);
  CHECK(handle && handle != &thing, "a handle is not a pointer to its thing");
  CHECK(checked_handle_use(handle, &number) == &thing && number == 7, "it is good");
  CHECK(!checked_handle_use(handle, &number), "once");
  CHECK(checked_handle_use(checked_handle(handles, 8), &number) == &thing && number == 8,
        "its neighbour is good");
  checked_handles_end(handles);
  CHECK(!checked_handle_use(checked_handle(handles, 9), &number), "but not after the end");
  for (int i = 0; i < 1000; i++) {
    uintptr_t next = checked_handles_new(&thing);
    wrong += next == handles || checked_handle_use(checked_handle(handles, 7), &number) ||
             checked_handle_use(checked_handle(handles, 9), &number) ||
             checked_handle_use(checked_handle(next, 7), &number) != &thing;
    checked_handles_end(next);
  }
  CHECK_INT(wrong, 0, "they stay over when their place is given out anew");
  CHECK(!checked_handle_use(NULL, &number) && !checked_handle_use(&thing, &number) &&
            !checked_handle_use((void *)~(uintptr_t)0, &number),
        "what is no handle is good for nothing");
}

static void test_many(void) {
  enum { MANY = 5000 };
  static uintptr_t handles[MANY];
  static char things[MANY];
  unsigned number;
  size_t wrong = 0;
  for (size_t i = 0; i < MANY; i++)
    handles[i] = checked_handles_new(&things[i]);
  for (size_t i = MANY; i-- > 0;)
    for (unsigned n = HANDLES; n-- > 0;)
      wrong +=
          checked_handle_use(checked_handle(handles[i], n), &number) != &things[i] || number != n;
  for (size_t i = 0; i < MANY; i++)
    for (unsigned n = 0; n < HANDLES; n++)
      wrong += checked_handle_use(checked_handle(handles[i], n), &number) != NULL;
  for (size_t i = 0; i < MANY; i++)
    checked_handles_end(handles[i]);
  CHECK_INT(wrong, 0, "%d times %d at a time", MANY, HANDLES);
}

/* A lost place would make the next handles take a new one. */
static void test_places(void) {
  uint32_t highest = 0, later = 0;
  int thing;
  for (int round = 0; round < 20000; round++) {
    uintptr_t handles = checked_handles_new(&thing);
    uint32_t *most = round == 0 ? &highest : &later;
    if ((uint32_t)handles > *most) *most = (uint32_t)handles;
    checked_handles_end(handles);
  }
  CHECK(later <= highest, "a place is given out again");
}

/* Each thread offers its own handles and those of the others: somebody gets each of them, once. */
static _Atomic uintptr_t offered[THREADS][SETS];
static atomic_size_t got, lost;
static pthread_barrier_t together;

static void use_all(void) {
  unsigned number;
  for (size_t t = 0; t < THREADS; t++)
    for (size_t i = 0; i < SETS; i++)
      for (unsigned n = 0; n < HANDLES; n++) {
        void *handle = checked_handle(atomic_load(&offered[t][i]), n);
        atomic_size_t *thing = checked_handle_use(handle, &number);
        if (thing) atomic_fetch_add(thing, 1);
      }
}

static void *work(void *argument) {
  size_t self = *(size_t *)argument;
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < SETS; i++)
      atomic_store(&offered[self][i], checked_handles_new(&got));
    use_all();
    pthread_barrier_wait(&together);
    use_all();
    if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD)
      lost += atomic_exchange(&got, 0) != (size_t)THREADS * SETS * HANDLES;
    pthread_barrier_wait(&together);
    for (size_t i = 0; i < SETS; i++)
      checked_handles_end(offered[self][i]);
  }
  return NULL;
}

static void test_threads(void) {
  pthread_t threads[THREADS];
  size_t numbers[THREADS];
  pthread_barrier_init(&together, NULL, THREADS);
  for (size_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (size_t i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  pthread_barrier_destroy(&together);
  CHECK_INT(lost, 0, "%d threads that use each other's: each once", THREADS);
}

int main(void) {
  test_once();
  test_places();
  test_many();
  test_threads();
  return check_end();
}
