/* Scenes for devices: several threads use one device, and each checks its own part of the work.
 *
 * A member is one thread's: its status, random state and two buffers. Of the crowd, `rounds`, `threads`,
 * `device`, `stream` and `event` are constant while the threads run; steps, finished and failed are
 * atomics. The first failure alone writes `message`, because it alone changes `failed`; it is read after
 * the join.
 *
 * Locks: crowd->lock is held while threads are created, so that all begin at once, and in take_turns
 * around one enqueued callback, so that the order of `calls` is the order in the stream. That is the one
 * place where a slot of the plugin is called under it.
 *
 * A scene ends after its rounds or with the first failure, whoever had it. In `ask` threads that have
 * finished go on, slowly, until all have: otherwise the last one would be tested alone.
 *
 * Who frees: what a scene creates it destroys, also after a failure; run_all joins every thread that was
 * started and deletes all statuses. Fork: nobody forks during a scene. */
#include "device_threads.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 4096, HELD = 8, MOST_THREADS = 16 };

/* One thread: the slots, a status, and buffers of its own. */
typedef struct member {
  runner_crowd *crowd;
  const SP_StreamExecutor *executor;
  const SP_Device *device;
  const device_abi *abi;
  TF_Status *status;
  int number;
  uint32_t state;
  char bytes[PIECE], back[PIECE];
} member;

typedef void (*scene)(member *self);

__attribute__((format(printf, 2, 3))) static void fail_crowd(runner_crowd *crowd,
                                                             const char *format, ...) {
  va_list arguments;
  if (atomic_exchange(&crowd->failed, true)) return;
  va_start(arguments, format);
  vsnprintf(crowd->message, sizeof crowd->message, format, arguments);
  va_end(arguments);
}

static bool goes_on(member *self, int round) {
  return round < self->crowd->rounds && !atomic_load(&self->crowd->failed);
}

/* Whether the last call succeeded; counts it as one step. */
static bool went_well(member *self, const char *slot) {
  atomic_fetch_add(&self->crowd->steps, 1);
  if (TF_GetCode(self->status) == TF_OK) return true;
  fail_crowd(self->crowd, "%s: %.150s", slot, TF_Message(self->status));
  TF_SetStatus(self->status, TF_OK, "");
  return false;
}

static uint32_t draw(member *self, uint32_t n) {
  self->state = self->state * 1664525u + 1013904223u;
  return (self->state >> 8) % n;
}

static void make_bytes(member *self) {
  char tag = (char)draw(self, 256);
  for (size_t i = 0; i < PIECE; i++)
    self->bytes[i] = (char)(tag + self->number + (int)(i * 7 % 251));
  memset(self->back, 0, PIECE);
}

static void check_bytes(member *self, const char *what) {
  atomic_fetch_add(&self->crowd->steps, 1);
  for (size_t i = 0; i < PIECE; i++)
    if (self->back[i] != self->bytes[i]) {
      fail_crowd(self->crowd, "%s: byte %zu is %u, not %u", what, i, (unsigned char)self->back[i],
                 (unsigned char)self->bytes[i]);
      return;
    }
}

/* A copy of only the members that a host keeps, at another address, as hosts make them. */
static SP_DeviceMemoryBase rebuilt(const SP_DeviceMemoryBase *base) {
  return (SP_DeviceMemoryBase){.struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE,
                               .opaque = base->opaque,
                               .size = base->size,
                               .payload = base->payload};
}

static bool take(member *self, uint64_t size, SP_DeviceMemoryBase *base) {
  device_abi_allocate(self->abi, self->device, size, base);
  if (base->opaque) *base = rebuilt(base);
  if (!base->opaque)
    fail_crowd(self->crowd, "allocate: no memory for %llu bytes", (unsigned long long)size);
  return base->opaque != NULL;
}

static void give(member *self, SP_DeviceMemoryBase *base) {
  SP_DeviceMemoryBase copy = rebuilt(base);
  if (base->opaque) device_abi_deallocate(self->abi, self->device, &copy);
}

