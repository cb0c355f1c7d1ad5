/* Read-ahead: a thread fetches the next pieces of a file while the caller uses the previous ones.
 */
#ifndef MODFS_CORE_AHEAD_H
#define MODFS_CORE_AHEAD_H

#include <modfs/modfs.h>

typedef struct ahead ahead;

/* Starts the thread. The file must outlive it. */
ahead *ahead_start(modfs_file *file, TF_Status *status);
/* Like file_read; fast when the offset is where the previous call ended. */
int64_t ahead_read(ahead *self, uint64_t offset, size_t n, char *buffer, TF_Status *status);
/* Makes the thread wait for the next ahead_read; to be called before the file is read elsewhere. */
void ahead_pause(ahead *self);
/* Ends the thread and frees all; in a forked child, which has no such thread, it only frees. NULL
 * is allowed. */
void ahead_stop(ahead *self);

#endif
