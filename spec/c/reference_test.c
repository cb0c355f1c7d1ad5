/* The tables of the reference and the null device, and the options of the reference device. What both do
 * as devices belongs to the conformance cases (lua/modfs/check/cases/device_*.lua). */
#include "reference_host.h"

/* The tables ----------------------------------------------------------------------------- */

static void test_tables(void) {
  CHECK_INT(platform.struct_size, SP_PLATFORM_STRUCT_SIZE, "the size of the platform");
  CHECK_INT(fns.struct_size, SP_PLATFORM_FNS_STRUCT_SIZE, "the size of its functions");
  CHECK_INT(se.struct_size, SP_STREAMEXECUTOR_STRUCT_SIZE, "the size of the executor");
  CHECK_INT(facts.struct_size, SP_DEVICE_FNS_STRUCT_SIZE, "the size of the device functions");
  CHECK_INT(timers.struct_size, SP_TIMER_FNS_STRUCT_SIZE, "the size of the timer functions");
  CHECK_INT(devices[0].struct_size, SP_DEVICE_STRUCT_SIZE, "the size of a device");
  CHECK_STR(platform.name, is_reference ? "REFERENCE" : "NULL", "the name");
  CHECK_STR(platform.type, platform.name, "the type");
  CHECK_INT(platform.supports_unified_memory, is_reference, "unified memory");
  CHECK_INT(platform.use_bfc_allocator, is_reference, "the host allocates");
  CHECK_INT(platform.force_memory_growth, 0, "and from one piece");
  CHECK(params.destroy_platform && params.destroy_platform_fns, "both ends");
}

/* An older host: smaller tables, and the callback in another place. */
static void test_old_host(void) {
  union {
    SP_StreamExecutor table;
    unsigned char bytes[512];
  } old;
  memset(&old, 0xEE, sizeof old);
  memset(&old, 0, 264);
  old.table.struct_size = 264;
  SE_CreateStreamExecutorParams request = {
      .struct_size = SE_CREATE_STREAM_EXECUTOR_PARAMS_STRUCT_SIZE, .stream_executor = &old.table};
  fns.create_stream_executor(&platform, &request, fresh());
  CHECK_INT(code(), is_reference ? TF_OK : TF_FAILED_PRECONDITION, "a table of 264 bytes");
  size_t spoilt = 0;
  for (size_t i = 264; i < sizeof old.bytes; i++)
    spoilt += old.bytes[i] != 0xEE;
  CHECK_INT(spoilt, 0, "nothing is written beyond it");
  if (!is_reference) return;
  CHECK_INT(old.table.struct_size, 264, "its size stays");
  CHECK(memcmp(old.bytes + 256, &se.host_callback, sizeof(void *)) == 0,
        "its last slot is the callback");
  SP_Platform small = {.struct_size = 33}, *kept = params.platform;
  params.platform = &small;
  plugin_init(&params, fresh());
  params.platform = kept;
  CHECK(code() == TF_OK && small.struct_size == 33 && small.supports_unified_memory &&
            !small.use_bfc_allocator,
        "a platform of 33 bytes");
}

static void test_devices(void) {
  SP_Device other;
  CHECK_INT(device_count, is_reference ? 2 : 1, "the number of devices");
  CHECK_INT(create_device(device_count, &other), TF_INVALID_ARGUMENT, "no device after the last");
  CHECK_INT(create_device(-1, &other), TF_INVALID_ARGUMENT, "none before the first");
  CHECK_STR(devices[0].hardware_name, is_reference ? "reference device" : "null device",
            "the model");
  CHECK_STR(devices[0].device_vendor, "modfs authors", "who made it");
  if (!is_reference) return;
  CHECK_STR(devices[0].pci_bus_id, "reference:0", "the place of the first");
  CHECK_STR(devices[1].pci_bus_id, "reference:1", "and of the second");
  CHECK_INT(devices[1].ordinal, 1, "its number");
  CHECK_INT(facts.get_numa_node(&devices[0]), 0, "the node");
  CHECK(facts.get_memory_bandwidth(&devices[0]) > 100000000, "a bandwidth was measured");
  CHECK(facts.get_gflops(&devices[0]) > 0.001, "and a speed");
}

