/* What goes wrong only when a call begins in the middle of another one: tables of the reference device's
 * streams and timers, and caches of its statistics, each without one of its locks. Between its
 * steps each function allocates something, as real ones do; the gap is too short to be met by chance. */
#include "device_mutant.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(bool wanted) {
  if (wanted) pthread_mutex_lock(&mutex);
}

static void unlock(bool wanted) {
  if (wanted) pthread_mutex_unlock(&mutex);
}

/* A point at which a call can be held. */
static void meet(void) {
  char *volatile block = malloc(1);
  free(block);
}

/* Streams in a list, which synchronize_all_activity walks. */
typedef struct node {
  SP_Stream stream;
  struct node *next;
} node;

static node *list;
static bool locks_create = true, locks_destroy = true, locks_walk = true;

/* The tables are those of the first device. */
static bool is_other(DEVICE) {
  return device->ordinal != 0;
}

static void create_listed(DEVICE, SP_Stream *stream, TF_Status *status) {
  good.create_stream(device, stream, status);
  if (is_other(device) || TF_GetCode(status) != TF_OK) return;
  lock(locks_create);
  node *before = list;
  node *made = malloc(sizeof *made);
  if (made) {
    *made = (node){*stream, before};
    list = made;
  }
  unlock(locks_create);
  if (made) return;
  TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  good.destroy_stream(device, *stream);
  *stream = NULL;
}

static void destroy_listed(DEVICE, SP_Stream stream) {
  node *gone = NULL;
  lock(locks_destroy);
  for (node **link = &list; *link && !gone; link = &(*link)->next) {
    if ((*link)->stream != stream) continue;
    node *after = (*link)->next;
    gone = *link;
    meet();
    *link = after;
    break;
  }
  unlock(locks_destroy);
  free(gone);
  good.destroy_stream(device, stream);
}

/* A stream is not destroyed while it is waited for. */
static void wait_for_listed(DEVICE, TF_Status *status) {
  if (is_other(device)) {
    good.synchronize_all_activity(device, status);
    return;
  }
  lock(locks_walk);
  for (const node *at = list; at; at = at->next) {
    good.block_host_until_done(device, at->stream, status);
    meet();
  }
  unlock(locks_walk);
}

/* Ended timers, to be used again. */
typedef struct pool {
  void *items[64];
  size_t count;
  bool locks_take, locks_put;
} pool;

static pool timers = {.locks_take = true, .locks_put = true};

static void *take(pool *from) {
  void *item = NULL;
  lock(from->locks_take);
  size_t count = from->count;
  if (count > 0) {
    item = from->items[count - 1];
    meet();
    from->count = count - 1;
  }
  unlock(from->locks_take);
  return item;
}

static bool put(pool *to, void *item) {
  lock(to->locks_put);
  size_t count = to->count;
  bool fits = count < 64;
  if (fits) {
    to->items[count] = item;
    meet();
    to->count = count + 1;
  }
  unlock(to->locks_put);
  return fits;
}

static void create_pooled(DEVICE, SP_Timer *timer, TF_Status *status) {
  *timer = take(&timers);
  if (!*timer) good.create_timer(device, timer, status);
}
static void destroy_pooled(DEVICE, SP_Timer timer) {
  if (!put(&timers, timer)) good.destroy_timer(device, timer);
}

/* Statistics that are taken once, until memory is allocated or freed. */
static SP_AllocatorStats cached;
static volatile bool is_cached;
static bool locks_cache = true;

static TF_Bool stats_cached(DEVICE, SP_AllocatorStats *stats) {
  if (is_other(device)) return good.get_allocator_stats(device, stats);
  lock(locks_cache);
  if (!is_cached) {
    good.get_allocator_stats(device, &cached);
    meet();
    is_cached = true;
  }
  *stats = cached;
  unlock(locks_cache);
  return 1;
}
static TF_Bool usage_cached(DEVICE, int64_t *available, int64_t *total) {
  SP_AllocatorStats stats;
  stats_cached(device, &stats);
  *available = stats.bytes_limit - stats.bytes_in_use;
  *total = stats.bytes_limit;
  return 1;
}
static void forget(void) {
  lock(true);
  is_cached = false;
  unlock(true);
}
static void allocate_uncached(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  good.allocate(device, size, space, memory);
  forget();
}
static void deallocate_uncached(DEVICE, BASE *memory) {
  good.deallocate(device, memory);
  forget();
}

/* What a callback is passed on with: one place for all of them, until it is enqueued. */
static volatile struct {
  SP_Stream stream;
  SE_StatusCallbackFn function;
  void *argument;
} passed;

static TF_Bool callback_by_static(DEVICE, SP_Stream stream, SE_StatusCallbackFn function,
                                  void *argument) {
  passed.stream = stream;
  passed.function = function;
  passed.argument = argument;
  meet();
  return good.host_callback(device, passed.stream, passed.function, passed.argument);
}

/* A lock that is never released. */
static void zero_and_keep(DEVICE, SP_Stream stream, BASE *to, uint64_t size, TF_Status *status) {
  static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_trylock(&own);
  good.mem_zero(device, stream, to, size, status);
}

/* Writes to what malloc gave, unseen. */
static void record_without_memory(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  volatile int *number = malloc(sizeof *number);
  *number = 1;
  free((void *)(uintptr_t)number);
  good.record_event(device, stream, event, status);
}

/* What an event holds of the stream that it was recorded in before is lost. */
static void record_and_lose(DEVICE, SP_Stream stream, SP_Event event, TF_Status *status) {
  static SP_Event events[64];
  static SP_Stream streams[64];
  size_t i = 0;
  while (i < 63 && events[i] && events[i] != event)
    i++;
  char *volatile lost = events[i] == event && streams[i] != stream ? malloc(40) : NULL;
  (void)lost;
  events[i] = event;
  streams[i] = stream;
  good.record_event(device, stream, event, status);
}

static void list_streams(SP_StreamExecutor *executor) {
  executor->create_stream = create_listed;
  executor->destroy_stream = destroy_listed;
  executor->synchronize_all_activity = wait_for_listed;
}

static void pool_timers(SP_StreamExecutor *executor) {
  executor->create_timer = create_pooled;
  executor->destroy_timer = destroy_pooled;
}

static void cache_statistics(SP_StreamExecutor *executor) {
  executor->get_allocator_stats = stats_cached;
  executor->device_memory_usage = usage_cached;
  executor->allocate = allocate_uncached;
  executor->deallocate = deallocate_uncached;
}

bool overlap_fault_apply(mutant_tables *tables, const char *name) {
  ON("unlocked.create.stream", list_streams(tables->executor); locks_create = false)
  ON("unlocked.destroy.stream", list_streams(tables->executor); locks_destroy = false)
  ON("unlocked.synchronize", list_streams(tables->executor); locks_walk = false)
  ON("unlocked.create.timer", pool_timers(tables->executor); timers.locks_take = false)
  ON("unlocked.destroy.timer", pool_timers(tables->executor); timers.locks_put = false)
  ON("unlocked.statistics", cache_statistics(tables->executor); locks_cache = false)
  SLOT("unlocked.callback", host_callback, callback_by_static)
  SLOT("locked.mem.zero", mem_zero, zero_and_keep)
  SLOT("record.without.memory", record_event, record_without_memory)
  SLOT("event.loses.when.moved", record_event, record_and_lose)
  ON("good.listed", list_streams(tables->executor))
  ON("good.pooled", pool_timers(tables->executor))
  ON("good.cached", cache_statistics(tables->executor))
  return false;
}
