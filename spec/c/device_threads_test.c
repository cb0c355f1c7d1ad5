/* Devices and threads: streams that wait for each other while another thread takes their callbacks,
 * devices and memory opened and closed by many threads at once, and forks in the middle of it. Made for
 * ThreadSanitizer. An alarm ends a process that hangs; the seed of the random numbers is the argument.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <modfs/device.h>

#include "check.h"

enum { STREAMS = 4, CALLBACKS = 100000, THREADS = 4, FORKS = 60, TEST_SECONDS = 300 };

#ifdef __SANITIZE_THREAD__
enum { ROUNDS = 60 };
#else
enum { ROUNDS = 400 };
#endif

static char beside[4200];
static unsigned seed = 1;

static unsigned roll(unsigned *state, unsigned sides) {
  *state = *state * 1664525 + 1013904223;
  return (*state >> 16) % sides;
}

static void must(const TF_Status *status, const char *what) {
  if (TF_GetCode(status) == TF_OK) return;
  fprintf(stderr, "# %s: %s\n", what, TF_Message(status));
  abort();
}

static modfs_device *open_device(const char *name, int ordinal) {
  TF_Status *status = TF_NewStatus();
  const modfs_platform *platform = modfs_platform_search(name, beside, status);
  modfs_device *device = platform ? modfs_device_open(platform, ordinal, status) : NULL;
  must(status, name);
  TF_DeleteStatus(status);
  return device;
}

/* Callbacks ---------------------------------------------------------------------- */

/* A number is that of the stream, and that of the callback in its stream. */
typedef struct consumer {
  modfs_callbacks *queue;
  atomic_bool finished; /* nothing more will come */
  uint64_t next[STREAMS];
  size_t taken, disordered;
} consumer;

static void take_one(consumer *self, uint64_t number) {
  uint64_t *next = &self->next[number % STREAMS];
  self->disordered += *next != number / STREAMS;
  *next = number / STREAMS + 1;
  self->taken++;
}

static void *consume(void *argument) {
  consumer *self = argument;
  uint64_t number;
  for (bool finished = false; !finished;) {
    finished = atomic_load(&self->finished);
    if (!finished) modfs_callbacks_wait(self->queue, 0.01);
    while (modfs_callbacks_take(self->queue, &number))
      take_one(self, number);
  }
  return NULL;
}

typedef struct enqueuing {
  modfs_device *device;
  modfs_stream *streams[STREAMS];
  modfs_event *events[STREAMS];
  modfs_memory *memories[STREAMS];
  uint64_t enqueued[STREAMS];
  size_t full; /* how often the queue had no room */
} enqueuing;

static void begin(enqueuing *work, const char *name, TF_Status *status) {
  *work = (enqueuing){.device = open_device(name, 0)};
  for (size_t i = 0; i < STREAMS; i++) {
    work->streams[i] = modfs_stream_open(work->device, status);
    must(status, "open a stream");
    work->events[i] = modfs_event_open(work->device, status);
    must(status, "open an event");
    work->memories[i] = modfs_memory_allocate(work->device, 64, status);
    must(status, "allocate");
  }
}

/* Now and then a stream waits for another one, by itself or by an event, or has other work. */
static void disturb(enqueuing *work, unsigned *state, TF_Status *status) {
  size_t one = roll(state, STREAMS), other = roll(state, STREAMS);
  modfs_stream *stream = work->streams[one];
  switch (roll(state, 16)) {
  case 0:
    modfs_stream_wait_stream(stream, work->streams[other], status);
    break;
  case 1:
    modfs_stream_record(stream, work->events[other], status);
    break;
  case 2:
    modfs_stream_wait_event(stream, work->events[other], status);
    break;
  case 3:
    modfs_stream_fill(stream, work->memories[one], 7, status);
    break;
  default:
    break;
  }
  must(status, "disturb");
}

static void enqueue(enqueuing *work, modfs_callbacks *queue, size_t i, TF_Status *status) {
  uint64_t number = work->enqueued[i] * STREAMS + i;
  modfs_stream_callback(work->streams[i], queue, number, status);
  if (TF_GetCode(status) == TF_RESOURCE_EXHAUSTED) {
    work->full++;
    usleep(1000);
  } else {
    must(status, "enqueue a callback");
    work->enqueued[i]++;
  }
}

static void finish(enqueuing *work, TF_Status *status) {
  for (size_t i = 0; i < STREAMS; i++) {
    modfs_stream_close(work->streams[i]);
    modfs_event_close(work->events[i]);
    modfs_memory_free(work->memories[i]);
  }
  modfs_device_close(work->device, status);
  must(status, "close the device");
}