/* What the core never asks for: it knows which events and timers were used. */
static void test_unused_parts(void) {
  SP_Stream stream = new_stream(0);
  SP_Event event = new_event(0);
  CHECK_INT(block_event(0, event), TF_FAILED_PRECONDITION, "a new event is not waited for");
  CHECK_INT(wait_event(0, stream, event), TF_OK, "a stream passes it");
  if (is_reference) {
    SP_Stream other = new_stream(1);
    SP_Timer timer = new_timer(0);
    CHECK_INT(wait_event(1, other, event), TF_INVALID_ARGUMENT,
              "another device cannot wait for it");
    CHECK_INT(timers.nanoseconds(timer), 0, "a new timer has measured nothing");
    se.destroy_timer(&devices[0], timer);
    se.destroy_stream(&devices[1], other);
  }
  se.destroy_event(&devices[0], event);
  se.destroy_stream(&devices[0], stream);
}

/* Configuration ----------------------------------------------------------------------------------- */

static void test_bad_options(void) {
  static const char *const bad[][2] = {
      {"DEVICES", "-1"},      {"DEVICES", "65"},
      {"DEVICES", "two"},     {"DEVICES", "1 "},
      {"MEMORY", "0"},        {"MEMORY", "1e9"},
      {"MEMORY", "1GB"},      {"MEMORY", "99999999999999999999"},
      {"LATENCY_NS", "-5"},   {"BANDWIDTH", "0"},
      {"BANDWIDTH", "0x10"},  {"FAULTS", "copy"},
      {"FAULTS", "copy:"},    {"FAULTS", "copy:0"},
      {"FAULTS", "copies:1"}, {"FAULTS", "copy:1,"},
      {"FAULTS", ",copy:1"},  {"FAULTS", "copy:1;alloc:2"},
      {"FAULTS", "copy:-1"},  {"FAULTS", "copy:99999999999999999999"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    TF_Code answer = host_begin_with(bad[i][0], bad[i][1]);
    CHECK(answer == TF_INVALID_ARGUMENT && strstr(TF_Message(status), bad[i][0]), "%s=\"%s\": %s",
          bad[i][0], bad[i][1], TF_Message(status));
  }
  CHECK(!platform.name && !params.destroy_platform, "and nothing is registered");
}

static void test_options(void) {
  CHECK_INT(host_begin_with("DEVICES", "0"), TF_OK, "no device at all");
  CHECK_INT(device_count, 0, "is none");
  host_end();
  CHECK_INT(host_begin_with("DEVICES", ""), TF_OK, "an empty variable");
  CHECK_INT(device_count, 2, "is as good as none");
  CHECK_INT(stats_of(1).bytes_limit, 1 << 30, "a device has 1 GiB");
  host_end();
  CHECK_INT(host_begin_with("BANDWIDTH", "123456789"), TF_OK, "a bandwidth");
  CHECK_INT(facts.get_memory_bandwidth(&devices[0]), 123456789, "is told");
  host_end();
}

/* Nanoseconds that a copy of so many bytes takes. */
static uint64_t time_copy(uint64_t size) {
  static char bytes[1 << 20];
  SP_DeviceMemoryBase memory = allocate(0, size);
  uint64_t begun = now(CLOCK_MONOTONIC);
  put(0, memory, bytes, size);
  uint64_t elapsed = now(CLOCK_MONOTONIC) - begun;
  se.deallocate(&devices[0], &memory);
  return elapsed;
}

static void test_bandwidth(void) {
  CHECK_INT(host_begin_with("BANDWIDTH", "10485760"), TF_OK, "10 MiB a second");
  uint64_t megabyte = time_copy(1 << 20), byte = time_copy(1);
  CHECK(megabyte >= 100000000, "1 MiB takes 100 ms or more: %" PRIu64 " us", megabyte / 1000);
  CHECK(byte < megabyte, "a byte takes less: %" PRIu64 " us", byte / 1000);
  host_end();
}

/* Faults: each rule, with the same calls and no rule as its control ------------------------------------ */

static int call_count;

static void count_call(void *const argument, TF_Status *const answer) {
  (void)argument;
  (void)answer;
  call_count++;
}

/* Makes three calls of each kind and tells how they went: '.' well, 'x' not. */
static const char *outcome(void) {
  static char text[64];
  char *at = text, bytes[4] = "abc";
  SP_DeviceMemoryBase memory = allocate(0, 4), more[3];
  SP_Event event = new_event(0);
  for (int i = 0; i < 3; i++) {
    more[i] = allocate(0, 4);
    *at++ = more[i].opaque ? '.' : 'x';
    se.deallocate(&devices[0], &more[i]);
    void *host = se.host_memory_allocate(&devices[0], 4);
    *at++ = host ? '.' : 'x';
    se.host_memory_deallocate(&devices[0], host);
    void *unified = se.unified_memory_allocate(&devices[0], 4);
    *at++ = unified ? '.' : 'x';
    se.unified_memory_deallocate(&devices[0], unified);
    SP_Stream stream = new_stream(0);
    *at++ = stream ? '.' : 'x';
    if (!stream) stream = new_stream(0);
    record(0, stream, event);
    *at++ = block_event(0, event) == TF_OK ? '.' : 'x';
    se.destroy_stream(&devices[0], stream);
    stream = new_stream(0);
    bool good = put_later(0, stream, memory, bytes, 4) == TF_OK;
    *at++ = good && finish(0, stream) == TF_OK ? '.' : 'x';
    se.destroy_stream(&devices[0], stream);
    *at++ = get(0, bytes, memory, 4) == TF_OK ? '.' : 'x';
    stream = new_stream(0);
    good = fill_words(0, stream, memory, 1, 4) == TF_OK;
    *at++ = good && finish(0, stream) == TF_OK ? '.' : 'x';
    se.destroy_stream(&devices[0], stream);
    stream = new_stream(0);
    call_count = 0;
    good = callback(0, stream, count_call, NULL);
    finish(0, stream);
    *at++ = good ? '.' : 'x';
    if (good != (call_count == 1)) at[-1] = '?';
    se.destroy_stream(&devices[0], stream);
    *at++ = ' ';
  }
  *--at = '\0';
  se.destroy_event(&devices[0], event);
  se.deallocate(&devices[0], &memory);
  return text;
}

/* Letters: alloc host unified stream event copy copy fill callback, three times. */
static void test_faults(void) {
  static const char *const rules[][2] = {{"", "......... ......... ........."},
                                         {"alloc:3", "......... x........ ........."},
                                         {"alloc:2+", "x........ x........ x........"},
                                         {"host:2", "......... .x....... ........."},
                                         {"unified:1,unified:3", "..x...... ......... ..x......"},
                                         {"stream:5", "......... ...x..... ........."},
                                         {"event:2", "......... ....x.... ........."},
                                         {"copy:2", "......x.. ......... ........."},
                                         {"copy:3+", "......... .....xx.. .....xx.."},
                                         {"fill:3", "......... ......... .......x."},
                                         {"callback:2,event:1", "....x.... ........x ........."}};
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    CHECK_INT(host_begin_with("FAULTS", rules[i][0]), TF_OK, "faults \"%s\"", rules[i][0]);
    CHECK_STR(outcome(), rules[i][1], "as ordered");
    host_end();
  }
}

/* ------------------------------------------------------------------------------------------------ */

static void test_plugin(const char *path) {
  if (!CHECK(host_load(path), "loads") || !CHECK_INT(host_begin(), TF_OK, "begins")) return;
  test_tables();
  test_old_host();
  test_devices();
  test_unused_parts();
  host_end();
  if (!is_reference) return;
  test_bad_options();
  test_options();
  test_bandwidth();
  test_faults();
}

int main(int argc, char **argv) {
  test_plugin(argc > 1 ? argv[1] : host_path(argv[0], "reference.so"));
  if (argc == 1) test_plugin(host_path(argv[0], "null.so"));
  host_leave();
  return check_end();
}
