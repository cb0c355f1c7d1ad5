/* The locks of the plugin.
 *
 * One lock for all that has names: trees, directories, transactions. A few more for the
 * bytes of files, selected by node number. Order: tree, then bytes; nobody takes the tree
 * lock, or a second bytes lock, while holding a bytes lock.
 *
 * fork takes all of them first and releases them on both sides, so the child of a
 * multithreaded process finds everything consistent and unlocked. */
#ifndef MEMORY_LOCK_H
#define MEMORY_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Registers the fork handlers, once for the process; false without memory. */
bool memory_lock_init(void);

void memory_lock_tree(void);
void memory_unlock_tree(void);

void memory_lock_bytes(uint64_t number);
void memory_unlock_bytes(uint64_t number);

#endif
