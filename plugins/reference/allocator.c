/* The slots that allocate and free.
 *
 * This file has no state: the table of blocks and the statistics are in memory.c, under the one lock of
 * process.h. A block enters the table in one critical section with its accounting, so bytes_in_use
 * never exceeds the configured memory, and the statistics are one consistent copy.
 *
 * Who frees: the host, with the slot that matches the kind and the device; anything else is logged and
 * ignored. Operations pin blocks, so memory freed too early stays until they are done (memory.h).
 * Free bytes are computed, because blocks are mapped one by one and never fragment the device.
 *
 * Fork: the lock is held meanwhile. A child has copies of all blocks and may free its copies. */
#include "allocator.h"

#include "configuration.h"
#include "fault.h"
#include "log.h"
#include "memory.h"
#include "process.h"

void reference_allocate(const SP_Device *device, uint64_t size, int64_t memory_space,
                        SP_DeviceMemoryBase *memory) {
  (void)memory_space;
  memory->struct_size = SP_DEVICE_MEMORY_BASE_STRUCT_SIZE;
  memory->opaque = NULL;
  memory->size = 0;
  if (reference_fault_due(REFERENCE_FAULT_ALLOC)) return;
  const reference_block *block =
      reference_memory_new(reference_device_of(device), REFERENCE_SPACE_DEVICE, size);
  if (!block) return;
  memory->opaque = block->address;
  memory->size = size;
}

static void *allocate_near(const SP_Device *device, reference_space space, reference_fault fault,
                           uint64_t size) {
  if (reference_fault_due(fault)) return NULL;
  const reference_block *block = reference_memory_new(reference_device_of(device), space, size);
  return block ? block->address : NULL;
}

void *reference_host_memory_allocate(const SP_Device *device, uint64_t size) {
  return allocate_near(device, REFERENCE_SPACE_HOST, REFERENCE_FAULT_HOST, size);
}

void *reference_unified_memory_allocate(const SP_Device *device, uint64_t size) {
  return allocate_near(device, REFERENCE_SPACE_UNIFIED, REFERENCE_FAULT_UNIFIED, size);
}

/* These slots have no status, so the error is logged. */
static void free_near(const SP_Device *device, reference_space space, const void *address) {
  if (address && !reference_memory_free(reference_device_of(device), space, address))
    reference_log(TF_ERROR, "the pointer to free is not memory of this kind and device");
}

void reference_deallocate(const SP_Device *device, SP_DeviceMemoryBase *memory) {
  free_near(device, REFERENCE_SPACE_DEVICE, memory->opaque);
}

void reference_host_memory_deallocate(const SP_Device *device, void *memory) {
  free_near(device, REFERENCE_SPACE_HOST, memory);
}

void reference_unified_memory_deallocate(const SP_Device *device, void *memory) {
  free_near(device, REFERENCE_SPACE_UNIFIED, memory);
}

TF_Bool reference_allocator_stats(const SP_Device *device, SP_AllocatorStats *stats) {
  const uint64_t limit = reference_configuration_get()->memory;
  reference_lock();
  *stats = reference_device_of(device)->stats;
  reference_unlock();
  stats->struct_size = SP_ALLOCATORSTATS_STRUCT_SIZE;
  stats->has_bytes_limit = 1;
  stats->bytes_limit = (int64_t)limit;
  stats->largest_free_block_bytes = (int64_t)limit - stats->bytes_in_use;
  return 1;
}

TF_Bool reference_memory_usage(const SP_Device *device, int64_t *free_bytes, int64_t *total) {
  SP_AllocatorStats stats;
  reference_allocator_stats(device, &stats);
  *free_bytes = stats.largest_free_block_bytes;
  *total = stats.bytes_limit;
  return 1;
}
