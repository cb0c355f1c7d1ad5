/* Events and timers. */
#include "device_mutant.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64 };

static struct {
  SP_Event event;
  SP_Stream stream;
  int asked;
} known[MOST];

static int place_of(SP_Event event) {
  int i = 0;
  while (i < MOST - 1 && known[i].event && known[i].event != event)
    i++;
  known[i].event = event;
  return i;
}

static SE_EventStatus always_complete(DEVICE, SP_Event event) {
  return SE_EVENT_COMPLETE;
}
static SE_EventStatus complete_early(DEVICE, SP_Event event) {
  SE_EventStatus answer = good.get_event_status(device, event);
  return answer == SE_EVENT_PENDING ? SE_EVENT_COMPLETE : answer;
}
static SE_EventStatus never_complete(DEVICE, SP_Event event) {
  SE_EventStatus answer = good.get_event_status(device, event);
  return answer == SE_EVENT_COMPLETE ? SE_EVENT_PENDING : answer;
}
static SE_EventStatus status_9(DEVICE, SP_Event event) {
  SE_EventStatus answer = good.get_event_status(device, event);
  return answer == SE_EVENT_COMPLETE ? (SE_EventStatus)9 : answer;
}
static SE_EventStatus unknown_again(DEVICE, SP_Event event) {
  SE_EventStatus answer = good.get_event_status(device, event);
  int i = place_of(event);
  if (answer == SE_EVENT_COMPLETE && known[i].asked++ > 0) return SE_EVENT_UNKNOWN;
  return answer;
}

static int make_256_count;
static void make_256(DEVICE, SP_Event *event, TF_Status *status) {
  if (make_256_count++ < 256)
    good.create_event(device, event, status);
  else
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "enough");
}

static void record_once(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  if (good.get_event_status(device, event) == SE_EVENT_UNKNOWN)
    good.record_event(device, stream, event, status);
}
static void record_at_home(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  int i = place_of(event);
  if (!known[i].stream) known[i].stream = stream;
  if (known[i].stream == stream) good.record_event(device, stream, event, status);
}
static void record_fails(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  TF_SetStatus(status, TF_INTERNAL, "no");
}

static SP_Stream gone;
static void destroy_noting(DEVICE, SP_Stream stream) {
  gone = stream;
  good.destroy_stream(device, stream);
}
static void record_noting(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  known[place_of(event)].stream = stream;
  good.record_event(device, stream, event, status);
}
static SE_EventStatus dies_with_stream(DEVICE, SP_Event event) {
  SP_Stream stream = known[place_of(event)].stream;
  return stream && stream == gone ? SE_EVENT_UNKNOWN : good.get_event_status(device, event);
}

static void wait_nothing(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
}
static void wait_fails(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  TF_SetStatus(status, TF_INTERNAL, "no");
}
static void block_nothing(DEVICE, SP_Event event, TF_Status *status) {
}
static void block_for_all(DEVICE, SP_Event event, TF_Status *status) {
  good.synchronize_all_activity(device, status);
}

/* Timers ------------------------------------------------------------------------------- */

