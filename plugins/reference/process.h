/* The plugin's global lock, and how fork affects it.
 *
 * It guards what all devices share: the table of memory, statistics, lists of streams.
 * Nobody takes another lock, or copies bytes, while holding it. Streams and events have
 * locks of their own.
 *
 * fork takes it first and releases it on both sides. A child has no workers, and the
 * locks of its parent's streams and events may be held for ever there. So each stream
 * and event stores the epoch in which it was made, and one of another epoch is refused
 * before its lock is touched. */
#ifndef REFERENCE_PROCESS_H
#define REFERENCE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

/* Registers the fork handlers, once for the process; false without memory. */
bool reference_process_init(void);

/* How many forks lie between the first process and this one. */
uint64_t reference_process_epoch(void);

void reference_lock(void);
void reference_unlock(void);

#endif
