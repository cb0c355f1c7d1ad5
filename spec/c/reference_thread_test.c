/* The reference device with time and threads: workers, callbacks by the thousand, copies that
 * overlap, and many threads at once. */
#include "reference_host.h"

#include <dirent.h>

static atomic_int wrong;
static atomic_bool stop;

static void expect(bool good) {
  if (!good) atomic_fetch_add(&wrong, 1);
}

/* Workers -------------------------------------------------------------------------------- */

static int count_threads(void) {
  DIR *tasks = opendir("/proc/self/task");
  int count = -2; /* . and .. */
  while (readdir(tasks))
    count++;
  closedir(tasks);
  return count;
}

/* A thread that was joined stands in the list for a moment longer. */
static int settled_threads(int expected) {
  int count = count_threads();
  for (int i = 0; i < 100 && count != expected; i++) {
    usleep(10000);
    count = count_threads();
  }
  return count;
}

static void *do_nothing(void *context) {
  return context;
}

/* A checker may start a thread of its own beside the first of ours. */
static void start_checker(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, do_nothing, NULL) == 0) pthread_join(thread, NULL);
}

static void test_workers(void) {
  enum { STREAMS = 4 };
  SP_DeviceMemoryBase memory = allocate(0, 8);
  SP_Stream streams[STREAMS];
  SP_Event event = new_event(0);
  start_checker();
  int before = settled_threads(1);
  for (int i = 0; i < STREAMS; i++) {
    streams[i] = new_stream(0);
    record(0, streams[i], event);
    finish(0, streams[i]);
  }
  CHECK_INT(count_threads(), before, "a stream without work has no thread");
  for (int i = 0; i < STREAMS; i++) {
    put_later(0, streams[i], memory, "1234567", 8);
    finish(0, streams[i]);
  }
  CHECK_INT(count_threads(), before + STREAMS, "work starts one");
  uint64_t used = now(CLOCK_PROCESS_CPUTIME_ID);
  usleep(200000);
  used = now(CLOCK_PROCESS_CPUTIME_ID) - used;
  CHECK(used < 20000000, "idle streams cost nothing: %" PRIu64 " us of 200 ms", used / 1000);
  for (int i = 0; i < STREAMS; i++)
    se.destroy_stream(&devices[0], streams[i]);
  CHECK_INT(settled_threads(before), before, "it ends with the stream");
  se.destroy_event(&devices[0], event);
  se.deallocate(&devices[0], &memory);
}

/* Callbacks ------------------------------------------------------------------------------- */

enum { CALLERS = 4, CALLS = 25000 };

typedef struct caller {
  SP_Stream stream;
  pthread_t thread;
  int numbers[CALLS];
  int next; /* touched by callbacks alone, and read when they are done */
} caller;

static caller callers[CALLERS];

/* The caller is found by the place of the number. */
static void take_number(void *const argument, TF_Status *const answer) {
  int *number = argument;
  for (int i = 0; i < CALLERS; i++)
    if (number >= callers[i].numbers && number < callers[i].numbers + CALLS) {
      expect(*number == callers[i].next && TF_GetCode(answer) == TF_OK);
      callers[i].next++;
    }
}

static void *run_caller(void *context) {
  caller *it = context;
  for (int i = 0; i < CALLS; i++) {
    it->numbers[i] = i;
    expect(callback(0, it->stream, take_number, &it->numbers[i]));
    if (i % 1000 == 0) {
      expect(finish(0, it->stream) == TF_OK);
      expect(it->next == i + 1);
    }
  }
  expect(finish(0, it->stream) == TF_OK);
  expect(it->next == CALLS);
  host_leave();
  return NULL;
}

/* Streams that come and go, and waits for all of them, meanwhile. */
static void *run_visitor(void *context) {
  (void)context;
  while (!atomic_load(&stop)) {
    SP_Stream stream = new_stream(0);
    SP_Event event = new_event(0);
    int ran = 0;
    expect(depend(0, stream, callers[0].stream) == TF_OK);
    expect(record(0, callers[1].stream, event) == TF_OK);
    expect(wait_event(0, stream, event) == TF_OK);
    gate open = GATE_CLOSED;
    open_gate(&open);
    expect(callback(0, stream, pass_gate, &open));
    expect(synchronize(0) == TF_OK);
    pthread_mutex_lock(&open.lock);
    ran = open.reached;
    pthread_mutex_unlock(&open.lock);
    expect(ran);
    expect(event_status(0, event) == SE_EVENT_COMPLETE);
    se.destroy_event(&devices[0], event);
    se.destroy_stream(&devices[0], stream);
  }
  host_leave();
  return NULL;
}

