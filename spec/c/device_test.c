/* Devices as a C host has them: through the plugins beside the program, and through the base plugin of
 * spec/fixtures/devices, built here. Runs in the root of the sources.
 *
 * Of TensorFlow's stream_executor_test here are the parts that Lua cannot say; the 33 cases by name are
 * in spec/stream_executor_spec.lua. */
#include <dirent.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <modfs/device.h>

#include "check.h"

static char folder[] = "/tmp/modfs-device.XXXXXX";
static char beside[4200];
static TF_Status *status;

static bool ok(void) {
  if (TF_GetCode(status) != TF_OK)
    check_note("%s: %s", modfs_code_name(TF_GetCode(status)), TF_Message(status));
  return TF_GetCode(status) == TF_OK;
}

static bool failed_with(TF_Code code, const char *fragment) {
  bool right = TF_GetCode(status) == code && strstr(TF_Message(status), fragment);
  if (!right) check_note("%s: %s", modfs_code_name(TF_GetCode(status)), TF_Message(status));
  return right;
}

static const modfs_platform *platform_of(const char *name) {
  const modfs_platform *platform = modfs_platform_search(name, beside, status);
  if (!platform) check_note("%s", TF_Message(status));
  return platform;
}

static modfs_device *open_device(const char *name, int ordinal) {
  const modfs_platform *platform = platform_of(name);
  modfs_device *device = platform ? modfs_device_open(platform, ordinal, status) : NULL;
  if (!device) abort();
  return device;
}

static modfs_memory *allocate(modfs_device *device, uint64_t size) {
  modfs_memory *memory = modfs_memory_allocate(device, size, status);
  if (!memory) abort();
  return memory;
}

static bool holds(modfs_memory *memory, const char *text) {
  char bytes[64] = "";
  modfs_memory_read(memory, 0, bytes, strlen(text), status);
  if (ok() && memcmp(bytes, text, strlen(text)) == 0) return true;
  check_note("got \"%.40s\", not \"%s\"", bytes, text);
  return false;
}

static bool ends(modfs_device *device) {
  modfs_device_close(device, status);
  return TF_GetCode(status) == TF_OK;
}

/* The null device shows that there need be none. */
static bool has_timers(const char *name) {
  return strcmp(name, "NULL") != 0;
}

/* Platforms -------------------------------------------------------------------- */

static void test_platforms(void) {
  CHECK(!modfs_platform_find("NO_SUCH"), "a platform that is none is not found");
  CHECK(!modfs_platform_search("NO_SUCH", beside, status) &&
            failed_with(TF_NOT_FOUND, "no_such.so"),
        "and is looked for in lower case");
  CHECK(!modfs_platform_search("../null", beside, status) && failed_with(TF_NOT_FOUND, "slash"),
        "nor is a path a name");
  CHECK(!modfs_platform_search("", beside, status) && TF_GetCode(status) != TF_OK, "nor nothing");
  const modfs_platform *null = platform_of("null");
  CHECK(null && null == modfs_platform_find("NULL"), "a platform has any case");
  CHECK_STR(modfs_platform_name(null), "NULL", "its name");
  CHECK_STR(modfs_platform_api(null), "shipped", "its form");
  CHECK(modfs_plugin_platform(modfs_platform_plugin(null)) == null, "its plugin");
  CHECK(modfs_platform_device_count(null, status) >= 1 && ok(), "its devices");
  CHECK(!modfs_device_open(null, -1, status) &&
            failed_with(TF_INVALID_ARGUMENT, "device ordinal -1"),
        "an ordinal that is negative");
  CHECK(!modfs_device_open(null, INT_MAX, status) && failed_with(TF_INVALID_ARGUMENT, "has "),
        "an ordinal that is too large");
}

/* Lifetimes -------------------------------------------------------------------- */

static void test_ends_of_nothing(void) {
  modfs_device_drop(NULL);
  modfs_memory_free(NULL);
  modfs_stream_close(NULL);
  modfs_event_close(NULL);
  modfs_timer_close(NULL);
  modfs_callbacks_close(NULL);
  CHECK(true, "ends take NULL");
}