static void test_callbacks(const char *name) {
  TF_Status *status = TF_NewStatus();
  consumer taking = {.queue = modfs_callbacks_open(status)};
  enqueuing work;
  unsigned state = seed;
  pthread_t thread;
  begin(&work, name, status);
  pthread_create(&thread, NULL, consume, &taking);
  for (size_t done = 0; done < CALLBACKS;) {
    TF_SetStatus(status, TF_OK, "");
    disturb(&work, &state, status);
    enqueue(&work, taking.queue, roll(&state, STREAMS), status);
    done = 0;
    for (size_t i = 0; i < STREAMS; i++)
      done += work.enqueued[i];
  }
  finish(&work, status);
  /* What a closed stream had is in the queue: nothing comes later. */
  atomic_store(&taking.finished, true);
  pthread_join(thread, NULL);
  CHECK_INT(taking.taken, CALLBACKS, "%s: no callback is lost, or late", name);
  CHECK_INT(taking.disordered, 0, "%s: each stream's come in its order", name);
  uint64_t number;
  CHECK(!modfs_callbacks_take(taking.queue, &number), "%s: and none twice", name);
  modfs_callbacks_close(taking.queue);
  TF_DeleteStatus(status);
}

/* Many threads -------------------------------------------------------------------- */

typedef struct worker {
  pthread_t thread;
  unsigned state;
  modfs_device *shared;
  size_t wrong;
} worker;

static atomic_bool stop;

static void use_memory(worker *self, modfs_device *device, TF_Status *status) {
  char bytes[256], back[256];
  uint64_t size = 1 + roll(&self->state, sizeof bytes);
  modfs_memory *memory = modfs_memory_allocate(device, size, status);
  must(status, "allocate");
  memset(bytes, (int)roll(&self->state, 256), size);
  modfs_memory_write(memory, 0, bytes, size, status);
  must(status, "write");
  modfs_memory_read(memory, 0, back, size, status);
  must(status, "read");
  self->wrong += memcmp(bytes, back, size) != 0;
  modfs_memory_free(memory);
}

/* Drops everything while the copy may be under way. */
static void use_stream(worker *self, modfs_device *device, TF_Status *status) {
  modfs_stream *stream = modfs_stream_open(device, status);
  must(status, "open a stream");
  modfs_memory *memory = modfs_memory_allocate(device, 32, status);
  must(status, "allocate");
  modfs_event *event = modfs_event_open(device, status);
  must(status, "open an event");
  modfs_bytes *bytes = modfs_device_host_allocate(device, 32, status);
  must(status, "allocate host memory");
  memset(modfs_bytes_data(bytes), 'x', 32);
  modfs_stream_write(stream, memory, bytes, modfs_bytes_data(bytes), 32, status);
  must(status, "copy");
  modfs_stream_record(stream, event, status);
  must(status, "record");
  if (roll(&self->state, 2)) modfs_event_wait(event, status);
  modfs_bytes_drop(bytes);
  modfs_memory_free(memory);
  if (roll(&self->state, 2)) modfs_event_close(event), event = NULL;
  modfs_stream_close(stream);
  modfs_event_close(event);
}

static void one_round(worker *self, TF_Status *status) {
  const char *name = roll(&self->state, 2) ? "REFERENCE" : "NULL";
  modfs_device *own = open_device(name, 0);
  use_memory(self, own, status);
  use_memory(self, self->shared, status);
  use_stream(self, roll(&self->state, 2) ? own : self->shared, status);
  SP_AllocatorStats stats;
  int64_t available, all;
  modfs_device_allocator_stats(self->shared, &stats);
  modfs_device_memory_usage(self->shared, &available, &all, status);
  must(status, "usage");
  if (roll(&self->state, 4) == 0) modfs_device_synchronize(self->shared, status);
  must(status, "synchronize");
  modfs_device_close(own, status);
  must(status, "close");
}

static void *work(void *argument) {
  worker *self = argument;
  TF_Status *status = TF_NewStatus();
  for (int i = 0; i < ROUNDS && !atomic_load(&stop); i++)
    one_round(self, status);
  TF_DeleteStatus(status);
  return NULL;
}

