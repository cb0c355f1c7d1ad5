/* Points at which a thread can be held: a plugin's allocations, system calls and locks. */
#ifndef MODFS_SHIM_STOPS_H
#define MODFS_SHIM_STOPS_H

#include <stddef.h>

/* Holds the calling thread at its k-th point from now on: hold(context) is called there, once, outside of
 * the plugin's calls. 0 cancels it. */
void stops_set(size_t k, void (*hold)(void *context), void *context);
/* To be called at each point; does nothing outside of the plugin's calls. */
void stops_meet(void);

/* The number of threads inside that wait for a lock which another thread has. */
size_t stops_waiting(void);
void stops_wait(int change);

#endif