static void test_children(const char *name) {
  modfs_device *device = open_device(name, 0), *second = open_device(name, 0);
  modfs_memory *memory = allocate(device, 4);
  modfs_bytes *bytes = modfs_device_host_allocate(device, 4, status);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_event *event = modfs_event_open(device, status);
  modfs_timer *timer = modfs_timer_open(device, status);
  CHECK(modfs_memory_device(memory) == device && modfs_stream_device(stream) == device,
        "%s: children know their device", name);
  CHECK(!ends(device) && failed_with(TF_FAILED_PRECONDITION, timer ? "has 5 open " : "has 4 open "),
        "%s: a device with children is not closed", name);
  CHECK(ends(second), "%s: the same device, opened again, is", name);
  modfs_memory_free(memory);
  modfs_bytes_drop(bytes);
  modfs_timer_close(timer);
  CHECK(!ends(device) && failed_with(TF_FAILED_PRECONDITION, "has 2 open "), "%s: nor with two",
        name);
  modfs_device_drop(device);
  modfs_stream_record(stream, event, status);
  CHECK(ok(), "%s: children of a dropped device work", name);
  modfs_event_close(event);
  modfs_stream_close(stream);
}

/* A device belongs to its platform and number, however it was opened. */
static void test_shared(const char *name) {
  modfs_device *one = open_device(name, 0), *same = open_device(name, 0);
  modfs_memory *memory = allocate(one, 4);
  modfs_stream *stream = modfs_stream_open(same, status);
  modfs_stream_fill(stream, memory, 'x', status);
  CHECK(ok(), "%s: what came from one handle works with the other", name);
  modfs_stream_synchronize(stream, status);
  CHECK(holds(memory, "xxxx"), "%s: and is the same memory", name);
  modfs_stream_close(stream);
  modfs_memory_free(memory);
  CHECK(ends(one) && ends(same), "%s: both handles end", name);
}

static void test_strangers(const char *name, const char *other_name) {
  modfs_device *device = open_device(name, 0), *other = open_device(other_name, 0);
  modfs_memory *memory = allocate(device, 4), *foreign = allocate(other, 4);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_stream *foreign_stream = modfs_stream_open(other, status);
  modfs_event *event = modfs_event_open(other, status);
  modfs_timer *timer = modfs_timer_open(other, status);
  modfs_stream_copy(stream, memory, foreign, 4, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "%s: a copy from %s", name, other_name);
  modfs_stream_copy(stream, foreign, memory, 4, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "%s: a copy to %s", name, other_name);
  modfs_stream_fill(stream, foreign, 0, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "%s: filling another's", name);
  modfs_stream_record(stream, event, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "%s: recording another's event", name);
  modfs_stream_wait_event(stream, event, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "%s: waiting for it", name);
  modfs_stream_wait_stream(stream, foreign_stream, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "%s: waiting for a stream", name);
  if (timer) modfs_timer_start(timer, stream, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "%s: starting another's timer", name);
  modfs_stream_status(stream, status);
  CHECK(ok(), "%s: none of that is the stream's status", name);
  modfs_memory_write(memory, 0, "four", 4, status);
  modfs_memory_copy(foreign, memory, 4, status);
  CHECK(ok() && holds(foreign, "four"), "%s: a copy that waits may go to %s", name, other_name);
  modfs_timer_close(timer);
  modfs_event_close(event);
  modfs_stream_close(foreign_stream);
  modfs_stream_close(stream);
  modfs_memory_free(foreign);
  modfs_memory_free(memory);
  CHECK(ends(device) && ends(other), "%s: both end", name);
}

/* Memory ----------------------------------------------------------------------- */

