/* Locks on names, for what servers cannot do in one step: check, then delete or create.
 *
 * They exclude threads of this process only. A forked child has locks of its own. */
#ifndef REMOTE_LOCK_H
#define REMOTE_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Before the first lock, any number of times; false without memory. */
bool remote_lock_init(void);

/* Locks a name of two parts; the first may be "". */
pthread_mutex_t *remote_lock_take(const char *bucket, const char *key);

/* Locks what belongs to no name. */
pthread_mutex_t *remote_lock_take_all(void);

void remote_lock_give(pthread_mutex_t *taken);

#endif
