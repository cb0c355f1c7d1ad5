/* Interposed locks of pthreads. */
#ifndef MODFS_SHIM_LOCKS_H
#define MODFS_SHIM_LOCKS_H

/* To be called when a thread leaves the plugin: a lock that the call has taken must be released by then. */
void locks_leave(void);

#endif