static void test_ranges(const char *name) {
  modfs_device *device = open_device(name, 0);
  modfs_memory *memory = allocate(device, 8), *none = allocate(device, 0);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_bytes *bytes = modfs_bytes_new(16, status);
  char *data = modfs_bytes_data(bytes);
  static const uint64_t wrong[][2] = {{0, 9},          {8, 1},          {9, 0},
                                      {UINT64_MAX, 1}, {1, UINT64_MAX}, {UINT64_MAX, UINT64_MAX},
                                      {4, 5},          {INT64_MAX, 1u}, {8, UINT64_MAX - 7},
                                      {1, INT64_MAX}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    modfs_memory_write(memory, wrong[i][0], data, wrong[i][1], status);
    CHECK(failed_with(TF_INVALID_ARGUMENT, "beyond"), "%s: a write out of range, %zu", name, i);
    modfs_memory_read(memory, wrong[i][0], data, wrong[i][1], status);
    CHECK(failed_with(TF_INVALID_ARGUMENT, "beyond"), "%s: a read out of range, %zu", name, i);
  }
  modfs_stream_write(stream, memory, bytes, data, 9, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "beyond"), "%s: a copy to the end and more", name);
  modfs_stream_read(stream, bytes, data, memory, UINT64_MAX, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "beyond"), "%s: a copy of more than there is", name);
  modfs_stream_copy(stream, none, memory, 1, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "beyond"), "%s: a copy to no bytes", name);
  modfs_memory_write(none, 0, data, 0, status);
  CHECK(ok(), "%s: none can be written", name);
  modfs_memory_fill(none, 1, status);
  CHECK(ok(), "%s: none can be filled", name);
  modfs_stream_copy(stream, none, none, 0, status);
  CHECK(ok(), "%s: none can be copied", name);
  CHECK(!modfs_memory_allocate(device, UINT64_MAX, status) &&
            failed_with(TF_INVALID_ARGUMENT, "2^63"),
        "%s: an allocation of 2^64 - 1 bytes", name);
#ifndef __SANITIZE_THREAD__ /* whose malloc ends the program */
  CHECK(!modfs_memory_allocate(device, INT64_MAX, status) &&
            failed_with(TF_RESOURCE_EXHAUSTED, "cannot allocate"),
        "%s: an allocation of 2^63 - 1 bytes", name);
#endif
  modfs_bytes_drop(bytes);
  modfs_stream_close(stream);
  modfs_memory_free(none);
  modfs_memory_free(memory);
  CHECK(ends(device), "%s: the device ends", name);
}

/* What is let go while work names it lives until the work is done. */
static void test_in_flight(const char *name) {
  enum { SIZE = 4096 };
  modfs_device *device = open_device(name, 0);
  modfs_memory *result = allocate(device, SIZE);
  modfs_stream *stream = modfs_stream_open(device, status);
  for (int turn = 0; turn < 20; turn++) {
    modfs_memory *memory = allocate(device, SIZE);
    modfs_bytes *bytes = modfs_bytes_new(SIZE, status), *back = modfs_bytes_new(SIZE, status);
    modfs_event *event = modfs_event_open(device, status);
    modfs_stream *other = modfs_stream_open(device, status);
    memset(modfs_bytes_data(bytes), 'a' + turn, SIZE);
    modfs_stream_write(stream, memory, bytes, modfs_bytes_data(bytes), SIZE, status);
    modfs_stream_copy(stream, result, memory, SIZE, status);
    modfs_stream_read(stream, back, modfs_bytes_data(back), memory, SIZE, status);
    modfs_stream_record(stream, event, status);
    modfs_stream_wait_event(other, event, status);
    modfs_stream_wait_stream(stream, other, status);
    modfs_memory_free(memory);
    modfs_bytes_drop(bytes);
    modfs_bytes_drop(back);
    modfs_event_close(event);
    modfs_stream_close(other);
  }
  modfs_stream_synchronize(stream, status);
  CHECK(ok() && holds(result, "ttttttt"), "%s: what was let go in flight was there", name);
  modfs_stream_close(stream);
  modfs_memory_free(result);
  CHECK(ends(device), "%s: and is gone now", name);
}

static int64_t bytes_in_use(modfs_device *device) {
  SP_AllocatorStats stats;
  return modfs_device_allocator_stats(device, &stats) ? stats.bytes_in_use : -1;
}

