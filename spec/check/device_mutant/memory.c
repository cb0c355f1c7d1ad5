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

/* Books that are wrong after some calls only. */
static int64_t total_bytes, all_sizes, most_wanted, failed, pieces[4096];
static int piece_count;
static void allocate_booking(DEVICE, uint64_t size, int64_t space, BASE *memory) {
  good.allocate(device, size, space, memory);
  if ((int64_t)size > most_wanted) most_wanted = (int64_t)size;
  failed += !memory->opaque;
  if (!memory->opaque) return;
  total_bytes += (int64_t)size;
  all_sizes += (int64_t)size;
  if (piece_count < 4096) pieces[piece_count++] = (int64_t)size;
}
static void deallocate_booking(DEVICE, BASE *memory) {
  if (piece_count > 0) total_bytes -= pieces[--piece_count];
  good.deallocate(device, memory);
}
STATS(stats_frees_last, stats->bytes_in_use = total_bytes)
STATS(stats_peak_sum, stats->peak_bytes_in_use = all_sizes)
STATS(stats_largest_wanted, stats->largest_alloc_size = most_wanted)
STATS(stats_largest_sum, stats->largest_alloc_size = all_sizes)
/* The count falls with a piece that was freed, if it was a large one. */
static int64_t large_freed;
static void deallocate_large(DEVICE, BASE *memory) {
  large_freed += memory->size >= 5000;
  good.deallocate(device, memory);
}
STATS(stats_allocs_live, stats->num_allocs -= large_freed)
STATS(stats_failed, stats->num_allocs += failed)
STATS(stats_reserved_low, stats->bytes_reserved /= 2)
STATS(stats_limit_moves, stats->bytes_limit -= stats->bytes_in_use)
STATS(stats_free_block, stats->largest_free_block_bytes = stats->bytes_limit)
STATS(stats_peak_reserved, stats->peak_bytes_reserved = stats->bytes_reserved / 2)
static SP_Device first_device;
static void make_noting(const SP_Platform *platform, SE_CreateDeviceParams *params,
                        TF_Status *status) {
  good_fns.create_device(platform, params, status);
  if (!first_device.device_handle) first_device = *params->device;
}
static TF_Bool stats_shared(DEVICE, SP_AllocatorStats *stats) {
  return good.get_allocator_stats(&first_device, stats);
}
static void stream_of_first(DEVICE, SP_Stream *stream, TF_Status *status) {
  good.create_stream(&first_device, stream, status);
}
static TF_Bool usage_total(DEVICE, int64_t *free, int64_t *total) {
  static int64_t calls;
  good.device_memory_usage(device, free, total);
  *total += calls++ / 3 * 4096;
  return 1;
}

static bool book_fault_apply(mutant_tables *tables, const char *name) {
  SP_StreamExecutor *executor = tables->executor;
  ON("stats.frees.last", executor->allocate = allocate_booking;
     executor->deallocate = deallocate_booking; executor->get_allocator_stats = stats_frees_last)
  ON("stats.peak.sum", executor->allocate = allocate_booking;
     executor->get_allocator_stats = stats_peak_sum)
  ON("stats.largest.wanted", executor->allocate = allocate_booking;
     executor->get_allocator_stats = stats_largest_wanted)
  ON("stats.largest.sum", executor->allocate = allocate_booking;
     executor->get_allocator_stats = stats_largest_sum)
  ON("stats.allocs.live", executor->deallocate = deallocate_large;
     executor->get_allocator_stats = stats_allocs_live)
  ON("stats.failed", executor->allocate = allocate_booking;
     executor->get_allocator_stats = stats_failed)
  SLOT("stats.reserved.low", get_allocator_stats, stats_reserved_low)
  SLOT("stats.limit.moves", get_allocator_stats, stats_limit_moves)
  SLOT("stats.free.block", get_allocator_stats, stats_free_block)
  SLOT("stats.peak.reserved", get_allocator_stats, stats_peak_reserved)
  ON("stats.shared", tables->fns->create_device = make_noting;
     executor->get_allocator_stats = stats_shared)
  ON("stream.of.first", tables->fns->create_device = make_noting;
     executor->create_stream = stream_of_first)
  SLOT("usage.total.moves", device_memory_usage, usage_total)
  return false;
}

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
  return book_fault_apply(tables, name);
}
