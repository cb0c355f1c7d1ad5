/* All memory that the plugin has allocated, by address.
 *
 * Device memory has two mappings: an inaccessible address range, which hosts see and do
 * their arithmetic on, and the bytes. Both are mapped when memory is allocated and
 * unmapped when it is freed. So allocations never fragment the device, and bytes cost
 * nothing before they are used. Unified and host memory have one mapping.
 *
 * Operations pin the memory that they refer to. Memory that is freed too early stays
 * mapped until the last such operation is done: the operation fails, and no other memory
 * is read or written in its place.
 *
 * These functions take the lock of process.h themselves. */
#ifndef REFERENCE_MEMORY_H
#define REFERENCE_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device.h"

typedef enum reference_space {
  REFERENCE_SPACE_DEVICE,
  REFERENCE_SPACE_UNIFIED, /* shared by all devices */
  REFERENCE_SPACE_HOST
} reference_space;

typedef struct reference_block {
  reference_space space;
  reference_device *device;
  char *address; /* what the host sees */
  char *bytes;   /* where the bytes are */
  uint64_t size;
  size_t mapped;    /* size in whole pages */
  atomic_uint pins; /* one until it is freed, and one for each operation */
  atomic_bool freed;
} reference_block;

/* Allocates zeroed memory; NULL when the device or the system has no room, or size is 0. */
reference_block *reference_memory_new(reference_device *device, reference_space space,
                                      uint64_t size);

/* Frees the block that starts at address; false when there is none of this device and space. */
bool reference_memory_free(const reference_device *device, reference_space space,
                           const void *address);

/* Finds and pins the block that contains all of size bytes: of the device (NULL: of any), or unified.
 * NULL when there is none. Owns: the caller unpins it. */
reference_block *reference_memory_pin(const reference_device *device, const void *address,
                                      uint64_t size);
/* NULL is allowed. */
void reference_memory_unpin(reference_block *block);

/* Translates an address that the host sees into the address of the byte. */
static inline char *reference_memory_at(const reference_block *block, const void *address) {
  return block->bytes + ((const char *)address - block->address);
}

static inline bool reference_memory_is_freed(const reference_block *block) {
  return atomic_load_explicit(&block->freed, memory_order_relaxed);
}

/* Frees all memory that a device still has; returns the number of blocks. */
size_t reference_memory_free_all(const reference_device *device);

/* In a child, under the lock: drops the pins of the parent's operations. */
void reference_memory_disown(void);

#endif