/* A stream that is never synchronised lets go all the same, on its way. */
static void test_let_go(const char *name, uint64_t size, int turns) {
  modfs_device *device = open_device(name, 0);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_event *event = modfs_event_open(device, status);
  modfs_memory *last = allocate(device, size);
  int64_t before = bytes_in_use(device);
  for (int turn = 0; turn < turns; turn++) {
    modfs_memory *memory = allocate(device, size);
    modfs_stream_fill(stream, memory, 'x', status);
    modfs_memory_free(memory);
  }
  modfs_stream_record(stream, event, status);
  modfs_event_wait(event, status);
  usleep(20000); /* the mark may be behind the event */
  modfs_stream_fill(stream, last, 'y', status);
  int64_t held = bytes_in_use(device) - before;
  CHECK(ok() && held >= 0 && held <= (int64_t)(16 * (size > 256 ? size : 256)),
        "%s: %d times %d bytes are let go on the way", name, turns, (int)size);
  modfs_stream_synchronize(stream, status);
  CHECK_INT(bytes_in_use(device), before, "%s: and all of them at its end", name);
  modfs_event_close(event);
  modfs_stream_close(stream);
  modfs_memory_free(last);
  CHECK(ends(device), "%s: the device ends", name);
}

/* Streams, events, timers -------------------------------------------------------- */

static void test_failure(const char *name) {
  modfs_device *device = open_device(name, 0);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_callbacks *queue = modfs_callbacks_open(status);
  modfs_stream_fail(stream, TF_OK, "nothing");
  modfs_stream_status(stream, status);
  CHECK(ok(), "%s: OK is no failure", name);
  modfs_stream_fail(stream, TF_UNIMPLEMENTED, "not on a Friday");
  modfs_stream_fail(stream, TF_INTERNAL, "later");
  modfs_stream_status(stream, status);
  CHECK(failed_with(TF_UNIMPLEMENTED, "Friday"), "%s: HostCallbackError: the first stays", name);
  modfs_stream_synchronize(stream, status);
  CHECK(failed_with(TF_UNIMPLEMENTED, "Friday"), "%s: synchronize tells it", name);
  modfs_stream_callback(stream, queue, 1, status);
  CHECK(failed_with(TF_UNIMPLEMENTED, "Friday"), "%s: so does a callback", name);
  uint64_t number;
  CHECK(!modfs_callbacks_take(queue, &number), "%s: which does not come", name);
  modfs_callbacks_close(queue);
  modfs_stream_close(stream);
  CHECK(ends(device), "%s: the device ends", name);
}

static void test_events(const char *name) {
  modfs_device *device = open_device(name, 0);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_event *event = modfs_event_open(device, status);
  CHECK_INT(modfs_event_status(event), SE_EVENT_UNKNOWN, "%s: before its record", name);
  modfs_event_wait(event, status);
  CHECK(failed_with(TF_FAILED_PRECONDITION, "not recorded"), "%s: there is no waiting", name);
  modfs_stream_wait_event(stream, event, status);
  CHECK(ok(), "%s: and for a stream nothing to wait for", name);
  for (int turn = 0; turn < 3; turn++) {
    modfs_stream_record(stream, event, status);
    modfs_event_wait(event, status);
    CHECK(ok(), "%s: it is waited for, %d", name, turn);
    CHECK_INT(modfs_event_status(event), SE_EVENT_COMPLETE, "%s: and complete, %d", name, turn);
  }
  modfs_stream_close(stream);
  modfs_event_close(event);
  CHECK(ends(device), "%s: the device ends", name);
}