static void start_workers(worker *workers, modfs_device *shared) {
  atomic_store(&stop, false);
  for (unsigned i = 0; i < THREADS; i++) {
    workers[i] = (worker){.state = seed + i, .shared = shared};
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
}

static size_t join_workers(worker *workers) {
  size_t wrong = 0;
  for (int i = 0; i < THREADS; i++) {
    pthread_join(workers[i].thread, NULL);
    wrong += workers[i].wrong;
  }
  return wrong;
}

static void test_threads(const char *name) {
  worker workers[THREADS];
  TF_Status *status = TF_NewStatus();
  modfs_device *shared = open_device(name, 0);
  start_workers(workers, shared);
  CHECK_INT(join_workers(workers), 0, "%s: %d threads open, use and close", name, THREADS);
  modfs_device_close(shared, status);
  CHECK_INT(TF_GetCode(status), TF_OK, "%s: and leave nothing", name);
  TF_DeleteStatus(status);
}

/* Forks -------------------------------------------------------------------------- */

/* A child tells its result in shared memory and its parent kills it: leak checkers take any end of
 * its own for the end of the program, where it would have to own what is its parent's. */
static volatile int *result;

__attribute__((noreturn)) static void end_child(int answer) {
  *result = answer;
  for (;;)
    pause();
}

static int wait_for(pid_t child) {
  int status = 0;
  pid_t ended = 0;
  while (*result == -1 && (ended = waitpid(child, &status, WNOHANG)) == 0)
    usleep(1000);
  if (ended != 0) return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : -1;
  kill(child, SIGKILL);
  return waitpid(child, &status, 0) == child ? *result : -1;
}

static pid_t start_child(void) {
  *result = -1;
  pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) alarm(60);
  return child;
}

static bool refused(const TF_Status *status) {
  return TF_GetCode(status) == TF_FAILED_PRECONDITION;
}

/* A child may use a device of its own: not the first, whose memory its parent has. The number of the
 * first step that goes wrong, or 0. */
static int use_own(const char *name, modfs_callbacks *queue, TF_Status *status) {
#ifdef __SANITIZE_THREAD__
  (void)name, (void)queue, (void)status;
  return 0; /* this checker lets no child of a process with threads start any */
#endif
  modfs_device *device = open_device(name, 1);
  modfs_stream *stream = modfs_stream_open(device, status);
  must(status, "a child's stream");
  modfs_memory *memory = modfs_memory_allocate(device, 4, status);
  must(status, "a child's memory");
  char back[4];
  uint64_t number = 0;
  modfs_stream_fill(stream, memory, 'c', status);
  modfs_stream_callback(stream, queue, 77, status);
  modfs_stream_synchronize(stream, status);
  modfs_memory_read(memory, 0, back, 4, status);
  must(status, "a child's work");
  if (memcmp(back, "cccc", 4) != 0) return __LINE__;
  if (!modfs_callbacks_take(queue, &number) || number != 77) return __LINE__;
  modfs_memory_free(memory);
  modfs_stream_close(stream);
  modfs_device_close(device, status);
  return TF_GetCode(status) == TF_OK ? 0 : __LINE__;
}

/* Valgrind runs one thread at a time: a fork of a busy process takes seconds there. */
static bool under_valgrind(void) {
  const char *preload = getenv("LD_PRELOAD");
  return preload && strstr(preload, "vgpreload");
}

/* Threads are in the middle of anything when a process forks; its child must not wait for them. */
static void test_busy_forks(const char *name) {
#ifdef __SANITIZE_ADDRESS__
  CHECK(true, "%s: busy forks # SKIP the allocator of this checker stays locked in children", name);
  return;
#endif
  worker workers[THREADS];
  modfs_device *shared = open_device(name, 0);
  TF_Status *status = TF_NewStatus();
  modfs_callbacks *queue = modfs_callbacks_open(status);
  start_workers(workers, shared);
  int wrong = 0, forks = under_valgrind() ? 3 : FORKS;
  for (int i = 0; i < forks && !wrong; i++) {
    pid_t child = start_child();
    if (child == 0) {
      modfs_memory_allocate(shared, 1, status);
      end_child(refused(status) ? use_own(name, queue, status) : __LINE__);
    }
    wrong = wait_for(child);
  }
  CHECK_INT(wrong, 0, "%s: %d forks of a busy process", name, forks);
  atomic_store(&stop, true);
  CHECK_INT(join_workers(workers), 0, "%s: whose threads go on", name);
  modfs_callbacks_close(queue);
  modfs_device_drop(shared);
  TF_DeleteStatus(status);
}

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/');
  snprintf(beside, sizeof beside, "%.*s/plugins/?.so", slash ? (int)(slash - argv[0]) : 1,
           slash ? argv[0] : ".");
  seed = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : (unsigned)time(NULL);
  printf("# seed %u\n", seed);
  result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  alarm(TEST_SECONDS);
  test_callbacks("REFERENCE");
  test_callbacks("NULL");
  test_threads("REFERENCE");
  test_busy_forks("REFERENCE");
  return check_end();
}