static void test_callbacks(void) {
  pthread_t visitor;
  atomic_store(&stop, false);
  atomic_store(&wrong, 0);
  for (int i = 0; i < CALLERS; i++)
    callers[i].stream = new_stream(0);
  pthread_create(&visitor, NULL, run_visitor, NULL);
  for (int i = 0; i < CALLERS; i++)
    pthread_create(&callers[i].thread, NULL, run_caller, &callers[i]);
  for (int i = 0; i < CALLERS; i++)
    pthread_join(callers[i].thread, NULL);
  atomic_store(&stop, true);
  pthread_join(visitor, NULL);
  for (int i = 0; i < CALLERS; i++)
    se.destroy_stream(&devices[0], callers[i].stream);
  CHECK_INT(atomic_load(&wrong), 0, "%d callbacks: none lost, late, twice or out of order",
            CALLERS * CALLS);
}

/* The end of a stream waits for its work. */
static void count_slowly(void *const argument, TF_Status *const answer) {
  (void)answer;
  usleep(2000);
  ++*(int *)argument;
}

static void test_drain(void) {
  int count = 0;
  SP_Stream stream = new_stream(0);
  for (int i = 0; i < 5; i++)
    callback(0, stream, count_slowly, &count);
  se.destroy_stream(&devices[0], stream);
  CHECK_INT(count, 5, "a stream ends behind its work");
}

/* Time -------------------------------------------------------------------------------------- */

/* Milliseconds that two copies of 100 ms each take, in one stream or in two. */
static uint64_t time_copies(bool together) {
  static char bytes[1 << 20];
  SP_DeviceMemoryBase a = allocate(0, sizeof bytes), b = allocate(0, sizeof bytes);
  SP_Stream first = new_stream(0), second = new_stream(0);
  uint64_t begun = now(CLOCK_MONOTONIC);
  put_later(0, first, a, bytes, sizeof bytes);
  put_later(0, together ? second : first, b, bytes, sizeof bytes);
  synchronize(0);
  uint64_t time = (now(CLOCK_MONOTONIC) - begun) / 1000000;
  se.destroy_stream(&devices[0], first);
  se.destroy_stream(&devices[0], second);
  se.deallocate(&devices[0], &a);
  se.deallocate(&devices[0], &b);
  return time;
}

static void test_overlap(void) {
  uint64_t apart = time_copies(false), together = time_copies(true);
  for (int i = 0; i < 2 && together >= 180; i++)
    together = time_copies(true);
  CHECK(apart >= 200, "two copies of 100 ms in one stream take %" PRIu64 " ms", apart);
  CHECK(together >= 100 && together < 180, "in two streams %" PRIu64 " ms", together);
  char byte[1];
  SP_DeviceMemoryBase memory = allocate(0, 1 << 20);
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < 3; i++) {
    uint64_t begun = now(CLOCK_MONOTONIC);
    get(0, byte, memory, 1);
    if (now(CLOCK_MONOTONIC) - begun < least) least = now(CLOCK_MONOTONIC) - begun;
  }
  CHECK(least < 50000000, "one byte is there at once");
  se.deallocate(&devices[0], &memory);
}

/* Many threads -------------------------------------------------------------------------------- */

static void *run_owner(void *context) {
  uint32_t seed = (uint32_t)(uintptr_t)context;
  char out[256], in[256];
  SP_Stream stream = new_stream(seed % 2);
  for (int i = 0; i < 1000 && !atomic_load(&wrong); i++) {
    uint32_t size = 1 + next_random(&seed) % 255, device = next_random(&seed) % 2;
    SP_DeviceMemoryBase memory = allocate((int)device, size);
    memset(out, (int)(seed & 0xFF), size);
    expect(put((int)device, memory, out, size) == TF_OK);
    if (device == (uint32_t)(uintptr_t)context % 2) {
      expect(get_later((int)device, stream, in, memory, size) == TF_OK);
      expect(finish((int)device, stream) == TF_OK);
    } else {
      expect(get((int)device, in, memory, size) == TF_OK);
    }
    expect(memcmp(in, out, size) == 0);
    se.deallocate(&devices[device], &memory);
  }
  se.destroy_stream(&devices[(uintptr_t)context % 2], stream);
  host_leave();
  return NULL;
}

static void test_threads(void) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  SP_AllocatorStats before = stats_of(0);
  atomic_store(&wrong, 0);
  for (uintptr_t i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, run_owner, (void *)(i + 1));
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  CHECK_INT(atomic_load(&wrong), 0, "%d threads with memory of their own", THREADS);
  int64_t made = stats_of(0).num_allocs + stats_of(1).num_allocs;
  CHECK_INT(made - before.num_allocs, THREADS * 1000, "each allocation was counted");
  CHECK_INT(stats_of(0).bytes_in_use + stats_of(1).bytes_in_use, 0, "and none is left");
}

int main(int argc, char **argv) {
  if (!CHECK(host_load(argc > 1 ? argv[1] : host_path(argv[0], "reference.so")), "loads"))
    return check_end();
  host_begin();
  test_workers();
  test_callbacks();
  test_drain();
  test_threads();
  host_end();
  host_begin_with("BANDWIDTH", "10485760");
  test_overlap();
  host_end();
  host_leave();
  return check_end();
}
