/* Streams of the reference device: events, dependencies, timers, failures, and the order of it all. */
#include "reference_host.h"

/* Events --------------------------------------------------------------------------------- */

static void test_pending_events(void) {
  gate first = GATE_CLOSED, second = GATE_CLOSED;
  SP_Stream a = new_stream(0), b = new_stream(0), other = new_stream(1);
  SP_Event event = new_event(0);
  callback(0, a, pass_gate, &first);
  record(0, a, event);
  CHECK_INT(event_status(0, event), SE_EVENT_PENDING, "an event behind work is pending");
  CHECK_INT(wait_event(1, other, event), TF_INVALID_ARGUMENT, "another device cannot wait for it");
  wait_event(0, b, event);
  callback(0, b, pass_gate, &second);
  record(0, b, event);
  CHECK_INT(event_status(0, event), SE_EVENT_PENDING, "also when it is recorded anew");
  open_gate(&first);
  CHECK_INT(finish(0, a), TF_OK, "its first stream comes there");
  await_gate(&second);
  CHECK_INT(event_status(0, event), SE_EVENT_PENDING, "the earlier record is forgotten");
  open_gate(&second);
  CHECK_INT(block_event(0, event), TF_OK, "the later one counts");
  se.destroy_stream(&devices[0], a);
  se.destroy_stream(&devices[0], b);
  se.destroy_stream(&devices[1], other);
  se.destroy_event(&devices[0], event);
}

/* What waits for an event waits for the record that there was then, not for a later one. */
static void test_early_wait(void) {
  gate closed = GATE_CLOSED;
  SP_Stream slow = new_stream(0), quick = new_stream(0), waiting = new_stream(0);
  SP_Event event = new_event(0), after = new_event(0);
  callback(0, slow, pass_gate, &closed);
  record(0, slow, event);
  wait_event(0, waiting, event);
  record(0, waiting, after);
  record(0, quick, event);
  CHECK_INT(block_event(0, event), TF_OK, "a new record in an idle stream is complete");
  CHECK_INT(event_status(0, after), SE_EVENT_PENDING, "who waited before goes on waiting");
  se.destroy_event(&devices[0], event);
  open_gate(&closed);
  CHECK_INT(block_event(0, after), TF_OK, "for the first");
  se.destroy_event(&devices[0], after);
  se.destroy_stream(&devices[0], slow);
  se.destroy_stream(&devices[0], quick);
  se.destroy_stream(&devices[0], waiting);
}

