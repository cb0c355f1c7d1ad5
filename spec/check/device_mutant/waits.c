/* What waits for what: streams for events and for each other, hosts for events, streams and all. */
#include "device_mutant.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define RECORD DEVICE, SP_Stream stream, SP_Event event, TF_Status *status
#define DEPEND DEVICE, SP_Stream dependent, SP_Stream other, TF_Status *status

static struct {
  SP_Event event, before;
  bool seen;
} known[1024];

static int place_of(SP_Event event) {
  int i = 0;
  while (i < 1023 && known[i].event && known[i].event != event)
    i++;
  known[i].event = event;
  return i;
}

/* A wait looks for the record when the stream comes to it. */
typedef struct late {
  const SP_Device *device;
  SP_Event event;
} late;

static void look_late(void *const context, TF_Status *const status) {
  late *it = context;
  TF_Status *own = TF_NewStatus();
  good.block_host_for_event(it->device, it->event, own);
  TF_DeleteStatus(own);
  free(it);
}
static void wait_late(RECORD) {
  late *it = malloc(sizeof *it);
  *it = (late){device, event};
  good.host_callback(device, stream, look_late, it);
}

/* Once complete, an event is not waited for any more, even if it is recorded again. */
static void record_seeing(RECORD) {
  if (good.get_event_status(device, event) == SE_EVENT_COMPLETE) known[place_of(event)].seen = true;
  good.record_event(device, stream, event, status);
}
static void wait_unless_seen(RECORD) {
  if (!known[place_of(event)].seen) good.wait_for_event(device, stream, event, status);
}
static void block_unless_seen(DEVICE, SP_Event event, TF_Status *status) {
  if (!known[place_of(event)].seen) good.block_host_for_event(device, event, status);
}

/* An event is as far as the one that was recorded before it. */
static SP_Event last_recorded;
static void record_after(RECORD) {
  int i = place_of(event);
  if (last_recorded != event) known[i].before = last_recorded;
  last_recorded = event;
  good.record_event(device, stream, event, status);
}
static SE_EventStatus ask_before(DEVICE, SP_Event event) {
  SP_Event before = known[place_of(event)].before;
  return good.get_event_status(device, before ? before : event);
}

/* Of two waits in a row the first one counts. */
static SP_Stream waiting;
static void wait_first(RECORD) {
  if (waiting != stream) good.wait_for_event(device, stream, event, status);
  waiting = stream;
}
static void depend_first(DEPEND) {
  if (waiting != dependent) good.create_stream_dependency(device, dependent, other, status);
  waiting = dependent;
}
/* One dependency between two streams is enough. */
static void depend_once(DEPEND) {
  static SP_Stream one, two;
  if (one != dependent || two != other)
    good.create_stream_dependency(device, dependent, other, status);
  one = dependent, two = other;
}
static void depend_noting(DEPEND) {
  waiting = dependent;
  good.create_stream_dependency(device, dependent, other, status);
}
/* Nothing waits for a stream that only waits itself. */
static void depend_on_work(DEPEND) {
  if (waiting != other) good.create_stream_dependency(device, dependent, other, status);
  waiting = dependent;
}
/* A stream waits once for another. */
static SP_Stream recorded_in;
static void record_noting(RECORD) {
  recorded_in = stream;
  good.record_event(device, stream, event, status);
}
static void wait_once(RECORD) {
  static SP_Stream one, two;
  if (one != stream || two != recorded_in) good.wait_for_event(device, stream, event, status);
  one = stream, two = recorded_in;
}
static TF_Bool call_waited(DEVICE, SP_Stream stream, SE_StatusCallbackFn function, void *argument) {
  waiting = NULL;
  return good.host_callback(device, stream, function, argument);
}

