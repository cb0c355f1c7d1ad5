/* Having memory, and the books about it. */
#include "device_mutant.h"

#include <stdlib.h>

static BASE last;
static uint64_t last_size;
static int held;

static void allocate_less(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  good.allocate(device, size, space, memory);
  memory->size = size / 2;
}

static void allocate_no_size(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  good.allocate(device, size, space, memory);
  memory->struct_size = 0;
}

static void allocate_null(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  memory->opaque = NULL;
}

/* Pieces of 100 bytes more than the last begin where that one begins. */
static void allocate_overlap(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  bool overlaps = last.opaque && size == last.size + 100;
  good.allocate(device, size, space, memory);
  if (overlaps) memory->opaque = last.opaque;
  last = *memory;
  last.size = size;
}

static void allocate_beyond(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  good.allocate(device, size, space, memory);
  if (memory->opaque) return;
  memory->opaque = memory;
  memory->size = size;
}

static void allocate_256(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  if (held++ < 256) good.allocate(device, size, space, memory);
}

static void allocate_noting(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  last_size = size;
  good.allocate(device, size, space, memory);
}

static void deallocate_nothing(DEVICE, BASE *memory) {
}

static TF_Bool usage_stuck(DEVICE, int64_t *free, int64_t *total) {
  good.device_memory_usage(device, free, total);
  *free = *total;
  return 1;
}

static TF_Bool usage_negative(DEVICE, int64_t *free, int64_t *total) {
  good.device_memory_usage(device, free, total);
  *free = -1;
  return 1;
}

static TF_Bool usage_swapped(DEVICE, int64_t *free, int64_t *total) {
  good.device_memory_usage(device, total, free);
  *total -= 1;
  return 1;
}

#define STATS(called, change)                                                                      \
  static TF_Bool called(DEVICE, SP_AllocatorStats *stats) {                                        \
    good.get_allocator_stats(device, stats);                                                       \
    change;                                                                                        \
    return 1;                                                                                      \
  }

static int64_t most_in_use, asked;
STATS(stats_keep, {
  if (stats->bytes_in_use > most_in_use) most_in_use = stats->bytes_in_use;
  stats->bytes_in_use = most_in_use;
})
STATS(stats_none_in_use, stats->bytes_in_use = 0)
STATS(stats_allocs, stats->num_allocs = 1)
STATS(stats_allocs_grow, stats->num_allocs += asked++)
STATS(stats_peak, stats->peak_bytes_in_use = stats->bytes_in_use)
STATS(stats_peak_low, stats->peak_bytes_in_use = 1)
STATS(stats_largest, stats->largest_alloc_size = (int64_t)last_size)
STATS(stats_limit, stats->bytes_limit = 10)
STATS(stats_negative, stats->bytes_reserved = -1)

static void *host_same(DEVICE, uint64_t size) {
  static char room[1 << 20];
  return size <= sizeof room ? room : NULL;
}

static void host_keep(DEVICE, void *memory) {
}

static void *host_null(DEVICE, uint64_t size) {
  return NULL;
}

static void *host_beyond(DEVICE, uint64_t size) {
  void *memory = good.host_memory_allocate(device, size);
  return memory ? memory : &last;
}

static char *unified;
static uint64_t unified_size;

static void *unified_noting(DEVICE, uint64_t size) {
  unified_size = size;
  return unified = good.unified_memory_allocate(device, size);
}

static void htod_not_unified(DEVICE, SP_Stream stream, BASE *to, const void *from, uint64_t size,
                             TF_Status *status) {
  static const char nothing[4096];
  const char *start = from;
  bool is_unified = unified && start >= unified && start < unified + unified_size;
  good.memcpy_htod(device, stream, to, is_unified ? nothing : from, size, status);
}

static void *unified_null(DEVICE, uint64_t size) {
  return NULL;
}

bool memory_fault_apply(mutant_tables *tables, const char *name) {
  SLOT("allocate.less", allocate, allocate_less)
  SLOT("allocate.no.size", allocate, allocate_no_size)
  SLOT("allocate.null", allocate, allocate_null)
  SLOT("allocate.overlap", allocate, allocate_overlap)
  SLOT("allocate.beyond", allocate, allocate_beyond)
  SLOT("allocate.256", allocate, allocate_256)
  SLOT("deallocate.nothing", deallocate, deallocate_nothing)
  SLOT("usage.stuck", device_memory_usage, usage_stuck)
  SLOT("usage.negative", device_memory_usage, usage_negative)
  SLOT("usage.swapped", device_memory_usage, usage_swapped)
  SLOT("stats.keep", get_allocator_stats, stats_keep)
  SLOT("stats.none.in.use", get_allocator_stats, stats_none_in_use)
  SLOT("stats.allocs.stuck", get_allocator_stats, stats_allocs)
  SLOT("stats.allocs.grow", get_allocator_stats, stats_allocs_grow)
  SLOT("stats.peak.now", get_allocator_stats, stats_peak)
  SLOT("stats.peak.low", get_allocator_stats, stats_peak_low)
  SLOT("stats.limit.small", get_allocator_stats, stats_limit)
  SLOT("stats.negative", get_allocator_stats, stats_negative)
  ON("stats.largest.last", tables->executor->get_allocator_stats = stats_largest;
     tables->executor->allocate = allocate_noting)
  SLOT("host.null", host_memory_allocate, host_null)
  SLOT("host.beyond", host_memory_allocate, host_beyond)
  ON("host.same", tables->executor->host_memory_allocate = host_same;
     tables->executor->host_memory_deallocate = host_keep)
  ON("unified.apart", tables->executor->unified_memory_allocate = unified_noting;
     tables->executor->memcpy_htod = htod_not_unified)
  SLOT("unified.null", unified_memory_allocate, unified_null)
  return false;
}