static void wait_for(member *self, SP_Stream stream) {
  if (self->executor->block_host_until_done) {
    self->executor->block_host_until_done(self->device, stream, self->status);
    went_well(self, "block_host_until_done");
    return;
  }
  SP_Event event = NULL;
  self->executor->create_event(self->device, &event, self->status);
  if (went_well(self, "create_event"))
    self->executor->record_event(self->device, stream, event, self->status);
  if (went_well(self, "record_event"))
    self->executor->block_host_for_event(self->device, event, self->status);
  went_well(self, "block_host_for_event");
  if (event) self->executor->destroy_event(self->device, event);
}

/* Scenes ------------------------------------------------------------------------------ */

static void copy_at_once(member *self) {
  SP_DeviceMemoryBase base;
  if (!take(self, PIECE, &base)) return;
  for (int i = 0; goes_on(self, i); i++) {
    make_bytes(self);
    self->executor->sync_memcpy_htod(self->device, &base, self->bytes, PIECE, self->status);
    went_well(self, "sync_memcpy_htod");
    self->executor->sync_memcpy_dtoh(self->device, self->back, &base, PIECE, self->status);
    went_well(self, "sync_memcpy_dtoh");
    check_bytes(self, "a copy at once");
  }
  give(self, &base);
}

static void copy_in_stream(member *self, SP_Stream stream, SP_DeviceMemoryBase *base) {
  make_bytes(self);
  self->executor->memcpy_htod(self->device, stream, base, self->bytes, PIECE, self->status);
  went_well(self, "memcpy_htod");
  self->executor->memcpy_dtoh(self->device, stream, self->back, base, PIECE, self->status);
  went_well(self, "memcpy_dtoh");
  wait_for(self, stream);
  check_bytes(self, "a copy in a stream");
}

static void streams(member *self) {
  SP_DeviceMemoryBase base;
  SP_Stream stream = NULL;
  if (!take(self, PIECE, &base)) return;
  self->executor->create_stream(self->device, &stream, self->status);
  bool made = went_well(self, "create_stream");
  for (int i = 0; made && goes_on(self, i); i++)
    copy_in_stream(self, stream, &base);
  if (stream) self->executor->destroy_stream(self->device, stream);
  give(self, &base);
}

/* Checks that a piece still has the bytes written to it, frees it and allocates another one. */
static void renew(member *self, SP_DeviceMemoryBase *base, char *tag) {
  char first = 0, last = 0;
  if (base->opaque) {
    SP_DeviceMemoryBase end = rebuilt(base);
    end.opaque = (char *)end.opaque + base->size - 1;
    end.size = 1;
    self->executor->sync_memcpy_dtoh(self->device, &first, base, 1, self->status);
    self->executor->sync_memcpy_dtoh(self->device, &last, &end, 1, self->status);
    if (went_well(self, "sync_memcpy_dtoh") && (first != *tag || last != *tag))
      fail_crowd(self->crowd, "a piece of %llu bytes has been written by another thread",
                 (unsigned long long)base->size);
    give(self, base);
  }
  uint32_t size = 1 + draw(self, PIECE);
  *tag = (char)draw(self, 256);
  memset(self->bytes, *tag, PIECE);
  if (!take(self, size, base)) return;
  self->executor->sync_memcpy_htod(self->device, base, self->bytes, size, self->status);
  went_well(self, "sync_memcpy_htod");
}

static void allocate(member *self) {
  SP_DeviceMemoryBase pieces[HELD] = {{0}};
  char tags[HELD] = {0};
  for (int i = 0; goes_on(self, i); i++) {
    uint32_t which = draw(self, HELD);
    renew(self, &pieces[which], &tags[which]);
  }
  for (int i = 0; i < HELD; i++)
    give(self, &pieces[i]);
}

static void allocate_one(member *self) {
  for (int i = 0; goes_on(self, i); i++) {
    SP_DeviceMemoryBase base;
    if (take(self, 1 + draw(self, PIECE), &base)) give(self, &base);
    atomic_fetch_add(&self->crowd->steps, 1);
  }
}