/* A timer may begin in one stream and end in another, and be started while it is read. */
static void test_timers(const char *name) {
  modfs_device *device = open_device(name, 0);
  modfs_stream *first = modfs_stream_open(device, status);
  modfs_stream *second = modfs_stream_open(device, status);
  modfs_memory *memory = allocate(device, 4096);
  modfs_timer *timer = modfs_timer_open(device, status);
  if (!has_timers(name)) {
    CHECK(!timer && failed_with(TF_UNIMPLEMENTED, "no timers"), "%s: there are none", name);
    modfs_stream_close(second);
    modfs_stream_close(first);
    modfs_memory_free(memory);
    modfs_device_drop(device);
    return;
  }
  modfs_timer_nanoseconds(timer, status);
  CHECK(failed_with(TF_FAILED_PRECONDITION, "not started"), "%s: a new timer", name);
  modfs_timer_stop(timer, first, status);
  modfs_timer_nanoseconds(timer, status);
  CHECK(failed_with(TF_FAILED_PRECONDITION, "not started"), "%s: one that was only stopped", name);
  modfs_timer_start(timer, first, status);
  modfs_timer_nanoseconds(timer, status);
  CHECK(failed_with(TF_FAILED_PRECONDITION, "stopped"), "%s: one that runs", name);
  modfs_stream_fill(first, memory, 1, status);
  modfs_timer_stop(timer, first, status);
  uint64_t elapsed = modfs_timer_nanoseconds(timer, status);
  CHECK(ok() && elapsed < 60000000000u, "%s: one that was stopped", name);
  for (int i = 0; i < 10; i++)
    modfs_stream_fill(first, memory, 1, status);
  modfs_timer_start(timer, first, status);
  modfs_stream_wait_stream(second, first, status);
  modfs_timer_stop(timer, second, status);
  elapsed = modfs_timer_nanoseconds(timer, status);
  CHECK(ok() && elapsed < 60000000000u, "%s: one that crossed streams", name);
  modfs_timer_start(timer, first, status);
  modfs_timer_nanoseconds(timer, status);
  CHECK(failed_with(TF_FAILED_PRECONDITION, "stopped"), "%s: one that runs again", name);
  for (int i = 0; i < 10; i++)
    modfs_stream_fill(first, memory, 1, status);
  modfs_timer_start(timer, first, status);
  modfs_timer_close(timer);
  modfs_stream_close(second);
  modfs_stream_close(first);
  modfs_memory_free(memory);
  CHECK(ends(device), "%s: and closed while it ran", name);
}

static void test_callbacks(const char *name) {
  enum { COUNT = 1000 };
  modfs_device *device = open_device(name, 0);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_callbacks *queue = modfs_callbacks_open(status);
  struct pollfd descriptor = {modfs_callbacks_descriptor(queue), POLLIN, 0};
  uint64_t number, expected = 1;
  CHECK(!modfs_callbacks_take(queue, &number) && !modfs_callbacks_wait(queue, 0.001),
        "%s: nothing is there", name);
  CHECK_INT(poll(&descriptor, 1, 0), 0, "%s: and the descriptor silent", name);
  for (uint64_t i = 1; i <= COUNT; i++)
    modfs_stream_callback(stream, queue, i, status);
  CHECK(ok() && modfs_callbacks_wait(queue, -1), "%s: waiting for ever, for what is due", name);
  CHECK_INT(poll(&descriptor, 1, 0), 1, "%s: the descriptor tells", name);
  modfs_stream_synchronize(stream, status);
  while (modfs_callbacks_take(queue, &number) && number == expected)
    expected++;
  CHECK_INT(expected, COUNT + 1, "%s: all come, in order", name);
  CHECK_INT(poll(&descriptor, 1, 0), 0, "%s: the descriptor is silent again", name);
  for (uint64_t i = 1; i <= COUNT; i++)
    modfs_stream_callback(stream, queue, i, status);
  modfs_callbacks_close(queue);
  modfs_stream_synchronize(stream, status);
  CHECK(ok(), "%s: a closed queue is no failure", name);
  modfs_stream_close(stream);
  CHECK(ends(device), "%s: the device ends", name);
}

/* Faults ------------------------------------------------------------------------- */

/* A queue of what never came is empty, and not in use. */
static void test_lost_callbacks(void) {
  modfs_device *device = open_device("c_callback_never", 0);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_callbacks *queue = modfs_callbacks_open(status);
  for (uint64_t i = 0; i < 100; i++)
    modfs_stream_callback(stream, queue, i, status);
  modfs_stream_close(stream);
  uint64_t number;
  CHECK(!modfs_callbacks_take(queue, &number), "callbacks that a plugin forgets do not come");
  modfs_callbacks_close(queue);
  CHECK(ends(device), "and hold nothing");
}