/* A wait holds up callbacks, and not what else comes. */
static void wait_noting(RECORD) {
  waiting = stream;
  good.wait_for_event(device, stream, event, status);
}
static void dtoh_unless_waiting(DEVICE, SP_Stream stream, void *to, const BASE *from, uint64_t size,
                                TF_Status *status) {
  if (waiting == stream)
    good.sync_memcpy_dtoh(device, to, from, size, status);
  else
    good.memcpy_dtoh(device, stream, to, from, size, status);
}
static void zero_unless_waiting(DEVICE, SP_Stream stream, BASE *to, uint64_t size,
                                TF_Status *status) {
  if (waiting != stream) {
    good.mem_zero(device, stream, to, size, status);
    return;
  }
  void *zero = calloc(1, size + 1);
  good.sync_memcpy_htod(device, to, zero, size, status);
  free(zero);
}
static void record_unless_waiting(RECORD) {
  static SP_Stream idle;
  if (!idle) good.create_stream(device, &idle, status);
  good.record_event(device, waiting == stream ? idle : stream, event, status);
}

/* Hosts that wait ------------------------------------------------------------------------- */

static SP_Stream list[4096];
static int count;

static void list_stream(DEVICE, SP_Stream *stream, TF_Status *status) {
  good.create_stream(device, stream, status);
  if (count < 4096) list[count++] = *stream;
}
static int index_of(SP_Stream stream) {
  int i = 0;
  while (i < count && list[i] != stream)
    i++;
  return i;
}
static void unlist_stream(DEVICE, SP_Stream stream) {
  int i = index_of(stream);
  if (i < count) memmove(list + i, list + i + 1, (size_t)(--count - i) * sizeof *list);
  good.destroy_stream(device, stream);
}
/* What was created after it is lost, too. */
static void unlist_all_behind(DEVICE, SP_Stream stream) {
  count = index_of(stream);
  good.destroy_stream(device, stream);
}
static void wait_for_listed(DEVICE, int from, int to) {
  TF_Status *own = TF_NewStatus();
  for (int i = from; i < to; i++)
    if (list[i] != waiting) good.block_host_until_done(device, list[i], own);
  TF_DeleteStatus(own);
}
static void synchronize_16(DEVICE, TF_Status *status) {
  wait_for_listed(device, 0, count < 16 ? count : 16);
}
static void synchronize_latest(DEVICE, TF_Status *status) {
  wait_for_listed(device, count > 4 ? count - 4 : 0, count);
}
static void synchronize_listed(DEVICE, TF_Status *status) {
  wait_for_listed(device, 0, count);
}

/* Some tenths of a second are enough. */
typedef struct limited {
  const SP_Device *device;
  SP_Stream stream;
  SP_Event event;
} limited;

static void *wait_without_limit(void *context) {
  limited *it = context;
  TF_Status *own = TF_NewStatus();
  if (it->event)
    good.block_host_for_event(it->device, it->event, own);
  else if (it->stream)
    good.block_host_until_done(it->device, it->stream, own);
  else
    good.synchronize_all_activity(it->device, own);
  TF_DeleteStatus(own);
  free(it);
  return NULL;
}
static void wait_a_little(limited what) {
  limited *it = malloc(sizeof *it);
  pthread_t thread;
  struct timespec end;
  *it = what;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += 100000000;
  end.tv_sec += end.tv_nsec / 1000000000, end.tv_nsec %= 1000000000;
  pthread_create(&thread, NULL, wait_without_limit, it);
  if (pthread_timedjoin_np(thread, NULL, &end) != 0) pthread_detach(thread);
}
static void block_a_little(DEVICE, SP_Event event, TF_Status *status) {
  wait_a_little((limited){.device = device, .event = event});
}
static void done_a_little(DEVICE, SP_Stream stream, TF_Status *status) {
  wait_a_little((limited){.device = device, .stream = stream});
}
static void synchronize_a_little(DEVICE, TF_Status *status) {
  wait_a_little((limited){.device = device});
}

