/* All memory that the plugin handed out, by address.
 *
 * Device memory has two places: a range of addresses that nothing can be read or
 * written through, which is what hosts see and do their arithmetic on, and the bytes.
 * Both are taken from the system when memory is allocated and given back when it is
 * freed, so allocations never fragment the device, and bytes cost nothing before they are
 * touched. Unified and host memory have one place.
 *
 * Work pins the memory that it names. Memory that is freed under it stays until the last
 * such work is done: the work finds out, and fails; nothing is read or written
 * elsewhere.
 *
 * The lock of process.h is taken inside. */
#ifndef REFERENCE_MEMORY_H
#define REFERENCE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"

typedef enum reference_space {
  REFERENCE_SPACE_DEVICE,
  REFERENCE_SPACE_UNIFIED, /* of all devices */
  REFERENCE_SPACE_HOST
} reference_space;

typedef struct reference_block {
  reference_space space;
  reference_device *device;
  char *address; /* what the host knows it by */
  char *bytes;   /* where they are */
  uint64_t size;
  size_t mapped;    /* size in whole pages */
  atomic_uint pins; /* one for not being freed, and one for each piece of work */
  atomic_bool freed;
} reference_block;

/* size bytes, zeroed; NULL when the device or the system has no room, or size is 0. */
reference_block *reference_memory_new(reference_device *device, reference_space space,
                                      uint64_t size);

/* Frees what starts at address; false when there is no such memory. */
bool reference_memory_free(const reference_device *device, reference_space space,
                           const void *address);

/* Finds the memory of the device, or unified memory, that holds all of size bytes; any device's when
 * device is NULL. NULL when there is none. Owns: the caller unpins it. */
reference_block *reference_memory_pin(const reference_device *device, const void *address,
                                      uint64_t size);
/* NULL is allowed. */
void reference_memory_unpin(reference_block *block);

/* Where the byte with this address is. */
static inline char *reference_memory_at(const reference_block *block, const void *address) {
  return block->bytes + ((const char *)address - block->address);
}

static inline bool reference_memory_is_freed(const reference_block *block) {
  return atomic_load_explicit(&block->freed, memory_order_relaxed);
}

/* Frees what is left of a device's memory, and says how many pieces there were. */
size_t reference_memory_free_all(const reference_device *device);

/* In a child, under the lock: forgets the work of its parent. */
void reference_memory_disown(void);

#endif