static void test_dependency(bool depends) {
  gate closed = GATE_CLOSED;
  SP_DeviceMemoryBase memory = allocate(0, 4);
  SP_Stream a = new_stream(0), b = new_stream(0);
  char seen[4] = "";
  put(0, memory, "old", 4);
  callback(0, a, pass_gate, &closed);
  put_later(0, a, memory, "new", 4);
  if (depends) depend(0, b, a);
  get_later(0, b, seen, memory, 4);
  if (depends) open_gate(&closed);
  finish(0, b);
  CHECK_STR(seen, depends ? "new" : "old", "%s",
            depends ? "a dependent stream waits" : "one that does not depend is ahead");
  open_gate(&closed);
  CHECK_INT(synchronize(0), TF_OK, "the device comes to rest");
  se.destroy_stream(&devices[0], a);
  se.destroy_stream(&devices[0], b);
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

/* Timers ---------------------------------------------------------------------------------------- */

static void test_timers(void) {
  SP_DeviceMemoryBase memory = allocate(0, 16);
  SP_Stream stream = new_stream(0);
  SP_Timer timer = new_timer(0);
  CHECK_INT(timers.nanoseconds(timer), 0, "a timer that was not started");
  se.start_timer(&devices[0], stream, timer, fresh());
  CHECK_INT(code(), TF_OK, "starts");
  put_later(0, stream, memory, "0123456789", 10);
  put_later(0, stream, memory, "0123456789", 10);
  se.stop_timer(&devices[0], stream, timer, fresh());
  CHECK_INT(code(), TF_OK, "stops");
  CHECK_INT(finish(0, stream), TF_OK, "both are passed");
  uint64_t time = timers.nanoseconds(timer);
  CHECK(time >= 6000000 && time < 2000000000, "two copies of 3 ms take %" PRIu64 " us",
        time / 1000);
  se.destroy_timer(&devices[0], timer);
  se.destroy_stream(&devices[0], stream);
  se.deallocate(&devices[0], &memory);
}

/* Random work in four streams, ordered by events and dependencies alone, against the same work done
 * in the order in which it was enqueued. */

enum { STREAMS = 4, CELLS = 12, CELL = 32, STEPS = 20000, EVENTS = 8 };

typedef struct cell {
  int writer;       /* the stream that wrote it last; -1: none */
  unsigned readers; /* those that read it since, as bits */
  uint8_t bytes[CELL];
} cell;

typedef struct trial {
  bool ordered;
  uint32_t seed;
  SP_DeviceMemoryBase memory;
  SP_Stream streams[STREAMS];
  SP_Event events[EVENTS];
  gate gates[STREAMS];
  cell model[CELLS];
  uint8_t (*host)[CELL]; /* what each step reads from or writes to the host */
  uint8_t (*expected)[CELL];
} trial;

static uint32_t pick(trial *it, uint32_t n) {
  return next_random(&it->seed) % n;
}

static SP_DeviceMemoryBase place(const trial *it, uint32_t number) {
  return slice(it->memory, (uint64_t)number * CELL, CELL);
}

static void wait_for(trial *it, int stream, int other) {
  if (!it->ordered || other == stream || other < 0) return;
  if (pick(it, 2)) {
    depend(0, it->streams[stream], it->streams[other]);
  } else {
    SP_Event event = it->events[pick(it, EVENTS)];
    record(0, it->streams[other], event);
    wait_event(0, it->streams[stream], event);
  }
}

static cell *reads(trial *it, int stream, uint32_t number) {
  cell *read = &it->model[number];
  wait_for(it, stream, read->writer);
  read->readers |= 1u << stream;
  return read;
}

static cell *writes(trial *it, int stream, uint32_t number) {
  cell *written = &it->model[number];
  wait_for(it, stream, written->writer);
  for (int other = 0; other < STREAMS; other++)
    if (written->readers >> other & 1) wait_for(it, stream, other);
  written->writer = stream;
  written->readers = 0;
  return written;
}

static void step_fill(trial *it, int stream, uint32_t to) {
  uint32_t words[CELL / 4], pattern = next_random(&it->seed);
  for (size_t i = 0; i < CELL / 4; i++)
    words[i] = pattern;
  memcpy(writes(it, stream, to)->bytes, words, CELL);
  fill_words(0, it->streams[stream], place(it, to), pattern, CELL);
}

static void step_put(trial *it, int stream, uint32_t to, int number) {
  for (size_t i = 0; i < CELL; i++)
    it->host[number][i] = (uint8_t)next_random(&it->seed);
  memcpy(it->expected[number], it->host[number], CELL);
  memcpy(writes(it, stream, to)->bytes, it->host[number], CELL);
  put_later(0, it->streams[stream], place(it, to), it->host[number], CELL);
}

static void step(trial *it, int number) {
  int stream = (int)pick(it, STREAMS);
  uint32_t from = pick(it, CELLS), to = pick(it, CELLS);
  switch (pick(it, 4)) {
  case 0:
    step_fill(it, stream, to);
    break;
  case 1:
    step_put(it, stream, to, number);
    break;
  case 2:
    memcpy(it->expected[number], reads(it, stream, from)->bytes, CELL);
    get_later(0, it->streams[stream], it->host[number], place(it, from), CELL);
    break;
  default:
    if (from == to) break;
    memcpy(it->model[to].bytes, reads(it, stream, from)->bytes, CELL);
    writes(it, stream, to);
    copy_later(0, it->streams[stream], place(it, to), place(it, from), CELL);
  }
}

/* Without order each stream does all its work alone, the last stream first. */
static int let_go(trial *it) {
  int failed = 0;
  for (int i = STREAMS; i-- > 0;) {
    open_gate(&it->gates[i]);
    if (!it->ordered) failed += finish(0, it->streams[i]) != TF_OK;
  }
  for (int i = 0; i < STREAMS; i++)
    failed += finish(0, it->streams[i]) != TF_OK;
  return failed;
}

static int differences(const trial *it) {
  uint8_t bytes[CELL];
  int wrong = 0;
  for (int i = 0; i < STEPS; i++)
    wrong += memcmp(it->host[i], it->expected[i], CELL) != 0;
  for (uint32_t i = 0; i < CELLS; i++)
    wrong += get(0, bytes, place(it, i), CELL) || memcmp(bytes, it->model[i].bytes, CELL);
  return wrong;
}

static void trial_init(trial *it) {
  it->host = calloc(STEPS, CELL);
  it->expected = calloc(STEPS, CELL);
  it->memory = allocate(0, CELLS * CELL);
  for (int i = 0; i < CELLS; i++)
    it->model[i].writer = -1;
  for (int i = 0; i < EVENTS; i++)
    it->events[i] = new_event(0);
  for (int i = 0; i < STREAMS; i++) {
    it->gates[i] = (gate)GATE_CLOSED;
    it->streams[i] = new_stream(0);
    callback(0, it->streams[i], pass_gate, &it->gates[i]);
  }
}

static void trial_fini(trial *it) {
  for (int i = 0; i < EVENTS; i++)
    se.destroy_event(&devices[0], it->events[i]);
  for (int i = 0; i < STREAMS; i++)
    se.destroy_stream(&devices[0], it->streams[i]);
  se.deallocate(&devices[0], &it->memory);
  free(it->host);
  free(it->expected);
}

static void test_model(bool ordered, uint32_t seed) {
  trial it = {.ordered = ordered, .seed = seed};
  trial_init(&it);
  for (int i = 0; i < STEPS; i++)
    step(&it, i);
  CHECK_INT(let_go(&it), 0, "%d steps in %d streams", STEPS, STREAMS);
  int wrong = differences(&it);
  if (ordered) {
    CHECK_INT(wrong, 0, "end as if done one after another");
  } else {
    CHECK(wrong > 0, "without their order they do not: %d differences", wrong);
  }
  trial_fini(&it);
}

/* ----------------------------------------------------------------------------------------- */

int main(int argc, char **argv) {
  if (!CHECK(host_load(argc > 1 ? argv[1] : host_path(argv[0], "reference.so")), "loads"))
    return check_end();
  host_begin();
  test_pending_events();
  test_early_wait();
  test_dependency(true);
  test_dependency(false);
  test_failed_stream();
  test_callback_inside();
  test_model(true, 1);
  test_model(true, 2);
  test_model(false, 3);
  host_end();
  host_begin_with("LATENCY_NS", "3000000");
  test_timers();
  host_end();
  host_leave();
  return check_end();
}
