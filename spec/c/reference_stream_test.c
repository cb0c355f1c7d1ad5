/* Streams of the reference device: their failures, callbacks that call the plugin, and the threads that
 * work for them. Order, events and timers belong to the conformance cases
 * (lua/modfs/check/cases/device_*.lua), many threads at once to device_threads_test. */
#include "reference_host.h"

#include <dirent.h>

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

/* Failures ------------------------------------------------------------------------------- */

static void count_call(void *const argument, TF_Status *const answer) {
  (void)answer;
  ++*(int *)argument;
}

static void fail_call(void *const argument, TF_Status *const answer) {
  count_call(argument, answer);
  TF_SetStatus(answer, TF_ABORTED, "the first failure");
}

static void test_failed_stream(void) {
  int count = 0;
  SP_DeviceMemoryBase memory = allocate(0, 4);
  SP_Stream stream = new_stream(0), other = new_stream(0);
  SP_Event before = new_event(0), after = new_event(0);
  put(0, memory, "old", 4);
  callback(0, stream, count_call, &count);
  record(0, stream, before);
  callback(0, stream, fail_call, &count);
  CHECK_INT(put_later(0, stream, memory, "new", 4), TF_OK, "work behind a failure is taken");
  fill_words(0, stream, memory, 0x58585858, 4);
  record(0, stream, after);
  wait_event(0, other, after);
  CHECK_INT(finish(0, stream), TF_ABORTED, "waiting for the stream says how it went");
  CHECK(holds(0, memory, "old"), "the work is not done");
  CHECK_INT(event_status(0, before), SE_EVENT_COMPLETE, "an event before it is complete");
  CHECK_INT(event_status(0, after), SE_EVENT_ERROR, "one behind it is an error");
  CHECK_INT(block_event(0, after), TF_ABORTED, "and waiting for it says so");
  CHECK_INT(finish(0, other), TF_OK, "who waits for it is not concerned");
  CHECK_INT(synchronize(0), TF_OK, "nor is the device");
  CHECK(callback(0, stream, count_call, &count) && finish(0, stream) == TF_ABORTED && count == 3,
        "callbacks run still");
  se.destroy_event(&devices[0], before);
  se.destroy_event(&devices[0], after);
  se.destroy_stream(&devices[0], stream);
  se.destroy_stream(&devices[0], other);
  se.deallocate(&devices[0], &memory);
}

typedef struct inside {
  SP_Stream stream;
  TF_Code until_done, all, event;
  bool enqueued;
  int count;
} inside;

/* What would wait for ever is refused. */
static void call_from_inside(void *const argument, TF_Status *const answer) {
  inside *it = argument;
  SP_Event event = new_event(0);
  (void)answer;
  it->enqueued = callback(0, it->stream, count_call, &it->count);
  it->until_done = finish(0, it->stream);
  it->all = synchronize(0);
  record(0, it->stream, event);
  it->event = block_event(0, event);
  se.destroy_event(&devices[0], event);
  host_leave();
}

static void test_callback_inside(void) {
  inside it = {.stream = new_stream(0)};
  callback(0, it.stream, call_from_inside, &it);
  CHECK_INT(finish(0, it.stream), TF_OK, "a callback that calls the plugin");
  finish(0, it.stream);
  CHECK(it.enqueued && it.count == 1, "enqueues to its own stream");
  CHECK(it.until_done == TF_FAILED_PRECONDITION && it.all == TF_FAILED_PRECONDITION &&
            it.event == TF_FAILED_PRECONDITION,
        "and does not wait for it");
  se.destroy_stream(&devices[0], it.stream);
}

int main(int argc, char **argv) {
  if (!CHECK(host_load(argc > 1 ? argv[1] : host_path(argv[0], "reference.so")), "loads"))
    return check_end();
  host_begin();
  test_workers();
  test_failed_stream();
  test_callback_inside();
  host_end();
  host_leave();
  return check_end();
}
