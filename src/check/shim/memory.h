/* malloc and its family, interposed: every block is recorded and its end is checked. */
#ifndef MODFS_SHIM_MEMORY_H
#define MODFS_SHIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

size_t memory_blocks(void);
const void *memory_block(const void *address, size_t *size);
/* Notes a fault of another kind, if there is none yet. Takes the lock of blocks.c. */
void memory_note_fault(const char *what, const void *address);
bool memory_fault(bool thorough, char *text, size_t size);
void memory_fail_allocation(size_t k);
bool memory_allocation_failed(void);

/* Whether this thread is inside a call of the plugin (table.c). */
bool shim_is_inside(void);
/* Leaves the plugin's calls, however many are nested, and returns to them. */
int shim_step_out(void);
void shim_step_in(int before);

#endif
