/* The one lock of the plugin, and what fork does to it.
 *
 * It guards what all devices share: the table of memory, statistics, lists of
 * streams. Nobody takes another lock, or copies bytes, while holding it. Streams and
 * events have locks of their own.
 *
 * fork takes it first and releases it on both sides. Workers are gone in a child, and
 * the locks of its parent's streams and events may be held for ever there: each of
 * these remembers the epoch in which it was made, and one of another epoch is
 * refused before its lock is touched. */
#ifndef REFERENCE_PROCESS_H
#define REFERENCE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Hooks the lock into fork, once for the process; false when memory is short. */
bool reference_process_init(void);

/* Which process of a line of forks this is. */
uint64_t reference_process_epoch(void);

void reference_lock(void);
void reference_unlock(void);

#endif
