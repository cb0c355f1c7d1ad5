/* Devices as a C host has them, through the plugins beside the program: what Lua cannot say. The rest of
 * the core's functions belongs to the specs of devices. */
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include <modfs/device.h>

#include "check.h"

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

/* Lua checks these itself. */
static void test_strangers(void) {
  modfs_device *device = open_device("REFERENCE", 0), *other = open_device("NULL", 0);
  modfs_memory *memory = allocate(device, 4), *foreign = allocate(other, 4);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_event *event = modfs_event_open(other, status);
  modfs_stream_copy(stream, memory, foreign, 4, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "a copy from another device");
  modfs_stream_copy(stream, foreign, memory, 4, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "a copy to another device");
  modfs_stream_wait_event(stream, event, status);
  CHECK(failed_with(TF_INVALID_ARGUMENT, "another device"), "waiting for another device's event");
  modfs_stream_status(stream, status);
  CHECK(ok(), "none of that is the stream's status");
  modfs_event_close(event);
  modfs_stream_close(stream);
  modfs_memory_free(foreign);
  modfs_memory_free(memory);
  CHECK(ends(device) && ends(other), "both devices end");
}

static void test_callbacks(const char *name) {
  enum { COUNT = 1000 };
  modfs_device *device = open_device(name, 0);
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_callbacks *queue = modfs_callbacks_open(status);
  for (uint64_t i = 0; i < COUNT; i++)
    modfs_stream_callback(stream, queue, i, status);
  CHECK(ok() && modfs_callbacks_wait(queue, -1), "%s: waiting for ever, for what is due", name);
  modfs_stream_synchronize(stream, status);
  for (uint64_t i = 0; i < COUNT; i++)
    modfs_stream_callback(stream, queue, i, status);
  int descriptor = modfs_callbacks_descriptor(queue);
  modfs_callbacks_close(queue);
  CHECK(fcntl(descriptor, F_GETFD) < 0, "%s: its descriptor is closed while callbacks are due",
        name);
  modfs_stream_synchronize(stream, status);
  CHECK(ok(), "%s: a queue that is closed before its callbacks come is no failure", name);
  modfs_stream_close(stream);
  CHECK(ends(device), "%s: the device ends", name);
}

/* Enqueues callbacks until one is refused; returns how many were not. */
static uint64_t fill_queue(modfs_stream *streams[2], modfs_callbacks *queue) {
  enum { ENOUGH = 1 << 21 };
  for (uint64_t i = 0; i < ENOUGH; i++) {
    modfs_stream_callback(streams[i % 3 > 0], queue, i, status);
    if (!ok()) return i;
  }
  return ENOUGH;
}

static uint64_t empty_queue(modfs_callbacks *queue, uint64_t most) {
  uint64_t number, taken = 0;
  while (taken < most && modfs_callbacks_wait(queue, -1))
    while (taken < most && modfs_callbacks_take(queue, &number))
      taken++;
  return taken;
}

/* Streams take their places in the queue for several callbacks at a time: none is lost. */
static void test_full(const char *name) {
  enum { MOST = 1 << 20 };
  modfs_device *device = open_device(name, 0);
  modfs_stream *streams[2] = {modfs_stream_open(device, status), modfs_stream_open(device, status)};
  modfs_callbacks *queue = modfs_callbacks_open(status);
  for (int round = 0; round < 2; round++) {
    uint64_t count = fill_queue(streams, queue);
    CHECK(failed_with(TF_RESOURCE_EXHAUSTED, "callbacks are pending"), "%s: too many", name);
    CHECK(count > MOST - 64 && count <= MOST, "%s: a million of them are not", name);
    CHECK_INT(empty_queue(queue, count), count, "%s: which all come", name);
    for (size_t i = 0; i < 2; i++)
      modfs_stream_synchronize(streams[i], status);
    CHECK(ok(), "%s: that is no failure of a stream", name);
  }
  modfs_stream_close(streams[0]);
  modfs_callbacks_close(queue);
  modfs_stream_close(streams[1]);
  CHECK(ends(device), "%s: the device ends", name);
}

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

int main(int argc, char **argv) {
  (void)argc;
  const char *slash = strrchr(argv[0], '/');
  snprintf(beside, sizeof beside, "%.*s/plugins/?.so", slash ? (int)(slash - argv[0]) : 1,
           slash ? argv[0] : ".");
  setenv("MODFS_REFERENCE_LATENCY_NS", "200000", 1);
  status = TF_NewStatus();
  test_platforms();
  test_ends_of_nothing();
  static const char *const names[] = {"REFERENCE", "NULL"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    test_shared(names[i]);
    test_ranges(names[i]);
    test_failure(names[i]);
    test_callbacks(names[i]);
  }
  test_full("REFERENCE");
  test_strangers();
  test_let_go("REFERENCE", 16, 1000);
  test_let_go("REFERENCE", 100000, 100);
  TF_DeleteStatus(status);
  return check_end();
}
