/* The device plugins through their tables: what the reference and the null device both have, and the
 * options of the reference device. */
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

/* The slots that the loader insists on. */
static void test_required(void) {
  CHECK(fns.get_device_count && fns.create_device && fns.destroy_device && fns.create_device_fns &&
            fns.destroy_device_fns && fns.create_stream_executor && fns.destroy_stream_executor &&
            fns.destroy_timer_fns,
        "the platform has what it must have");
  CHECK(se.allocate && se.deallocate && se.host_memory_allocate && se.host_memory_deallocate &&
            se.get_allocator_stats && se.device_memory_usage && se.create_stream &&
            se.destroy_stream && se.create_stream_dependency && se.get_stream_status &&
            se.create_event && se.destroy_event && se.get_event_status && se.record_event &&
            se.wait_for_event && se.memcpy_dtoh && se.memcpy_htod && se.sync_memcpy_dtoh &&
            se.sync_memcpy_htod && se.block_host_for_event && se.synchronize_all_activity &&
            se.mem_zero && se.memset && se.memset32 && se.host_callback,
        "the executor has what it must have");
  if (!is_reference) return;
  const unsigned char *slots = (const unsigned char *)&se;
  size_t empty = 0;
  for (size_t at = 16; at < sizeof se; at += sizeof(void *))
    empty += memcmp(slots + at, &(void *){NULL}, sizeof(void *)) == 0;
  CHECK_INT(empty, 0, "the reference device leaves no slot of the executor empty");
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

/* Copies ---------------------------------------------------------------------------------- */

enum { ROOM = 3 << 20, MARGIN = 64 };

static uint8_t *source, *target, *expected;

static void scribble(uint8_t *bytes, uint64_t size, uint32_t seed) {
  for (uint64_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)next_random(&seed);
}

/* There and back between odd places, at once or by a stream; all around it stays as it was. */
static bool travels(SP_DeviceMemoryBase memory, SP_Stream stream, uint64_t size, uint64_t skew) {
  const uint64_t whole = size + 2 * MARGIN;
  SP_DeviceMemoryBase part = slice(memory, MARGIN + skew % 8, size);
  scribble(source, size + 8, (uint32_t)(size * 31 + skew));
  memset(target, 0x55, whole);
  memset(expected, 0x55, whole);
  memcpy(expected + MARGIN + skew / 8, source + skew % 7, size);
  bool good = put(0, memory, target, whole) == TF_OK;
  if (stream) {
    good = good && put_later(0, stream, part, source + skew % 7, size) == TF_OK &&
           get_later(0, stream, target + MARGIN + skew / 8, part, size) == TF_OK &&
           finish(0, stream) == TF_OK;
  } else {
    good = good && put(0, part, source + skew % 7, size) == TF_OK &&
           get(0, target + MARGIN + skew / 8, part, size) == TF_OK;
  }
  good = good && memcmp(target, expected, whole) == 0;
  memset(expected, 0x55, whole);
  memcpy(expected + MARGIN + skew % 8, source + skew % 7, size);
  return good && get(0, target, memory, whole) == TF_OK && memcmp(target, expected, whole) == 0;
}

static void test_copies(void) {
  static const uint64_t large[] = {4095, 4096, 4097, 65535, 65537, 1 << 20, (2 << 20) + 3};
  SP_DeviceMemoryBase memory = allocate(0, ROOM);
  SP_Stream stream = new_stream(0);
  int wrong = 0;
  for (uint64_t size = 0; size < 130; size++)
    for (uint64_t skew = 0; skew < 64; skew += 1 + size % 5)
      wrong += !travels(memory, NULL, size, skew) + !travels(memory, stream, size, skew);
  CHECK_INT(wrong, 0, "bytes arrive at every small size and alignment, and no others");
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    for (uint64_t skew = 0; skew < 64; skew += 21)
      wrong += !travels(memory, NULL, large[i], skew) + !travels(memory, stream, large[i], skew);
  CHECK_INT(wrong, 0, "and at large ones");
  CHECK_INT(stream_status(0, stream), TF_OK, "the stream is well");
  se.destroy_stream(&devices[0], stream);
  se.deallocate(&devices[0], &memory);
}

static void test_fills(void) {
  SP_DeviceMemoryBase memory = allocate(0, 4096);
  SP_DeviceMemoryBase part = slice(memory, 3, 1000), word = slice(memory, 5, 4), zero = memory;
  SP_Stream stream = new_stream(0);
  memset(target, 7, 4096);
  put(0, memory, target, 4096);
  memcpy(expected, target, 4096);
  se.memset(&devices[0], stream, &part, 0xAB, 1000, fresh());
  CHECK_INT(code(), TF_OK, "memset");
  fill_words(0, stream, word, 0x01020304, 4);
  CHECK_INT(code(), TF_OK, "memset32");
  se.mem_zero(&devices[0], stream, &zero, 1, fresh());
  CHECK_INT(code(), TF_OK, "mem_zero");
  fill_words(0, stream, slice(memory, 4095, 0), 9, 0);
  CHECK_INT(finish(0, stream), TF_OK, "are done");
  memset(expected + 3, 0xAB, 1000);
  memcpy(expected + 5, &(uint32_t){0x01020304}, 4);
  expected[0] = 0;
  CHECK(get(0, target, memory, 4096) == TF_OK && !memcmp(target, expected, 4096), "as asked for");
  se.destroy_stream(&devices[0], stream);
  se.deallocate(&devices[0], &memory);
}

/* Events and order ---------------------------------------------------------------------------- */

static void test_plain_events(void) {
  SP_Stream stream = new_stream(0);
  SP_Event event = new_event(0);
  CHECK_INT(event_status(0, event), SE_EVENT_UNKNOWN, "an event is unknown at first");
  CHECK_INT(block_event(0, event), TF_FAILED_PRECONDITION, "and not waited for");
  CHECK_INT(wait_event(0, stream, event), TF_OK, "a stream goes on");
  CHECK_INT(record(0, stream, event), TF_OK, "it is recorded");
  CHECK_INT(block_event(0, event), TF_OK, "and waited for");
  CHECK_INT(event_status(0, event), SE_EVENT_COMPLETE, "then it is complete");
  CHECK_INT(synchronize(0), TF_OK, "the device is waited for");
  CHECK_INT(depend(0, stream, stream), TF_OK, "a stream may depend on itself");
  CHECK_INT(finish(0, stream), TF_OK, "and ends");
  se.destroy_stream(&devices[0], stream);
  CHECK_INT(event_status(0, event), SE_EVENT_COMPLETE, "the event outlives its stream");
  se.destroy_event(&devices[0], event);
}

/* Callbacks and failures ------------------------------------------------------------------------ */

static int calls[8], call_count;

static void note_call(void *const argument, TF_Status *const answer) {
  calls[call_count++] = TF_GetCode(answer) == TF_OK ? *(int *)argument : -1;
}

static void fail_call(void *const argument, TF_Status *const answer) {
  note_call(argument, answer);
  TF_SetStatus(answer, TF_ABORTED, *(int *)argument == 2 ? "the second" : "another");
}

static void test_callbacks(void) {
  int numbers[] = {1, 2, 3, 4};
  SP_Stream stream = new_stream(0), other = new_stream(0);
  call_count = 0;
  bool taken =
      callback(0, stream, note_call, &numbers[0]) && callback(0, stream, fail_call, &numbers[1]) &&
      callback(0, stream, fail_call, &numbers[2]) && callback(0, stream, note_call, &numbers[3]);
  CHECK(taken, "four callbacks are taken");
  finish(0, stream);
  CHECK(call_count == 4 && calls[0] == 1 && calls[1] == 2 && calls[2] == 3 && calls[3] == 4,
        "they run in order, once, each with a status that is OK");
  CHECK_INT(stream_status(0, stream), TF_ABORTED, "the failure of one is the stream's");
  CHECK_STR(TF_Message(status), "the second", "the first one's");
  CHECK_INT(stream_status(0, other), TF_OK, "and no other stream's");
  se.destroy_stream(&devices[0], stream);
  se.destroy_stream(&devices[0], other);
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

/* Faults: each rule, with the same calls and no rule as its control ------------------------------------ */

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
    good = callback(0, stream, note_call, &call_count);
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

static void test_common(void) {
  test_tables();
  test_required();
  test_old_host();
  test_devices();
  test_copies();
  test_fills();
  test_plain_events();
  test_callbacks();
}

static void test_with_options(void) {
  test_bad_options();
  test_options();
  test_faults();
}

static void test_plugin(const char *path) {
  if (!CHECK(host_load(path), "loads") || !CHECK_INT(host_begin(), TF_OK, "begins")) return;
  test_common();
  host_end();
  if (is_reference) test_with_options();
}

int main(int argc, char **argv) {
  source = malloc(ROOM);
  target = malloc(ROOM);
  expected = malloc(ROOM);
  test_plugin(argc > 1 ? argv[1] : host_path(argv[0], "reference.so"));
  if (argc == 1) test_plugin(host_path(argv[0], "null.so"));
  free(source);
  free(target);
  free(expected);
  host_leave();
  return check_end();
}
