/* malloc and its family, interposed: every block is recorded and its end is checked. */
#ifndef MODFS_SHIM_MEMORY_H
#define MODFS_SHIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Stores the C library's own function of that name in *call. It is found by dlsym on first use, which
 * allocates nothing when it succeeds, and kept in *place, 0 at first. Two threads may find it at once:
 * both store the same address. */
void *shim_next(_Atomic uintptr_t *place, const char *name, void *call);

#endif
