/* Generation-checked handles: each is good once, whoever comes first, and never again after it was
 * used, however often its place is given out anew. Made for ThreadSanitizer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "check.h"
#include "core/device/checked_handle.h"

enum { THREADS = 4, HANDLES = 256, ROUNDS = 400 };

static void test_once(void) {
  int thing;
  handle_stock stock = {0};
  void *handle = checked_handle_new(&stock, &thing);
  CHECK(handle && handle != &thing, "a handle is not a pointer to its thing");
  CHECK(checked_handle_use(handle) == &thing, "it is good");
  CHECK(!checked_handle_use(handle), "once");
  for (int i = 0; i < 1000; i++) {
    void *next = checked_handle_new(&stock, &thing);
    if (next == handle || checked_handle_use(handle) || checked_handle_use(next) != &thing) {
      CHECK(false, "it stays used when its place is given out anew");
      return;
    }
  }
  CHECK(true, "it stays used when its place is given out anew");
  CHECK(!checked_handle_use(NULL) && !checked_handle_use(&thing) &&
            !checked_handle_use((void *)~(uintptr_t)0),
        "what is no handle is good for nothing");
  handle_stock_fini(&stock);
}

static void test_many(void) {
  enum { MANY = 100000 };
  static void *handles[MANY];
  static char things[MANY];
  size_t wrong = 0;
  handle_stock stock = {0};
  for (size_t i = 0; i < MANY; i++)
    handles[i] = checked_handle_new(&stock, &things[i]);
  for (size_t i = MANY; i-- > 0;)
    wrong += checked_handle_use(handles[i]) != &things[i];
  for (size_t i = 0; i < MANY; i++)
    wrong += checked_handle_use(handles[i]) != NULL;
  CHECK_INT(wrong, 0, "%d at a time", MANY);
  handle_stock_fini(&stock);
}

static uint32_t place_of(const void *handle) {
  return (uint32_t)(uintptr_t)handle;
}

/* As many stocks as there are slots, each of which would take a new slot if one were lost. */
static void test_stocks(void) {
  enum { STOCKS = 1000 };
  uint32_t highest = 0, later = 0;
  int thing;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < STOCKS; i++) {
      handle_stock stock = {0};
      void *handle = checked_handle_new(&stock, &thing);
      uint32_t *most = round == 0 ? &highest : &later;
      if (place_of(handle) > *most) *most = place_of(handle);
      if (checked_handle_use(handle) != &thing) later = UINT32_MAX;
      handle_stock_fini(&stock);
    }
  }
  CHECK(later <= highest, "a stock gives all its slots back");
}

/* Each thread offers its own handles and those of the others: somebody gets each of them, once. */
static void *_Atomic offered[THREADS][HANDLES];
static atomic_size_t got, lost;
static pthread_barrier_t together;

static void use_all(void) {
  for (size_t t = 0; t < THREADS; t++)
    for (size_t i = 0; i < HANDLES; i++) {
      atomic_size_t *thing = checked_handle_use(atomic_load(&offered[t][i]));
      if (thing) atomic_fetch_add(thing, 1);
    }
}

static void *work(void *argument) {
  size_t self = *(size_t *)argument;
  handle_stock stock = {0};
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < HANDLES; i++)
      atomic_store(&offered[self][i], checked_handle_new(&stock, &got));
    use_all();
    pthread_barrier_wait(&together);
    use_all();
    if (pthread_barrier_wait(&together) == PTHREAD_BARRIER_SERIAL_THREAD) {
      lost += atomic_exchange(&got, 0) != (size_t)THREADS * HANDLES;
    }
    pthread_barrier_wait(&together);
    if (round % 2 == 0) handle_stock_fini(&stock);
  }
  handle_stock_fini(&stock);
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
  test_stocks();
  test_many();
  test_threads();
  return check_end();
}
