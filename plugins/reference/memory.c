/* The table of all memory that the plugin has allocated.
 *
 * `blocks` is sorted by address; ranges do not overlap. A block is live, or freed but pinned: then the
 * host has freed it, and operations that began before still refer to it. It leaves the table with its
 * last pin.
 *
 * Locks: the lock of process.h guards the table and the statistics. It is not held while memory is
 * mapped, unmapped or copied. `pins` and `freed` are atomics: unpinning takes the lock only for the last
 * pin. `freed` is set under the lock, so a second free of one address finds nothing.
 *
 * Who frees: one pin is the allocation's own, dropped by reference_memory_free; each operation drops its
 * own. Whoever drops the last one removes and unmaps the block.
 *
 * Fork: the lock is held meanwhile, so a child has a whole table. reference_memory_disown drops the pins
 * of operations there, because only the parent performs them. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "configuration.h"
#include "process.h"

/* Sorted by address. */
static reference_block **blocks;
static size_t block_count, block_room;

/* Mapping ------------------------------------------------------------------------ */

static size_t whole_size(const reference_block *block) {
  return block->space == REFERENCE_SPACE_DEVICE ? 2 * block->mapped : block->mapped;
}

/* The bytes are mapped before the inaccessible range, so an overrun of that range cannot reach them. */
static bool map_block(reference_block *block) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  char *start = mmap(NULL, whole_size(block), PROT_NONE, flags, -1, 0);
  if (start == MAP_FAILED) return false;
  if (mprotect(start, block->mapped, PROT_READ | PROT_WRITE) != 0) {
    munmap(start, whole_size(block));
    return false;
  }
  block->bytes = start;
  block->address = block->space == REFERENCE_SPACE_DEVICE ? start + block->mapped : start;
  /* Locks pages on first use: page-locked memory must not commit pages that nobody touches. */
  if (block->space == REFERENCE_SPACE_HOST) mlock2(start, block->mapped, MLOCK_ONFAULT);
  return true;
}

static void free_block(reference_block *block) {
  munmap(block->bytes, whole_size(block));
  free(block);
}

static reference_block *new_block(reference_device *device, reference_space space, uint64_t size) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  if (size == 0 || size > INT64_MAX / 4) return NULL;
  if (space != REFERENCE_SPACE_DEVICE && size / page > (uint64_t)sysconf(_SC_PHYS_PAGES))
    return NULL;
  reference_block *block = calloc(1, sizeof *block);
  if (!block) return NULL;
  block->space = space;
  block->device = device;
  block->size = size;
  block->mapped = (size + page - 1) / page * page;
  atomic_init(&block->pins, 1);
  if (map_block(block)) return block;
  free(block);
  return NULL;
}

/* Statistics --------------------------------------------------------------------- */

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static bool has_room(const reference_block *block) {
  const uint64_t used = (uint64_t)block->device->stats.bytes_in_use;
  return block->space != REFERENCE_SPACE_DEVICE ||
         block->size <= reference_configuration_get()->memory - used;
}

static void count_new(const reference_block *block) {
  SP_AllocatorStats *stats = &block->device->stats;
  const int64_t size = (int64_t)block->size;
  if (block->space != REFERENCE_SPACE_DEVICE) return;
  stats->num_allocs++;
  stats->bytes_in_use += size;
  stats->bytes_reserved += (int64_t)block->mapped;
  stats->peak_bytes_in_use = larger(stats->peak_bytes_in_use, stats->bytes_in_use);
  stats->peak_bytes_reserved = larger(stats->peak_bytes_reserved, stats->bytes_reserved);
  stats->largest_alloc_size = larger(stats->largest_alloc_size, size);
}

/* The table: under the lock ---------------------------------------------------------- */

