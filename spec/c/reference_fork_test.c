/* The reference device in children of a process that uses it. */
#include "reference_host.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

static atomic_int wrong;
static atomic_bool stop;

static void expect(bool good) {
  if (!good) atomic_fetch_add(&wrong, 1);
}

static SP_Stream old_stream;
static SP_Event old_event;
static SP_Timer old_timer;
static SP_DeviceMemoryBase old_memory;

static void do_nothing(void *const argument, TF_Status *const answer) {
  (void)argument;
  (void)answer;
}

static bool refuses_streams(void) {
  char bytes[8];
  const TF_Code refused = TF_FAILED_PRECONDITION;
  bool good = put_later(0, old_stream, old_memory, "child", 6) == refused &&
              get_later(0, old_stream, bytes, old_memory, 6) == refused &&
              copy_later(0, old_stream, old_memory, old_memory, 6) == refused &&
              fill_words(0, old_stream, old_memory, 0, 4) == refused &&
              stream_status(0, old_stream) == refused && finish(0, old_stream) == refused &&
              !callback(0, old_stream, do_nothing, NULL);
  se.start_timer(&devices[0], old_stream, old_timer, fresh());
  return good && code() == refused;
}

static bool refuses_events(void) {
  const TF_Code refused = TF_FAILED_PRECONDITION;
  SP_Stream stream = new_stream(0);
  bool good = record(0, stream, old_event) == refused &&
              wait_event(0, stream, old_event) == refused && block_event(0, old_event) == refused &&
              depend(0, stream, old_stream) == refused &&
              event_status(0, old_event) == SE_EVENT_UNKNOWN;
  se.destroy_stream(&devices[0], stream);
  return good;
}

static bool works(void) {
  char text[8] = "";
  SP_Stream stream = new_stream(0);
  SP_Event event = new_event(0);
  SP_DeviceMemoryBase memory = allocate(0, 8);
  bool good = put_later(0, stream, memory, "fine", 5) == TF_OK &&
              get_later(0, stream, text, memory, 5) == TF_OK && record(0, stream, event) == TF_OK &&
              block_event(0, event) == TF_OK && synchronize(0) == TF_OK && !strcmp(text, "fine");
  se.destroy_event(&devices[0], event);
  se.destroy_stream(&devices[0], stream);
  se.deallocate(&devices[0], &memory);
  return good;
}

static bool child_works(void) {
  bool good = refuses_streams() && refuses_events() && works() && holds(0, old_memory, "parent") &&
              put(0, old_memory, "child!", 6) == TF_OK;
  se.destroy_stream(&devices[0], old_stream);
  se.destroy_event(&devices[0], old_event);
  se.destroy_timer(&devices[0], old_timer);
  se.deallocate(&devices[0], &old_memory);
  good = good && stats_of(0).bytes_in_use == 0;
  host_end();
  return good && host_begin() == TF_OK && works();
}

/* A child in which all is well kills itself; else the alarm does. Nothing runs at its end: what the
 * parent's threads held is no leak. */
static bool ended_well(pid_t child) {
  int end = 0;
  return waitpid(child, &end, 0) == child && WIFSIGNALED(end) && WTERMSIG(end) == SIGKILL;
}

static bool fork_works(void) {
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    raise(child_works() ? SIGKILL : SIGABRT);
  }
  return ended_well(child);
}

static void *run_hammer(void *context) {
  (void)context;
  while (!atomic_load(&stop)) {
    SP_DeviceMemoryBase memory = allocate(1, 64);
    expect(put(1, memory, "hammer", 7) == TF_OK);
    se.deallocate(&devices[1], &memory);
  }
  host_leave();
  return NULL;
}

static void make_old(void) {
  old_stream = new_stream(0);
  old_event = new_event(0);
  old_timer = new_timer(0);
  old_memory = allocate(0, 16);
  put(0, old_memory, "parent", 7);
  record(0, old_stream, old_event);
}

static void free_old(void) {
  se.destroy_stream(&devices[0], old_stream);
  se.destroy_event(&devices[0], old_event);
  se.destroy_timer(&devices[0], old_timer);
  se.deallocate(&devices[0], &old_memory);
}

