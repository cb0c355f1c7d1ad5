/* malloc and its family, with ends that are watched and blocks that are known. */
#ifndef MODFS_SHIM_MEMORY_H
#define MODFS_SHIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

size_t memory_blocks(void);
const void *memory_block(const void *address, size_t *size);
bool memory_fault(bool thorough, char *text, size_t size);
void memory_fail_allocation(size_t k);
bool memory_allocation_failed(void);

/* Whether this thread is inside (table.c). */
bool shim_is_inside(void);

#endif
