/* Reading ahead: a thread fetches the next pieces of a file while the last ones are used up. */
#ifndef MODFS_CORE_AHEAD_H
#define MODFS_CORE_AHEAD_H

#include <modfs/modfs.h>

typedef struct ahead ahead;

/* Starts the thread over a file, which has to outlive it. */
ahead *ahead_start(modfs_file *file, TF_Status *status);
/* As file_read; quick where it goes on behind the last one. */
int64_t ahead_read(ahead *self, uint64_t offset, size_t n, char *buffer, TF_Status *status);
/* Before the file is read elsewhere: the thread waits for the next ahead_read. */
void ahead_pause(ahead *self);
/* Ends the thread; in a forked child, where it is not, only its memory. NULL is none. */
void ahead_stop(ahead *self);

#endif