/* A piece that is filled and copied into itself in a stream, and freed when that is done. */
static void work_on_one(member *self) {
  const SP_StreamExecutor *executor = self->executor;
  SP_Stream stream = NULL;
  executor->create_stream(self->device, &stream, self->status);
  bool made = went_well(self, "create_stream");
  for (int i = 0; made && goes_on(self, i); i++) {
    SP_DeviceMemoryBase base;
    if (!take(self, PIECE, &base)) break;
    SP_DeviceMemoryBase to = rebuilt(&base), from = rebuilt(&base);
    from.opaque = (char *)base.opaque + PIECE / 2;
    if (executor->mem_zero) executor->mem_zero(self->device, stream, &to, PIECE / 2, self->status);
    if (executor->memset) executor->memset(self->device, stream, &to, 1, PIECE / 2, self->status);
    if (executor->memset32)
      executor->memset32(self->device, stream, &from, 2, PIECE / 2, self->status);
    if (executor->memcpy_dtod)
      executor->memcpy_dtod(self->device, stream, &to, &from, PIECE / 2, self->status);
    executor->memcpy_dtoh(self->device, stream, self->back, &to, PIECE / 2, self->status);
    went_well(self, "memcpy_dtoh");
    wait_for(self, stream);
    give(self, &base);
  }
  if (stream) executor->destroy_stream(self->device, stream);
}

static void renew_host(member *self, char **piece, uint32_t *size, char *tag) {
  for (uint32_t i = 0; *piece && i < *size; i++)
    if ((*piece)[i] != *tag) {
      fail_crowd(self->crowd, "host memory has been written by another thread");
      return;
    }
  if (*piece) device_abi_host_deallocate(self->abi, self->device, *piece);
  *size = 1 + draw(self, PIECE);
  *tag = (char)draw(self, 256);
  *piece = device_abi_host_allocate(self->abi, self->device, *size);
  atomic_fetch_add(&self->crowd->steps, 1);
  if (*piece)
    memset(*piece, *tag, *size);
  else
    fail_crowd(self->crowd, "host_memory_allocate returned NULL");
}

static void allocate_host(member *self) {
  char *pieces[HELD] = {NULL}, tags[HELD] = {0};
  uint32_t sizes[HELD] = {0};
  for (int i = 0; goes_on(self, i); i++) {
    uint32_t which = draw(self, HELD);
    renew_host(self, &pieces[which], &sizes[which], &tags[which]);
  }
  for (int i = 0; i < HELD; i++)
    if (pieces[i]) device_abi_host_deallocate(self->abi, self->device, pieces[i]);
}

/* The event `moved` is recorded in each stream, and outlives them. */
static void make_and_end(member *self) {
  SP_Event moved = NULL;
  self->executor->create_event(self->device, &moved, self->status);
  for (int i = 0; went_well(self, "create_event") && goes_on(self, i); i++) {
    SP_Stream stream = NULL;
    SP_Event event = NULL;
    self->executor->create_stream(self->device, &stream, self->status);
    if (went_well(self, "create_stream"))
      self->executor->create_event(self->device, &event, self->status);
    if (went_well(self, "create_event"))
      self->executor->record_event(self->device, stream, event, self->status);
    if (went_well(self, "record_event"))
      self->executor->record_event(self->device, stream, moved, self->status);
    if (went_well(self, "record_event"))
      self->executor->block_host_for_event(self->device, event, self->status);
    if (went_well(self, "block_host_for_event") &&
        self->executor->get_event_status(self->device, event) != SE_EVENT_COMPLETE)
      fail_crowd(self->crowd, "an event is not complete after waiting for it");
    if (event) self->executor->destroy_event(self->device, event);
    if (stream) self->executor->destroy_stream(self->device, stream);
  }
  if (moved) self->executor->destroy_event(self->device, moved);
}

/* Continues until all threads have performed their rounds, so that none is ever alone; slowly, so that
 * no queue builds up in front of the slower ones. */
static bool is_wanted(member *self, int round) {
  runner_crowd *crowd = self->crowd;
  if (round == crowd->rounds) atomic_fetch_add(&crowd->finished, 1);
  if (round >= crowd->rounds) usleep(200);
  return !atomic_load(&crowd->failed) && atomic_load(&crowd->finished) < crowd->threads;
}

