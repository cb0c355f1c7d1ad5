/* The allocator that curl uses. */
#ifndef NET_MEMORY_H
#define NET_MEMORY_H

#include <stdbool.h>

/* Initialises curl with an allocator that wipes what it frees. No effect on the allocator when the
 * process has initialised curl before. */
void memory_start_curl(void);

/* Whether the allocator has failed on this thread since the last call. */
bool memory_was_short(void);

#endif