/* A second thread that waits is sent away, or is never woken. */
static atomic_int inside;
static void done_one_thread(DEVICE, SP_Stream stream, TF_Status *status) {
  if (atomic_fetch_add(&inside, 1) == 0) good.block_host_until_done(device, stream, status);
  atomic_fetch_sub(&inside, 1);
}
static void block_one_woken(DEVICE, SP_Event event, TF_Status *status) {
  bool second = atomic_fetch_add(&inside, 1) > 0;
  good.block_host_for_event(device, event, status);
  while (second)
    pause();
  atomic_fetch_sub(&inside, 1);
}
/* What came while it waited is waited for, too. */
static void done_twice(DEVICE, SP_Stream stream, TF_Status *status) {
  good.block_host_until_done(device, stream, status);
  good.block_host_until_done(device, stream, status);
}
static void synchronize_one_thread(DEVICE, TF_Status *status) {
  if (atomic_fetch_add(&inside, 1) == 0) good.synchronize_all_activity(device, status);
  atomic_fetch_sub(&inside, 1);
}
/* Until there is nothing to do at all, not until what was enqueued is done. */
static void block_until_idle(DEVICE, SP_Event event, TF_Status *status) {
  TF_Status *own = TF_NewStatus();
  good.block_host_for_event(device, event, status);
  if (last_recorded == event && list[0]) good.block_host_until_done(device, list[0], own);
  TF_DeleteStatus(own);
}
static void record_listing(RECORD) {
  last_recorded = event;
  list[0] = stream;
  good.record_event(device, stream, event, status);
}

static bool host_wait_fault_apply(mutant_tables *tables, const char *name) {
  SP_StreamExecutor *executor = tables->executor;
  ON("synchronize.16", executor->synchronize_all_activity = synchronize_16;
     executor->create_stream = list_stream; executor->destroy_stream = unlist_stream)
  ON("synchronize.latest", executor->synchronize_all_activity = synchronize_latest;
     executor->create_stream = list_stream; executor->destroy_stream = unlist_stream)
  ON("synchronize.unlinked", executor->synchronize_all_activity = synchronize_listed;
     executor->create_stream = list_stream; executor->destroy_stream = unlist_all_behind)
  ON("synchronize.skips.dependent", executor->synchronize_all_activity = synchronize_listed;
     executor->create_stream = list_stream; executor->destroy_stream = unlist_stream;
     executor->create_stream_dependency = depend_noting)
  SLOT("event.block.a.little", block_host_for_event, block_a_little)
  SLOT("done.a.little", block_host_until_done, done_a_little)
  SLOT("synchronize.a.little", synchronize_all_activity, synchronize_a_little)
  SLOT("done.one.thread", block_host_until_done, done_one_thread)
  SLOT("done.twice", block_host_until_done, done_twice)
  SLOT("event.block.one.woken", block_host_for_event, block_one_woken)
  SLOT("synchronize.one.thread", synchronize_all_activity, synchronize_one_thread)
  ON("event.block.until.idle", executor->record_event = record_listing;
     executor->block_host_for_event = block_until_idle)
  return false;
}

bool wait_fault_apply(mutant_tables *tables, const char *name) {
  SP_StreamExecutor *executor = tables->executor;
  SLOT("event.wait.late", wait_for_event, wait_late)
  ON("event.wait.seen", executor->record_event = record_seeing;
     executor->wait_for_event = wait_unless_seen)
  ON("event.block.seen", executor->record_event = record_seeing;
     executor->block_host_for_event = block_unless_seen)
  ON("event.one.before", executor->record_event = record_after;
     executor->get_event_status = ask_before)
  ON("event.wait.first", executor->wait_for_event = wait_first;
     executor->host_callback = call_waited)
  ON("depend.first", executor->create_stream_dependency = depend_first;
     executor->host_callback = call_waited)
  SLOT("depend.once", create_stream_dependency, depend_once)
  ON("depend.on.work", executor->create_stream_dependency = depend_on_work;
     executor->wait_for_event = wait_noting; executor->host_callback = call_waited)
  ON("depend.not.for.copies", executor->create_stream_dependency = depend_noting;
     executor->memcpy_dtoh = dtoh_unless_waiting; executor->host_callback = call_waited)
  ON("event.wait.once", executor->record_event = record_noting;
     executor->wait_for_event = wait_once)
  ON("event.wait.not.for.copies", executor->wait_for_event = wait_noting;
     executor->memcpy_dtoh = dtoh_unless_waiting; executor->host_callback = call_waited)
  ON("event.wait.not.for.fills", executor->wait_for_event = wait_noting;
     executor->mem_zero = zero_unless_waiting; executor->host_callback = call_waited)
  ON("event.wait.not.for.events", executor->wait_for_event = wait_noting;
     executor->record_event = record_unless_waiting; executor->host_callback = call_waited)
  return host_wait_fault_apply(tables, name);
}
