/* The locks of the plugin.
 *
 * One lock for all that has names: trees, directories, transactions, options.
 * A few more for the bytes of files, shared out by node number. Order: tree, then
 * bytes; nobody takes the tree lock, or a second bytes lock, while holding one.
 *
 * fork takes all of them first and releases them on both sides, so a child of a
 * process with many threads finds everything whole and unlocked. */
#ifndef MEMORY_LOCK_H
#define MEMORY_LOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Hooks the locks into fork, once for the process; false when memory is short. */
bool memory_lock_init(void);

void memory_lock_tree(void);
void memory_unlock_tree(void);

void memory_lock_bytes(uint64_t number);
void memory_unlock_bytes(uint64_t number);

#endif
