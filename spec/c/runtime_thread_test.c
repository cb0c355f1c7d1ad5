/* Threads and clocks of the runtime. */
#include <modfs/env.h>

#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "runtime/numa.c" /* its parser is not exported */

typedef struct report {
  pthread_t id;
  char name[16];
  size_t stack;
  size_t guard;
  cpu_set_t processors;
} report;

static void report_fill(void *argument) {
  report *r = argument;
  pthread_attr_t attributes;
  r->id = pthread_self();
  pthread_getname_np(r->id, r->name, sizeof r->name);
  pthread_getattr_np(r->id, &attributes);
  pthread_attr_getstacksize(&attributes, &r->stack);
  pthread_attr_getguardsize(&attributes, &r->guard);
  pthread_attr_destroy(&attributes);
  sched_getaffinity(0, sizeof r->processors, &r->processors);
}

static report run(const TF_ThreadOptions *options, const char *name) {
  report r = {0};
  TF_Thread *thread = TF_StartThread(options, name, report_fill, &r);
  CHECK(thread != NULL, "a thread starts");
  TF_JoinThread(thread);
  return r;
}

static void test_thread_options(void) {
  TF_ThreadOptions options = {1, 1, 1};
  TF_DefaultThreadOptions(&options);
  CHECK_INT(options.stack_size, 0, "default stack size");
  CHECK_INT(options.guard_size, 0, "default guard size");
  CHECK_INT(options.numa_node, -1, "default node");
  report r = run(&options, "worker");
  CHECK(!pthread_equal(r.id, pthread_self()), "it is another thread");
  CHECK_STR(r.name, "worker", "it has its name");
  CHECK(r.stack >= 1u << 20, "the stack has the system's size");
  options.stack_size = 256 << 10;
  options.guard_size = 64 << 10;
  r = run(&options, "a name longer than the system takes");
  CHECK_STR(r.name, "a name longer t", "a long name is cut");
  CHECK_INT(r.guard, 64 << 10, "the guard has its size");
  CHECK(r.stack > 128 << 10 && r.stack < 1 << 20, "the stack has its size");
  options.stack_size = 1;
  r = run(&options, NULL);
  CHECK(r.stack >= 1u << 20, "a stack that is too small is not taken");
  r = run(NULL, "plain");
  CHECK_STR(r.name, "plain", "without options");
}

static void test_node(void) {
  TF_ThreadOptions options = {0, 0, 0};
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  report r = run(&options, "node");
  cpu_set_t both;
  CPU_AND(&both, &before, &r.processors);
  CHECK(CPU_COUNT(&r.processors) > 0 && CPU_EQUAL(&both, &r.processors),
        "a node's processors are some of those that were allowed");
  options.numa_node = 123456;
  r = run(&options, "node");
  CHECK(CPU_EQUAL(&r.processors, &before), "a node that is not there changes nothing");
}

static void test_node_lists(void) {
  cpu_set_t set;
  CHECK(modfs_numa_parse("0-3,8\n", &set) && CPU_COUNT(&set) == 5 && CPU_ISSET(8, &set) &&
            CPU_ISSET(0, &set) && CPU_ISSET(3, &set),
        "ranges and single processors");
  CHECK(modfs_numa_parse("5", &set) && CPU_COUNT(&set) == 1 && CPU_ISSET(5, &set), "one processor");
  static const char *const bad[] = {"",    "\n", "a",    "0-",           "0-3,",
                                    "0;1", "-1", "1024", "0-99999999999"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    CHECK(!modfs_numa_parse(bad[i], &set), "no list: \"%s\"", bad[i][0] == '\n' ? "" : bad[i]);
}

static void add_one(void *argument) {
  __atomic_add_fetch((int *)argument, 1, __ATOMIC_RELAXED);
}

static void test_many_threads(void) {
  enum { MANY = 50 };
  TF_Thread *threads[MANY];
  int sum = 0;
  for (int i = 0; i < MANY; i++)
    threads[i] = TF_StartThread(NULL, "many", add_one, &sum);
  for (int i = 0; i < MANY; i++)
    TF_JoinThread(threads[i]);
  CHECK_INT(sum, MANY, "joining waits for %d threads", MANY);
  TF_JoinThread(NULL);
}

static void test_no_thread(void) {
  int code = -1;
  pid_t child = fork();
  if (child == 0) {
    TF_ThreadOptions options = {SIZE_MAX / 4, 0, -1};
    close(STDERR_FILENO);
    TF_Thread *thread = TF_StartThread(&options, "too large", add_one, &code);
    _exit(thread ? 1 : 0);
  }
  waitpid(child, &code, 0);
  CHECK(WIFEXITED(code) && WEXITSTATUS(code) == 0, "a stack larger than memory: NULL");
}

static uint64_t system_nanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void test_clocks(void) {
  uint64_t before = system_nanos();
  uint64_t nanos = TF_NowNanos();
  uint64_t micros = TF_NowMicros();
  uint64_t seconds = TF_NowSeconds();
  uint64_t after = system_nanos();
  CHECK(before <= nanos && nanos <= after, "nanoseconds");
  CHECK(before / 1000 <= micros && micros <= after / 1000, "microseconds");
  CHECK(before / 1000000000 <= seconds && seconds <= after / 1000000000, "seconds");
}

int main(void) {
  test_thread_options();
  test_node();
  test_node_lists();
  test_many_threads();
  test_no_thread();
  test_clocks();
  return check_end();
}
