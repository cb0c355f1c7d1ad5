/* Locks on names, for what S3 cannot do in one step: check, then delete or create.
 *
 * They exclude threads of this process only. A forked child has locks of its own. */
#ifndef S3_LOCK_H
#define S3_LOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "name.h"

/* Before the first lock, any number of times; false without memory. */
bool s3_lock_init(void);

/* Locks a name. */
pthread_mutex_t *s3_lock_take(const s3_name *name);

/* Locks what belongs to no name. */
pthread_mutex_t *s3_lock_take_all(void);

void s3_lock_give(pthread_mutex_t *taken);

#endif
