/* The allocator that curl uses. */
#ifndef NET_MEMORY_H
#define NET_MEMORY_H

/* Initialises curl with an allocator that wipes what it frees. No effect on the allocator when the
 * process has initialised curl before. */
void memory_start_curl(void);

#endif