static void test_refused_callbacks(void) {
  modfs_device *device = open_device("c_callback_ran", 0);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_callbacks *queue = modfs_callbacks_open(status);
  uint64_t number = 0;
  modfs_stream_callback(stream, queue, 7, status);
  CHECK(failed_with(TF_INTERNAL, "host_callback"), "a callback that ran and is refused fails");
  CHECK(modfs_callbacks_take(queue, &number) && number == 7, "but it did run");
  CHECK(!modfs_callbacks_take(queue, &number), "once");
  modfs_stream_close(stream);
  modfs_callbacks_close(queue);
  CHECK(ends(device), "the device ends");
}

/* The 256th failure of a call leaves what the first left: nothing. */
static void test_failing_opens(void) {
  modfs_device *device = open_device("c_fails_create_stream", 0);
  for (int i = 0; i < 256; i++)
    modfs_stream_close(modfs_stream_open(device, status));
  CHECK(failed_with(TF_UNAVAILABLE, "refused by the fixture"), "a stream that is refused");
  CHECK(ends(device), "is no child");
  device = open_device("c_fails_create_event", 0);
  for (int i = 0; i < 256; i++)
    modfs_timer_close(modfs_timer_open(device, status));
  CHECK(failed_with(TF_UNAVAILABLE, "refused by the fixture"), "nor is an event, or its timer");
  CHECK(ends(device), "that is refused");
  const modfs_platform *platform = platform_of("c_fails_create_device");
  for (int i = 0; i < 256; i++)
    modfs_device_open(platform, i % 2, status);
  CHECK(failed_with(TF_UNAVAILABLE, "refused by the fixture"), "a device that is refused");
}

/* -------------------------------------------------------------------------------- */

static const char *const faults[] = {"c",
                                     "c.callback.never",
                                     "c.callback.ran",
                                     "c.fails.create_stream",
                                     "c.fails.create_event",
                                     "c.fails.create_device"};

/* The base plugin under each name; a platform is searched for under its own, in lower case. */
static bool make_plugins(void) {
  char command[4096];
  int used =
      snprintf(command, sizeof command,
               "set -e; ${CC:-cc} -std=c11 -D_GNU_SOURCE -g -fPIC -fvisibility=hidden -shared"
               " -Iinclude -Wl,--no-as-needed spec/fixtures/devices/*.c -o %s/base"
               " ${BUILD:-build}/stub/libtensorflow_framework.so.2;",
               folder);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    used += snprintf(command + used, sizeof command - (size_t)used, "cp %s/base %s/%s.so;", folder,
                     folder, faults[i]);
  return system(command) == 0;
}

static bool load_plugins(void) {
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s.so", folder, faults[i]);
    modfs_plugin_load(path, NULL, true, status);
    if (!ok()) return false;
  }
  return true;
}

static void remove_folder(void) {
  char command[256];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) check_note("%s is left", folder);
}

int main(int argc, char **argv) {
  (void)argc;
  const char *slash = strrchr(argv[0], '/');
  snprintf(beside, sizeof beside, "%.*s/plugins/?.so", slash ? (int)(slash - argv[0]) : 1,
           slash ? argv[0] : ".");
  setenv("MODFS_REFERENCE_LATENCY_NS", "200000", 1);
  status = TF_NewStatus();
  if (!CHECK(mkdtemp(folder) && make_plugins() && load_plugins(), "the plugins are built"))
    return check_end();
  test_platforms();
  test_ends_of_nothing();
  static const char *const names[] = {"REFERENCE", "NULL", "C"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    test_children(names[i]);
    test_shared(names[i]);
    test_strangers(names[i], names[(i + 1) % 3]);
    test_ranges(names[i]);
    test_in_flight(names[i]);
    test_failure(names[i]);
    test_events(names[i]);
    test_timers(names[i]);
    test_callbacks(names[i]);
  }
  test_let_go("REFERENCE", 16, 1000);
  test_let_go("REFERENCE", 100000, 100);
  test_lost_callbacks();
  test_refused_callbacks();
  test_failing_opens();
  TF_DeleteStatus(status);
  remove_folder();
  return check_end();
}