/* The first thread records one event, the others query it and wait for it. */
static void ask(member *self) {
  runner_crowd *crowd = self->crowd;
  for (int i = 0; is_wanted(self, i); i++) {
    if (self->number == 0) {
      self->executor->record_event(self->device, crowd->stream, crowd->event, self->status);
      went_well(self, "record_event");
      continue;
    }
    SE_EventStatus answer = self->executor->get_event_status(self->device, crowd->event);
    if (answer != SE_EVENT_PENDING && answer != SE_EVENT_COMPLETE)
      fail_crowd(self->crowd, "the status of a recorded event is %d", (int)answer);
    self->executor->get_stream_status(self->device, crowd->stream, self->status);
    went_well(self, "get_stream_status");
    self->executor->block_host_for_event(self->device, crowd->event, self->status);
    went_well(self, "block_host_for_event");
  }
}

/* All threads use one stream under a lock: callbacks must run in the order of their enqueuing. */
static void take_turns(member *self) {
  runner_crowd *crowd = self->crowd;
  for (int i = 0; goes_on(self, i); i++) {
    pthread_mutex_lock(&crowd->lock);
    runner_call *call = &crowd->calls[crowd->next++];
    runner_call_enter(call);
    TF_Bool taken =
        self->executor->host_callback(self->device, crowd->stream, runner_call_run, call);
    runner_call_leave(call);
    pthread_mutex_unlock(&crowd->lock);
    atomic_fetch_add(&crowd->steps, 1);
    if (!taken) fail_crowd(self->crowd, "host_callback returned false");
  }
}

static void measure(member *self, SP_Stream stream, SP_Timer timer) {
  runner_call call = {0};
  self->executor->start_timer(self->device, stream, timer, self->status);
  went_well(self, "start_timer");
  self->executor->host_callback(self->device, stream, runner_call_run, &call);
  self->executor->stop_timer(self->device, stream, timer, self->status);
  went_well(self, "stop_timer");
  wait_for(self, stream);
  if (atomic_load(&call.ended) != 1)
    fail_crowd(self->crowd, "the callback within has not run once");
  self->abi->timer_nanoseconds(timer);
}

static void timers(member *self) {
  SP_Stream stream = NULL;
  self->executor->create_stream(self->device, &stream, self->status);
  bool made = went_well(self, "create_stream");
  for (int i = 0; made && goes_on(self, i); i++) {
    SP_Timer timer = NULL;
    self->executor->create_timer(self->device, &timer, self->status);
    if (went_well(self, "create_timer")) measure(self, stream, timer);
    if (timer) self->executor->destroy_timer(self->device, timer);
  }
  if (stream) self->executor->destroy_stream(self->device, stream);
}

/* Two streams, of which one waits for the other, an event that is recorded in both, callbacks. */
static void wait_for_each_other(member *self) {
  runner_call call = {0};
  int calls = 0;
  SP_Stream one = NULL, two = NULL;
  SP_Event event = NULL;
  self->executor->create_stream(self->device, &one, self->status);
  bool made = went_well(self, "create_stream");
  self->executor->create_stream(self->device, &two, self->status);
  made = went_well(self, "create_stream") && made;
  self->executor->create_event(self->device, &event, self->status);
  made = went_well(self, "create_event") && made;
  for (int i = 0; made && goes_on(self, i); i++) {
    self->executor->host_callback(self->device, one, runner_call_run, &call);
    calls++;
    self->executor->record_event(self->device, i % 2 ? one : two, event, self->status);
    self->executor->wait_for_event(self->device, i % 2 ? two : one, event, self->status);
    self->executor->create_stream_dependency(self->device, two, one, self->status);
    went_well(self, "create_stream_dependency");
    wait_for(self, two);
  }
  if (made) wait_for(self, one);
  if (atomic_load(&call.ended) != calls)
    fail_crowd(self->crowd, "%d of %d callbacks have run", atomic_load(&call.ended), calls);
  if (event) self->executor->destroy_event(self->device, event);
  if (two) self->executor->destroy_stream(self->device, two);
  if (one) self->executor->destroy_stream(self->device, one);
}