/* Counts the blocks that begin at or before an address. */
static size_t count_up_to(const char *address) {
  size_t low = 0, high = block_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (blocks[middle]->address <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The block whose range contains an address; NULL: none. */
static reference_block *find_block(const char *address) {
  size_t n = count_up_to(address);
  reference_block *block = n ? blocks[n - 1] : NULL;
  return block && (uint64_t)(address - block->address) < block->size ? block : NULL;
}

static bool make_room(void) {
  if (block_count < block_room) return true;
  size_t room = block_room ? 2 * block_room : 16;
  reference_block **larger_table = realloc(blocks, room * sizeof *blocks);
  if (!larger_table) return false;
  blocks = larger_table;
  block_room = room;
  return true;
}

static bool insert(reference_block *block) {
  if (!has_room(block) || !make_room()) return false;
  size_t n = count_up_to(block->address);
  memmove(blocks + n + 1, blocks + n, (block_count - n) * sizeof *blocks);
  blocks[n] = block;
  block_count++;
  count_new(block);
  return true;
}

static void take_out(const reference_block *block) {
  size_t n = count_up_to(block->address);
  memmove(blocks + n - 1, blocks + n, (block_count - n) * sizeof *blocks);
  block_count--;
  if (block->space == REFERENCE_SPACE_DEVICE) {
    block->device->stats.bytes_in_use -= (int64_t)block->size;
    block->device->stats.bytes_reserved -= (int64_t)block->mapped;
  }
  if (block_count > 0) return;
  free(blocks);
  blocks = NULL;
  block_room = 0;
}

/* For other files -------------------------------------------------------------------- */

reference_block *reference_memory_new(reference_device *device, reference_space space,
                                      uint64_t size) {
  reference_block *block = new_block(device, space, size);
  if (!block) return NULL;
  reference_lock();
  bool inserted = insert(block);
  reference_unlock();
  if (inserted) return block;
  free_block(block);
  return NULL;
}

bool reference_memory_free(const reference_device *device, reference_space space,
                           const void *address) {
  reference_lock();
  reference_block *block = find_block(address);
  bool found = block && block->address == address && block->device == device &&
               block->space == space && !reference_memory_is_freed(block);
  if (found) atomic_store_explicit(&block->freed, true, memory_order_relaxed);
  reference_unlock();
  if (found) reference_memory_unpin(block);
  return found;
}

static bool may_use(const reference_block *block, const reference_device *device,
                    const void *address, uint64_t size) {
  return size <= block->size - (uint64_t)((const char *)address - block->address) &&
         block->space != REFERENCE_SPACE_HOST && !reference_memory_is_freed(block) &&
         (!device || block->device == device || block->space == REFERENCE_SPACE_UNIFIED);
}

reference_block *reference_memory_pin(const reference_device *device, const void *address,
                                      uint64_t size) {
  reference_lock();
  reference_block *block = find_block(address);
  if (block && !may_use(block, device, address, size)) block = NULL;
  if (block) atomic_fetch_add_explicit(&block->pins, 1, memory_order_relaxed);
  reference_unlock();
  return block;
}

void reference_memory_unpin(reference_block *block) {
  if (!block || atomic_fetch_sub_explicit(&block->pins, 1, memory_order_acq_rel) > 1) return;
  reference_lock();
  take_out(block);
  reference_unlock();
  free_block(block);
}

static reference_block *first_of(const reference_device *device) {
  for (size_t i = 0; i < block_count; i++)
    if (blocks[i]->device == device && !reference_memory_is_freed(blocks[i])) return blocks[i];
  return NULL;
}

size_t reference_memory_free_all(const reference_device *device) {
  for (size_t count = 0;; count++) {
    reference_lock();
    const reference_block *block = first_of(device);
    reference_unlock();
    if (!block) return count;
    reference_memory_free(device, block->space, block->address);
  }
}

void reference_memory_disown(void) {
  for (size_t i = block_count; blocks && i-- > 0;) {
    reference_block *block = blocks[i];
    bool freed = reference_memory_is_freed(block);
    atomic_store_explicit(&block->pins, freed ? 0 : 1, memory_order_relaxed);
    if (!freed) continue;
    take_out(block);
    free_block(block);
  }
}