static void test_quiet_fork(void) {
  make_old();
  CHECK(fork_works(), "a child of a process whose stream has no worker yet");
  put_later(0, old_stream, slice(old_memory, 8, 8), "x", 2);
  finish(0, old_stream);
  CHECK(fork_works(), "a child of one whose worker is idle");
  CHECK(holds(0, old_memory, "parent"), "does not change the memory of the parent");
  CHECK_INT(finish(0, old_stream), TF_OK, "nor its stream");
  gate closed = GATE_CLOSED;
  char text[8] = "";
  callback(0, old_stream, pass_gate, &closed);
  put_later(0, old_stream, old_memory, "behind", 7);
  get_later(0, old_stream, text, old_memory, 7);
  await_gate(&closed);
  CHECK(fork_works(), "a child while work waits, and holds its memory");
  open_gate(&closed);
  CHECK(finish(0, old_stream) == TF_OK && !strcmp(text, "behind"), "the parent does that work");
  free_old();
}

static void test_busy_fork(void) {
  enum { FORKS = 20 };
  pthread_t hammers[2];
  int good = 0;
  make_old();
  atomic_store(&stop, false);
  atomic_store(&wrong, 0);
  for (int i = 0; i < 2; i++)
    pthread_create(&hammers[i], NULL, run_hammer, NULL);
  for (int i = 0; i < FORKS; i++) {
    for (int k = 0; k < 50; k++)
      callback(0, old_stream, do_nothing, NULL);
    good += fork_works();
  }
  atomic_store(&stop, true);
  for (int i = 0; i < 2; i++)
    pthread_join(hammers[i], NULL);
  CHECK_INT(good, FORKS, "children of a busy process");
  CHECK_INT(atomic_load(&wrong), 0, "the process itself");
  free_old();
}

/* A callback that forks: what is behind it is the parent's. */
typedef struct fork_inside {
  atomic_int *behind; /* seen by both processes */
  pid_t child;
  bool returns;
} fork_inside;

static void fork_in_callback(void *const argument, TF_Status *const answer) {
  fork_inside *it = argument;
  (void)answer;
  it->child = fork();
  if (it->child != 0) return;
  alarm(20);
  if (!it->returns) raise(works() ? SIGKILL : SIGABRT);
}

static void count_behind(void *const argument, TF_Status *const answer) {
  fork_inside *it = argument;
  (void)answer;
  atomic_fetch_add(it->behind, 1);
}

static void test_callback_fork(bool returns) {
  fork_inside it = {.returns = returns};
  int end = 0;
  it.behind = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  make_old();
  callback(0, old_stream, fork_in_callback, &it);
  callback(0, old_stream, count_behind, &it);
  CHECK_INT(finish(0, old_stream), TF_OK, "a callback that forks");
  if (returns) {
    CHECK(waitpid(it.child, &end, 0) == it.child && !WIFSIGNALED(end), "and returns in the child");
  } else {
    CHECK(ended_well(it.child), "and works in the child");
  }
  CHECK_INT(atomic_load(it.behind), 1, "the next callback runs in the parent alone");
  munmap(it.behind, 4096);
  free_old();
}

#ifdef __SANITIZE_THREAD__
enum { CHILDREN_START_THREADS = false, CHILDREN_ALLOCATE = true };
#elif defined __SANITIZE_ADDRESS__
enum { CHILDREN_START_THREADS = true, CHILDREN_ALLOCATE = false };
#else
enum { CHILDREN_START_THREADS = true, CHILDREN_ALLOCATE = true };
#endif

static void test_fork(void) {
  if (!CHILDREN_START_THREADS) {
    CHECK(true, "fork # SKIP this checker lets no child of a process with threads start threads");
    return;
  }
  test_quiet_fork();
  test_callback_fork(false);
  test_callback_fork(true);
  if (CHILDREN_ALLOCATE) {
    test_busy_fork();
  } else {
    CHECK(true, "busy fork # SKIP the allocator of this checker stays locked in children");
  }
}

int main(int argc, char **argv) {
  if (!CHECK(host_load(argc > 1 ? argv[1] : host_path(argv[0], "reference.so")), "loads"))
    return check_end();
  host_begin();
  test_fork();
  host_end();
  host_leave();
  return check_end();
}