static void synchronize(member *self) {
  SP_Stream stream = NULL;
  SP_DeviceMemoryBase base;
  if (!take(self, PIECE, &base)) return;
  self->executor->create_stream(self->device, &stream, self->status);
  bool made = went_well(self, "create_stream");
  for (int i = 0; made && goes_on(self, i); i++) {
    make_bytes(self);
    self->executor->memcpy_htod(self->device, stream, &base, self->bytes, PIECE, self->status);
    went_well(self, "memcpy_htod");
    self->executor->memcpy_dtoh(self->device, stream, self->back, &base, PIECE, self->status);
    went_well(self, "memcpy_dtoh");
    self->executor->synchronize_all_activity(self->device, self->status);
    went_well(self, "synchronize_all_activity");
    check_bytes(self, "a copy before synchronize_all_activity");
  }
  if (stream) self->executor->destroy_stream(self->device, stream);
  give(self, &base);
}

/* A new stream each time, which is at work while all are waited for. */
static void synchronize_new(member *self) {
  for (int i = 0; goes_on(self, i); i++) {
    runner_call call = {.seconds = 0.0002};
    SP_Stream stream = NULL;
    self->executor->create_stream(self->device, &stream, self->status);
    if (!went_well(self, "create_stream")) return;
    self->executor->host_callback(self->device, stream, runner_call_run, &call);
    self->executor->synchronize_all_activity(self->device, self->status);
    if (went_well(self, "synchronize_all_activity") && atomic_load(&call.ended) != 1)
      fail_crowd(self->crowd, "a callback has run %d times before synchronize_all_activity returns",
                 atomic_load(&call.ended));
    if (stream) self->executor->destroy_stream(self->device, stream);
  }
}

/* The crowd ---------------------------------------------------------------------------- */

static const struct {
  const char *name;
  scene play;
} scenes[] = {{"copy_at_once", copy_at_once},
              {"streams", streams},
              {"allocate", allocate},
              {"allocate_host", allocate_host},
              {"make_and_end", make_and_end},
              {"ask", ask},
              {"take_turns", take_turns},
              {"synchronize", synchronize},
              {"synchronize_new", synchronize_new},
              {"allocate_one", allocate_one},
              {"work_on_one", work_on_one},
              {"timers", timers},
              {"wait_for_each_other", wait_for_each_other}};

typedef struct seat {
  member self;
  scene play;
  pthread_t thread;
  bool taken;
} seat;

/* All threads start together: run_all holds the lock until the last one is created. */
static void *play(void *context) {
  seat *it = context;
  pthread_mutex_lock(&it->self.crowd->lock);
  pthread_mutex_unlock(&it->self.crowd->lock);
  it->play(&it->self);
  return NULL;
}

static bool begin(runner_crowd *crowd, seat *it, int number, scene play_it) {
  it->play = play_it;
  it->self = (member){.crowd = crowd,
                      .executor = runner_executor(crowd->device),
                      .device = runner_device_of(crowd->device),
                      .abi = &crowd->device->platform->abi,
                      .status = TF_NewStatus(),
                      .number = number,
                      .state = (uint32_t)number * 7919u + 1};
  it->taken = it->self.status && pthread_create(&it->thread, NULL, play, it) == 0;
  return it->taken;
}

static void run_all(runner_crowd *crowd, scene play_it) {
  seat *seats = calloc(MOST_THREADS, sizeof *seats);
  if (!seats) {
    fail_crowd(crowd, "no memory for its threads");
    return;
  }
  pthread_mutex_lock(&crowd->lock);
  for (int i = 0; i < crowd->threads && i < MOST_THREADS; i++)
    if (!begin(crowd, &seats[i], i, play_it)) fail_crowd(crowd, "no thread");
  pthread_mutex_unlock(&crowd->lock);
  for (int i = 0; i < MOST_THREADS; i++) {
    if (seats[i].taken) pthread_join(seats[i].thread, NULL);
    TF_DeleteStatus(seats[i].self.status);
  }
  free(seats);
}

static long long heap(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  struct mallinfo2 info = mallinfo2();
  return (long long)(info.uordblks + info.hblkhd);
#else
  return 0;
#endif
}

bool runner_crowd_run(runner_crowd *crowd, const char *name) {
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
    if (strcmp(scenes[i].name, name) == 0) {
      pthread_mutex_init(&crowd->lock, NULL);
      long long before = heap();
      run_all(crowd, scenes[i].play);
      crowd->grown = heap() - before;
      pthread_mutex_destroy(&crowd->lock);
      return true;
    }
  return false;
}