static uint64_t zero(SP_Timer timer) {
  return 0;
}
static uint64_t micro(SP_Timer timer) {
  return good_timer_fns.nanoseconds(timer) / 1000;
}
static uint64_t twice(SP_Timer timer) {
  return 2 * good_timer_fns.nanoseconds(timer);
}
static uint64_t constant(SP_Timer timer) {
  return 1000;
}
static uint64_t growing(SP_Timer timer) {
  static uint64_t more;
  return good_timer_fns.nanoseconds(timer) + more++;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The first mark is made at the call, the second in the stream. */
static uint64_t begun;
static _Atomic uint64_t ended;
static void start_early(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  begun = now();
}
static void note_end(void *const unused, TF_Status *const status) {
  atomic_store(&ended, now());
}
static void stop_late(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  good.host_callback(device, stream, note_end, NULL);
}
static uint64_t between(SP_Timer timer) {
  return atomic_load(&ended) - begun;
}

static void start_once(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  static SP_Timer started;
  if (started != timer) good.start_timer(device, stream, timer, status);
  started = timer;
}

static SP_Timer only;
static void one_timer(DEVICE, SP_Timer *timer, TF_Status *status) {
  if (!only) good.create_timer(device, &only, status);
  *timer = only;
}
static void keep_timer(DEVICE, SP_Timer timer) {
}
static void start_fails(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  TF_SetStatus(status, TF_INTERNAL, "no");
}

/* One start for all timers; or each stop ends the timer that was started last. */
static SP_Timer running[16];
static int depth;
static struct { SP_Timer timer, measured; } stand_ins[64];

static int stand_in(SP_Timer timer) {
  int i = 0;
  while (i < 63 && stand_ins[i].timer && stand_ins[i].timer != timer)
    i++;
  stand_ins[i].timer = timer;
  return i;
}
static void start_all(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  for (int i = 0; i < depth; i++)
    good.start_timer(device, stream, running[i], status);
  if (depth < 16) running[depth++] = timer;
  good.start_timer(device, stream, timer, status);
}
static void stop_one(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  int i = 0;
  while (i < depth && running[i] != timer)
    i++;
  if (i < depth) running[i] = running[--depth];
  good.stop_timer(device, stream, timer, status);
}
static void start_on_top(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  if (depth < 16) running[depth++] = timer;
  good.start_timer(device, stream, timer, status);
}
static void stop_on_top(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  SP_Timer top = depth ? running[--depth] : timer;
  stand_ins[stand_in(timer)].measured = top;
  good.stop_timer(device, stream, top, status);
}
static uint64_t of_stand_in(SP_Timer timer) {
  SP_Timer measured = stand_ins[stand_in(timer)].measured;
  return good_timer_fns.nanoseconds(measured ? measured : timer);
}
/* A stop that does not wait for the work before it. */
static void stop_in_another(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  static SP_Stream idle;
  if (!idle) good.create_stream(device, &idle, status);
  good.stop_timer(device, idle, timer, status);
}

/* All timers tell the time of the one that was stopped last. */
static SP_Timer stopped;
static void stop_noting(DEVICE, SP_Stream stream, SP_Timer timer, TF_Status *status) {
  stopped = timer;
  good.stop_timer(device, stream, timer, status);
}
static uint64_t of_stopped(SP_Timer timer) {
  return good_timer_fns.nanoseconds(stopped);
}

static bool span_fault_apply(mutant_tables *tables, const char *name) {
  ON("timer.one.start", tables->executor->start_timer = start_all;
     tables->executor->stop_timer = stop_one)
  ON("timer.stack", tables->executor->start_timer = start_on_top;
     tables->executor->stop_timer = stop_on_top; tables->timer_fns->nanoseconds = of_stand_in)
  ON("timer.latest", tables->executor->stop_timer = stop_noting;
     tables->timer_fns->nanoseconds = of_stopped)
  SLOT("timer.stop.elsewhere", stop_timer, stop_in_another)
  return false;
}

static bool timer_fault_apply(mutant_tables *tables, const char *name) {
  ON("timer.zero", tables->timer_fns->nanoseconds = zero)
  ON("timer.micro", tables->timer_fns->nanoseconds = micro)
  ON("timer.twice", tables->timer_fns->nanoseconds = twice)
  ON("timer.constant", tables->timer_fns->nanoseconds = constant)
  ON("timer.growing", tables->timer_fns->nanoseconds = growing)
  ON("timer.start.early", tables->executor->start_timer = start_early;
     tables->executor->stop_timer = stop_late; tables->timer_fns->nanoseconds = between)
  SLOT("timer.start.once", start_timer, start_once)
  SLOT("timer.start.fails", start_timer, start_fails)
  ON("timer.shared", tables->executor->create_timer = one_timer;
     tables->executor->destroy_timer = keep_timer)
  return span_fault_apply(tables, name);
}

bool event_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("event.always.complete", get_event_status, always_complete)
  SLOT("event.complete.early", get_event_status, complete_early)
  SLOT("event.never.complete", get_event_status, never_complete)
  SLOT("event.status.9", get_event_status, status_9)
  SLOT("event.unknown.again", get_event_status, unknown_again)
  SLOT("event.256", create_event, make_256)
  SLOT("event.record.once", record_event, record_once)
  SLOT("event.record.at.home", record_event, record_at_home)
  SLOT("event.record.fails", record_event, record_fails)
  ON("event.dies.with.stream", tables->executor->record_event = record_noting;
     tables->executor->destroy_stream = destroy_noting;
     tables->executor->get_event_status = dies_with_stream)
  SLOT("event.wait.nothing", wait_for_event, wait_nothing)
  SLOT("event.wait.fails", wait_for_event, wait_fails)
  SLOT("event.block.nothing", block_host_for_event, block_nothing)
  SLOT("event.block.for.all", block_host_for_event, block_for_all)
  return timer_fault_apply(tables, name);
}
