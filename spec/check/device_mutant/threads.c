/* What goes wrong only when another thread is there at the same time. */
#include "device_mutant.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int inside;
static BASE last;
static void *last_host;

static void rest(long microseconds) {
  nanosleep(&(struct timespec){0, microseconds * 1000}, NULL);
}

/* Whether another thread is in here, too; both are for a while. */
static bool meets_another(void) {
  bool met = atomic_fetch_add(&inside, 1) > 0;
  rest(200);
  return met || atomic_load(&inside) > 1;
}

static void leave(void) {
  atomic_fetch_sub(&inside, 1);
}

static void allocate_race(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  good.allocate(device, size, space, memory);
  if (meets_another() && last.opaque && last.size >= size) memory->opaque = last.opaque;
  last = *memory;
  leave();
}
static void *host_race(DEVICE, uint64_t size) {
  void *memory = good.host_memory_allocate(device, size);
  if (meets_another() && last_host) memory = last_host;
  last_host = memory;
  leave();
  return memory;
}
static void keep_host(DEVICE, void *memory) {
}

static char bounce[1 << 16];
static void dtoh_bounce(DEVICE, void *to, const BASE *from, uint64_t size, TF_Status *status) {
  if (size > sizeof bounce) {
    good.sync_memcpy_dtoh(device, to, from, size, status);
    return;
  }
  good.sync_memcpy_dtoh(device, bounce, from, size, status);
  if (size == 4096) rest(100);
  memcpy(to, bounce, size);
}

static void htod_race(DEVICE, SP_Stream stream, BASE *to, const void *from, uint64_t size,
                      TF_Status *status) {
  if (!meets_another()) good.memcpy_htod(device, stream, to, from, size, status);
  leave();
}

static void make_race(DEVICE, SP_Stream *stream, TF_Status *status) {
  if (meets_another())
    TF_SetStatus(status, TF_ABORTED, "another thread makes one");
  else
    good.create_stream(device, stream, status);
  leave();
}

static void timer_race(DEVICE, SP_Timer *timer, TF_Status *status) {
  if (meets_another())
    TF_SetStatus(status, TF_ABORTED, "another thread makes one");
  else
    good.create_timer(device, timer, status);
  leave();
}
static void wait_race(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  if (meets_another())
    TF_SetStatus(status, TF_ABORTED, "another thread waits");
  else
    good.wait_for_event(device, stream, event, status);
  leave();
}

static atomic_bool recording;
static void record_slowly(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  atomic_store(&recording, true);
  good.record_event(device, stream, event, status);
  rest(50);
  atomic_store(&recording, false);
}
static SE_EventStatus ask_race(DEVICE, SP_Event event) {
  return atomic_load(&recording) ? SE_EVENT_ERROR : good.get_event_status(device, event);
}

static TF_Bool own_thread(DEVICE, SP_Stream stream, SE_StatusCallbackFn function, void *argument) {
  static pthread_t owner;
  static bool owned;
  if (!owned) owner = pthread_self();
  owned = true;
  return !pthread_equal(owner, pthread_self()) ||
         good.host_callback(device, stream, function, argument);
}

static void synchronize_race(DEVICE, TF_Status *status) {
  static atomic_bool busy;
  if (atomic_exchange(&busy, true)) return;
  rest(200);
  good.synchronize_all_activity(device, status);
  atomic_store(&busy, false);
}

bool thread_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("race.in.allocate", allocate, allocate_race)
  ON("race.in.host.memory", tables->executor->host_memory_allocate = host_race;
     tables->executor->host_memory_deallocate = keep_host)
  SLOT("race.in.sync.dtoh", sync_memcpy_dtoh, dtoh_bounce)
  SLOT("race.in.htod", memcpy_htod, htod_race)
  SLOT("race.in.create.timer", create_timer, timer_race)
  SLOT("race.in.wait.for.event", wait_for_event, wait_race)
  SLOT("race.in.create.stream", create_stream, make_race)
  ON("race.in.event.status", tables->executor->record_event = record_slowly;
     tables->executor->get_event_status = ask_race)
  SLOT("race.in.callback", host_callback, own_thread)
  SLOT("race.in.synchronize", synchronize_all_activity, synchronize_race)
  return false;
}
