/* The best-fit allocator: 10^6 random allocations and releases against a model that knows every
 * byte's owner, in units of the alignment. */
#include <stdlib.h>

#include "check.h"
#include "core/device/bfc.h"

enum { ROUNDS = 1000000, LIVE_MAX = 4000, UNIT = BFC_ALIGNMENT };

#define BASE ((uintptr_t)1 << 40)
#define MEMORY ((uint64_t)256 << 20)

/* A device that hands out a part of its memory at a time, never the same twice. */
typedef struct device {
  uint64_t used;
  uint64_t released;
  int pieces;
} device;

static uintptr_t device_allocate(void *context, uint64_t size) {
  device *from = context;
  if (size > MEMORY - from->used) return 0;
  uintptr_t address = BASE + from->used;
  from->used += size;
  from->pieces++;
  return address;
}

static void device_release(void *context, uintptr_t address, uint64_t size) {
  (void)address;
  ((device *)context)->released += size;
}

typedef struct live {
  uintptr_t address;
  uint64_t size;
} live;

static unsigned char owned[(256 << 20) / UNIT];
static live allocations[LIVE_MAX];
static size_t count;
static uint64_t bytes, peak, largest;

static uint64_t random_number(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

static uint64_t units(uint64_t size) {
  return (size + UNIT - 1) / UNIT;
}

/* Marks a range; false when any of it was so already. */
static bool mark(live one, unsigned char to) {
  bool changed = true;
  size_t first = (size_t)((one.address - BASE) / UNIT);
  for (size_t i = first; i < first + units(one.size); i++) {
    changed = changed && owned[i] != to;
    owned[i] = to;
  }
  return changed;
}

static bool take(bfc *allocator) {
  uint64_t size = random_number() % (random_number() % 16 == 0 ? 1 << 20 : 8192);
  live one = {bfc_allocate(allocator, size), size ? size : 1};
  if (one.address == 0) return true;
  bool good = one.address % UNIT == 0 && one.address >= BASE && mark(one, 1);
  allocations[count++] = one;
  bytes += units(one.size) * UNIT;
  if (bytes > peak) peak = bytes;
  if (units(one.size) * UNIT > largest) largest = units(one.size) * UNIT;
  return good;
}

static bool give(bfc *allocator, size_t index) {
  live one = allocations[index];
  allocations[index] = allocations[--count];
  bytes -= units(one.size) * UNIT;
  return mark(one, 0) && bfc_release(allocator, one.address);
}

static void test_random(bool grows) {
  device memory = {0, 0, 0};
  bfc *allocator = bfc_new((bfc_source){&memory, device_allocate, device_release}, MEMORY, grows);
  bool good = true;
  count = 0;
  bytes = peak = largest = 0;
  for (long round = 0; round < ROUNDS && good; round++)
    good = count == 0 || (count < LIVE_MAX && random_number() % 2)
               ? take(allocator)
               : give(allocator, (size_t)(random_number() % count));
  CHECK(good, "no overlap in %d rounds, %s", ROUNDS, grows ? "growing" : "all at once");
  bfc_stats stats = bfc_statistics(allocator);
  CHECK_INT(stats.bytes_in_use, bytes, "bytes in use");
  CHECK_INT(stats.peak_bytes_in_use, peak, "the peak");
  CHECK_INT(stats.largest_alloc_size, largest, "the largest");
  CHECK_INT(stats.bytes_reserved, memory.used, "what was taken from the device");
  check_note("%zu live, %.1f MiB in use of %.1f MiB taken, %zu free blocks, the largest %.1f MiB",
             count, (double)bytes / 1048576, (double)memory.used / 1048576,
             bfc_free_blocks(allocator), (double)stats.largest_free_block_bytes / 1048576);
  while (count > 0 && good)
    good = give(allocator, count - 1);
  CHECK(good, "everything goes back");
  CHECK_INT(bfc_free_blocks(allocator), memory.pieces, "one free block for each piece at the end");
  CHECK_INT(bfc_statistics(allocator).bytes_in_use, 0, "nothing is in use at the end");
  bfc_free(allocator);
  CHECK_INT(memory.released, memory.used, "the device has all its memory back");
}

static void test_edges(void) {
  device memory = {0, 0, 0};
  bfc *allocator = bfc_new((bfc_source){&memory, device_allocate, device_release}, 1 << 20, false);
  uintptr_t all = bfc_allocate(allocator, 1 << 20);
  CHECK(all != 0, "all of it fits");
  CHECK(bfc_allocate(allocator, 1) == 0, "and no byte more");
  CHECK(bfc_allocate(allocator, UINT64_MAX) == 0, "not 2^64 - 1 bytes either");
  CHECK(!bfc_release(allocator, all + UNIT), "an address that was not handed out is refused");
  CHECK(bfc_release(allocator, all) && !bfc_release(allocator, all), "a release counts once");
  uintptr_t first = bfc_allocate(allocator, 1), second = bfc_allocate(allocator, 0);
  CHECK_INT(second - first, UNIT, "the smallest block is the alignment");
  CHECK_INT(bfc_statistics(allocator).num_allocs, 3, "allocations are counted");
  bfc_free(allocator);
  CHECK_INT(memory.released, memory.used, "what was in use goes back, too");
}

/* Best fit: of two holes the smaller that is large enough is taken. */
static void test_best_fit(void) {
  device memory = {0, 0, 0};
  bfc *allocator = bfc_new((bfc_source){&memory, device_allocate, device_release}, 1 << 20, false);
  uintptr_t large = bfc_allocate(allocator, 64 * UNIT), wall = bfc_allocate(allocator, UNIT);
  uintptr_t small = bfc_allocate(allocator, 34 * UNIT), end = bfc_allocate(allocator, UNIT);
  CHECK(wall && end, "two walls");
  bfc_release(allocator, large);
  bfc_release(allocator, small);
  CHECK(bfc_allocate(allocator, 33 * UNIT) == small, "the smaller hole is taken");
  CHECK(bfc_allocate(allocator, 35 * UNIT) == large, "what does not fit there goes into the other");
  bfc_free(allocator);
}

int main(void) {
  test_edges();
  test_best_fit();
  test_random(false);
  test_random(true);
  return check_end();
}
